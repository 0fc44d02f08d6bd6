"""A file that is given to the gateway, as a form."""

from __future__ import annotations

import io
import os
import uuid
from typing import BinaryIO, Dict, Iterator, Union

# Of one read: a file of 100 MB is never in memory as a whole.
CHUNK = 64 * 1024

# The bytes of a file, or where it is on the disk.
Source = Union[bytes, "os.PathLike[str]", str]


class Form:
    """A form with one file. It is read anew for each attempt, piece by piece. Raises OSError for a file that cannot be
    read."""

    def __init__(self, source: Source, file_name: str | None) -> None:
        is_path = isinstance(source, (str, os.PathLike))
        if not is_path and not isinstance(source, (bytes, bytearray)):
            raise TypeError("file: pass bytes, or the path of a file")
        name = file_name if file_name is not None else os.path.basename(os.fspath(source)) if is_path else "file"
        boundary = uuid.uuid4().hex
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{_quoted(name)}"\r\n\r\n'
        self._source = source
        self._head = head.encode()
        self._tail = f"\r\n--{boundary}--\r\n".encode()
        size = os.stat(source).st_size if isinstance(source, (str, os.PathLike)) else len(source)
        self.headers: Dict[str, str] = {
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "Content-Length": str(len(self._head) + size + len(self._tail)),
        }

    def __iter__(self) -> Iterator[bytes]:
        yield self._head
        with self._opened() as file:
            while piece := file.read(CHUNK):
                yield piece
        yield self._tail

    def _opened(self) -> BinaryIO:
        source = self._source
        return open(source, "rb") if isinstance(source, (str, os.PathLike)) else io.BytesIO(source)


def _quoted(name: str) -> str:
    """As browsers write a name in a form."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
