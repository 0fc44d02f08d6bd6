"""A file that a user sent, as it comes."""

from __future__ import annotations

import http.client
import re
import urllib.parse
from typing import Iterator, NamedTuple, Optional

from .errors import NoAnswer

# Of one read, while a file is given piece by piece.
CHUNK = 64 * 1024


class MediaRange(NamedTuple):
    """Which part of a file came: its first and its last byte, and how many the whole file has."""

    first: int
    last: int
    size: int


class Media:
    """A file, or a part of one: read it whole, or piece by piece, once. Close it, or use it in a `with`."""

    # What its bytes show, as image/jpeg.
    content_type: str
    # Bytes that come; None when the gateway does not say.
    length: Optional[int]
    # A name to save it under; None when there is none.
    file_name: Optional[str]
    # None: the whole file.
    range: Optional[MediaRange]

    def __init__(self, response: http.client.HTTPResponse) -> None:
        headers = response.headers
        part = re.fullmatch(r"bytes (\d+)-(\d+)/(\d+)", headers.get("Content-Range", ""), re.ASCII)
        self._response = response
        self.content_type = headers.get("Content-Type", "application/octet-stream")
        self.length = response.length
        self.file_name = _file_name(headers.get("Content-Disposition", ""))
        self.range = MediaRange(int(part[1]), int(part[2]), int(part[3])) if part else None

    def read(self) -> bytes:
        """Reads all of it into memory. Raises NoAnswer when it breaks off."""
        return b"".join(self)

    def __iter__(self) -> Iterator[bytes]:
        """Gives its bytes in pieces. Raises NoAnswer when they stop coming for `timeout`, or break off: ask for the rest
        by `first`."""
        came = 0
        with self:
            while True:
                try:
                    piece = self._response.read(CHUNK)
                    if not piece and self.length is not None and came != self.length:
                        raise http.client.IncompleteRead(b"", self.length - came)
                except (OSError, http.client.HTTPException, ValueError) as error:
                    raise NoAnswer(f"The rest of the file did not come: {came} bytes did. {error!r}", None) from error
                if not piece:
                    return
                came += len(piece)
                yield piece

    def close(self) -> None:
        self._response.close()

    def __enter__(self) -> Media:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def range_header(first: int | None, last: int | None) -> str | None:
    """The header for a part. Raises ValueError for what can be no part."""
    if first is None and last is None:
        return None
    begin = 0 if first is None else first
    if not isinstance(begin, int) or begin < 0 or not (last is None or (isinstance(last, int) and last >= begin)):
        raise ValueError("first, last: pass whole numbers of bytes, as in first=0, last=1023")
    return f"bytes={begin}-{'' if last is None else last}"


def _file_name(disposition: str) -> str | None:
    """RFC 6266: the encoded name goes before the plain one."""
    encoded = re.search(r"filename\*=utf-8''([^;]+)", disposition, re.IGNORECASE)
    if encoded:
        return urllib.parse.unquote(encoded[1])
    quoted = re.search(r'filename="((?:[^"\\]|\\.)*)"', disposition, re.IGNORECASE)
    return re.sub(r"\\(.)", r"\1", quoted[1]) if quoted else None
