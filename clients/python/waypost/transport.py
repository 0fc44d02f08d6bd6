"""One call of the gateway: its attempts and their results."""

from __future__ import annotations

import http.client
import io
import json
import random
import re
import socket
import ssl
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import IO, Any, Callable, Dict, Generic, Mapping, Optional, TypeVar, cast

from .errors import GatewayRefusal, NoAnswer
from .hooks import AfterAttempt, Attempt, AttemptEnd, BeforeAttempt, tell
from .upload import Form

# A larger answer cannot be a gateway's: its longest are lists of templates.
ANSWER_BYTES_MAX = 64 * 2**20
# First wait between attempts in seconds; it doubles, and each is drawn from half of it to all of it.
WAIT_MIN = 0.5
# For a longer pause the client does not wait: the caller knows better what to do meanwhile.
WAIT_MAX = 30.0

Data = TypeVar("Data")


@dataclass(frozen=True)
class Call(Generic[Data]):
    method: str
    # Below the base of the gateway.
    path: str
    body: bytes | Form | None
    # What a send is deduplicated by: named in an error, so that the caller can go on with it.
    idempotency_key: str | None
    # Makes the result of the answer of a success; None when it is not what the call asks for.
    read: Callable[[Mapping[str, object]], Optional[Data]]
    # Of one attempt with its whole answer, in seconds.
    timeout: float
    attempts: int
    # Of a call whose success is no JSON: takes what comes as it comes; the timeout is that of each read then.
    open: Callable[[http.client.HTTPResponse], Data] | None = None
    # The header of a part.
    range: str | None = None


@dataclass(frozen=True)
class _Outcome(Generic[Data]):
    """The result of one attempt: either `data` or `problem`."""

    data: Data | None = None
    problem: GatewayRefusal | NoAnswer | None = None
    is_temporary: bool = False
    status: int | None = None
    request_id: str | None = None


@dataclass(frozen=True)
class Connection:
    """What all calls of a client share."""

    # The address of the gateway with /api/v1/public.
    base: str
    headers: Mapping[str, str] = field(repr=False)
    opener: urllib.request.OpenerDirector
    before_attempt: BeforeAttempt | None
    after_attempt: AfterAttempt | None
    sleep: Callable[[float], object]
    now: Callable[[], float]

    def call(self, call: Call[Data]) -> Data:
        """Makes the call, and repeats it while that is safe and may help. Raises GatewayRefusal and NoAnswer."""
        attempt = 1
        while True:
            seen = (call.method, call.path, attempt, call.idempotency_key)
            started = self.now()
            tell(self.before_attempt, Attempt(*seen))
            outcome = self._attempt(call)
            wait = _wait_after(outcome, attempt, call.attempts)
            end = AttemptEnd(
                *seen,
                duration=self.now() - started,
                status=outcome.status,
                request_id=outcome.request_id,
                problem=outcome.problem,
                repeat_in=wait,
            )
            tell(self.after_attempt, end)
            if outcome.data is not None:
                return outcome.data
            if wait is None:
                assert outcome.problem is not None
                raise outcome.problem
            attempt += 1
            self.sleep(wait)

    def _attempt(self, call: Call[Data]) -> _Outcome[Data]:
        key = call.idempotency_key
        headers = dict(self.headers)
        if call.body is not None:
            headers["Content-Type"] = "application/json"
        if isinstance(call.body, Form):
            headers.update(call.body.headers)
        if call.range is not None:
            headers["Range"] = call.range
        request = _Request(self.base + call.path, data=cast(Any, call.body), headers=headers, method=call.method)
        request.is_stream = call.open is not None
        try:
            opened = self._answer(request, call.timeout)
            if call.open is not None and opened.status in (200, 206):
                request_id = opened.headers.get("X-Request-Id")
                return _Outcome(data=call.open(opened), status=opened.status, request_id=request_id)
            with opened as response:
                status, answered, text = response.status, response.headers, response.read(ANSWER_BYTES_MAX + 1)
                if len(text) > ANSWER_BYTES_MAX:
                    raise ValueError(f"The answer is larger than {ANSWER_BYTES_MAX} bytes.")
                # A read of at most so many bytes takes the end of the connection for the end of the answer.
                if response.length:
                    raise http.client.IncompleteRead(text, response.length)
        # Some answers that break HTTP, such as a chunk of a negative size, are a bare ValueError.
        except (OSError, http.client.HTTPException, ValueError) as error:
            problem = NoAnswer(f"No whole answer of the gateway came: {error!r}", key)
            problem.__cause__ = error
            return _Outcome(problem=problem, is_temporary=True)
        answer = _parsed(text)
        request_id = answered.get("X-Request-Id")
        is_success = 200 <= status < 300
        if is_success and answer.get("success") is True:
            data = call.read(answer)
            if data is not None:
                return _Outcome(data=data, status=status, request_id=request_id)
        asked = answered.get("Retry-After", "")
        # The gateway writes whole seconds.
        retry_after = int(asked) if re.fullmatch("[0-9]{1,9}", asked) else None
        code, message = answer.get("error"), answer.get("message")
        if status >= 400 and isinstance(code, str) and isinstance(message, str):
            refusal = GatewayRefusal(status, code, message, answer.get("details"), request_id, retry_after, key)
            # The upstream's own refusal is final here: the caller decides whether to send again.
            may_pass = _may_pass(status) and code != "CHANNEL_GRAPH_ERROR"
            return _Outcome(problem=refusal, is_temporary=may_pass, status=status, request_id=request_id)
        problem = NoAnswer(f"What came with status {status} is no answer of the gateway.", key, retry_after)
        may_pass = is_success or _may_pass(status)
        return _Outcome(problem=problem, is_temporary=may_pass, status=status, request_id=request_id)

    def _answer(self, request: urllib.request.Request, timeout: float) -> http.client.HTTPResponse:
        try:
            return cast(http.client.HTTPResponse, self.opener.open(request, timeout=timeout))
        except urllib.error.HTTPError as refusal:
            return cast(http.client.HTTPResponse, refusal)


def opener(context: ssl.SSLContext | None) -> urllib.request.OpenerDirector:
    """What opens requests, with the certificates that the context trusts."""
    return urllib.request.build_opener(_NoRedirect, _Http, _Https(context=context))


def _wait_after(outcome: _Outcome[Data], attempt: int, attempts: int) -> float | None:
    """How long to wait for the next attempt, in seconds; None when there is none."""
    if outcome.problem is None or not outcome.is_temporary or attempt >= attempts:
        return None
    backoff = min(WAIT_MIN * 2.0 ** (attempt - 1), WAIT_MAX) * random.uniform(0.5, 1)
    wait = max(outcome.problem.retry_after or 0, backoff)
    return wait if wait <= WAIT_MAX else None


def _may_pass(status: int) -> bool:
    """Whether a retry may help. All calls are safe to repeat: reads change nothing, sends have a key, and read
    marks, times and cancellations stay."""
    return status in (408, 429) or status >= 500


def _parsed(text: bytes) -> Dict[str, Any]:
    """Returns the object that a text is; an empty one for whatever else came."""
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return cast(Dict[str, Any], answer) if isinstance(answer, dict) else {}


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """An address that redirects is not the gateway, and must not get the key."""

    def http_error_302(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: http.client.HTTPMessage
    ) -> None:
        return None

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


class _Request(urllib.request.Request):
    # Whether each read has the whole time limit, and not the answer.
    is_stream = False


class _Until(io.RawIOBase):
    """Reads from a socket until a moment: the socket's own time limit begins anew with each byte that comes. That of a
    stream does."""

    def __init__(self, sock: socket.socket, timeout: float, is_stream: bool) -> None:
        self._socket = sock
        self._file = sock.makefile("rb", buffering=0)
        self._timeout = timeout if is_stream else None
        self._until = time.monotonic() + timeout

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._until - time.monotonic() if self._timeout is None else self._timeout
        if left <= 0:
            raise TimeoutError("timed out")
        self._socket.settimeout(left)
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()


class _InTime(urllib.request.AbstractHTTPHandler):
    """Has the answer of a request read within the time limit of the request."""

    def do_open(self, http_class: Any, req: urllib.request.Request, **options: Any) -> http.client.HTTPResponse:
        until = time.monotonic() + cast(float, req.timeout)

        def respond(sock: socket.socket, *how: Any, **named: Any) -> http.client.HTTPResponse:
            left = max(until - time.monotonic(), 0)
            is_stream = getattr(req, "is_stream", False)
            timed = _Until(sock, cast(float, req.timeout) if is_stream else left, is_stream)
            return http.client.HTTPResponse(cast(socket.socket, timed), *how, **named)

        def connect(*args: Any, **more: Any) -> Any:
            connection = http_class(*args, **more)
            connection.response_class = respond
            return connection

        return super().do_open(connect, req, **options)


class _Http(_InTime, urllib.request.HTTPHandler):
    pass


class _Https(_InTime, urllib.request.HTTPSHandler):
    pass
