"""Signatures of Standard Webhooks 1.0."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from typing import Callable, Dict, Iterable, Protocol, Sequence, Tuple, Union, cast

from .errors import WebhookNotVerified
from .types import Event

# In seconds, as the specification's own libraries: older ones may be a copy that somebody sends again.
TOLERANCE = 300
SECRET_PREFIX = "whsec_"
SECRET_BYTES = range(24, 65)


class WebhookHeaders(Protocol):
    """The headers of a request, with names in any case: a dict, or what Django, Flask, FastAPI and http.server have."""

    def items(self) -> Iterable[Tuple[str, str]]: ...


def verify_webhook(
    body: Union[bytes, str],
    headers: WebhookHeaders,
    secret: Union[str, Sequence[str]],
    *,
    now: Callable[[], float] = time.time,
) -> Event:
    """Checks that a request comes from an endpoint of the gateway, now, and returns the event. Its `id` is the same each
    time it is sent: do it once.

    `body` is that which came: what was parsed and written again is signed by nobody. `secret` is that of the endpoint,
    `whsec_…`, or several while you replace it: one has to match. `now` is the clock, for tests. Raises WebhookNotVerified
    that says what is wrong, and ValueError for a parsed body, for what can be no headers, and for what
    can be no secret; nothing else.
    """
    content = _bytes(body)
    given = _texts(headers)
    keys = [_key(each) for each in (secret if isinstance(secret, (list, tuple)) and secret else [secret])]
    message_id, timestamp = _header(given, "webhook-id"), _header(given, "webhook-timestamp")
    signatures = _header(given, "webhook-signature").encode(errors="replace").split(b" ")
    _check_time(timestamp, int(now()))
    signed = f"{message_id}.{timestamp}.".encode(errors="replace") + content
    expected = [b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in keys]
    # A list, so that each is looked at.
    if not any([hmac.compare_digest(one, other) for one in signatures for other in expected]):
        raise WebhookNotVerified(
            "NO_SIGNATURE_MATCHES",
            "webhook-signature: none is of this body and a given secret. Pass the body as it came, and the secret of this "
            "endpoint",
        )
    return _event(content)


def _bytes(body: object) -> bytes:
    if isinstance(body, str):
        return body.encode(errors="replace")
    if isinstance(body, (bytes, bytearray)):
        return bytes(body)
    raise ValueError("body: pass it as it came, as bytes or text, before anything parses it")


def _texts(headers: object) -> Dict[str, str]:
    """Headers by their names in lower case. Some servers have bytes, or a list of values."""
    items = getattr(headers, "items", None)
    if not callable(items):
        raise ValueError("headers: pass a dict, or what your framework has: it needs items()")
    given: Dict[str, str] = {}
    for name, value in cast(Iterable[Tuple[object, object]], items()):
        values = cast(Sequence[object], value) if isinstance(value, (list, tuple)) else [value]
        given[_text(name).lower()] = " ".join(_text(each) for each in values)
    return given


def _text(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _key(secret: object) -> bytes:
    """The problem is described, not shown."""
    text = secret[len(SECRET_PREFIX) :] if isinstance(secret, str) and secret.startswith(SECRET_PREFIX) else secret
    try:
        key = base64.b64decode(text, validate=True) if isinstance(text, str) else b""
    except ValueError:
        key = b""
    if len(key) not in SECRET_BYTES:
        raise ValueError("secret: pass it as it was shown when the endpoint was made, whsec_…")
    return key


def _header(headers: Dict[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookNotVerified("HEADER_MISSING", f"{name}: this header is missing")
    return value


def _check_time(timestamp: str, now: int) -> None:
    if not re.fullmatch(r"\d{1,12}", timestamp, re.ASCII):
        raise WebhookNotVerified("TIMESTAMP_INVALID", "webhook-timestamp: it is no number of seconds")
    age = now - int(timestamp)
    if age > TOLERANCE:
        raise WebhookNotVerified("TOO_OLD", f"webhook-timestamp: it was signed {age} seconds ago")
    if age < -TOLERANCE:
        ahead = f"webhook-timestamp: it was signed {-age} seconds ahead of the clock of this machine"
        raise WebhookNotVerified("TOO_NEW", ahead)


def _event(content: bytes) -> Event:
    try:
        read = json.loads(content.decode())
    # What is nested very deeply.
    except (ValueError, RecursionError):
        read = None
    event = cast(Dict[str, object], read) if isinstance(read, dict) else {}
    if not all(isinstance(event.get(name), str) for name in ("id", "type")):
        raise WebhookNotVerified("NOT_AN_EVENT", "body: it is signed, but no event of a gateway")
    return cast(Event, event)
