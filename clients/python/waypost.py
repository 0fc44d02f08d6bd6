"""Client of a Waypost messaging gateway. Python 3.9 or later, the standard library alone.

    from waypost import Client

    gateway = Client("https://gateway.example.com", api_key="pk_…", api_secret="sk_…")
    message = gateway.send({"type": "text", "phone": "+4930123456", "content": "Hello."})
    gateway.wait_for(message["id"], "DELIVERED")

Calls that get no whole answer, or a temporary refusal, are repeated: that never sends twice, because each send bears an
idempotency key. Keep the secret on a server.
"""

import http.client
import io
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

__version__ = "0.1.0"
__all__ = ["Client", "GatewayRefusal", "MessageFailed", "NoAnswer", "WaitTimeout"]

# Of one attempt with its whole answer, in seconds. The gateway answers a send within 10 seconds by default.
TIMEOUT_DEFAULT = 30.0
# A larger answer is none of a gateway: the longest are its lists of templates.
ANSWER_BYTES_MAX = 64 * 2**20
# Attempts of one call, the first included.
ATTEMPTS_DEFAULT = 4
# First wait between attempts in seconds; it doubles, and each is drawn from half of it to all of it.
WAIT_MIN = 0.5
# A gateway that asks for a longer pause is not waited for: the caller knows better what to do meanwhile.
WAIT_MAX = 30.0
# Between two looks of wait_for, in seconds; each gap is half as long again as the one before. A gateway allows 100
# requests in 15 minutes for an address unless it is set otherwise.
GAP_MIN = 1.0
GAP_MAX = 30.0
GAP_GROWTH = 1.5
# What can be waited for. A status that is not named here (UNKNOWN, FAILED) is as far as QUEUED.
RANK = {"QUEUED": 0, "SENT": 1, "DELIVERED": 2, "READ": 3}
# http or https, a host, perhaps a port and a path; nothing that must be encoded.
ADDRESS = re.compile(r"https?://([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?(/[!-~]*)?", re.ASCII | re.IGNORECASE)


class GatewayRefusal(Exception):
    """The gateway answered with a refusal; `code` is its stable error code."""

    def __init__(self, status, code, message, details, request_id, retry_after, idempotency_key):
        super().__init__(f"{code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        # Names the request in the gateway's log.
        self.request_id = request_id
        # Seconds to wait before another try; None when the gateway does not say.
        self.retry_after = retry_after
        # The key that a send was made with; None for the other calls.
        self.idempotency_key = idempotency_key
        # The upstream's own refusal is final here: whether to send once more is the caller's decision.
        self._is_temporary = _may_pass(status) and code != "CHANNEL_GRAPH_ERROR"


class NoAnswer(Exception):
    """No whole answer of the gateway came: it could not be reached, took too long, or what came was cut, garbled or
    from something in front of it. A send may have been accepted all the same: call again with the same
    `idempotency_key` to learn of it without sending twice."""

    def __init__(self, message, idempotency_key, retry_after=None, is_temporary=True):
        super().__init__(message)
        # The key that a send was made with; None for the other calls.
        self.idempotency_key = idempotency_key
        # Seconds to wait before another try, when something in front of the gateway says so.
        self.retry_after = retry_after
        self._is_temporary = is_temporary


class MessageFailed(Exception):
    """wait_for met a message that failed. A late delivery can still correct it."""

    def __init__(self, failed):
        super().__init__(f"The message {failed['id']} failed: {failed['failureReason'] or 'no reason was given'}")
        self.failed = failed


class WaitTimeout(Exception):
    """wait_for ran out of time; `last` is the message as it stood then. It may still be delivered."""

    def __init__(self, last, timeout):
        super().__init__(f"The message {last['id']} is {last['status']} after {timeout} s")
        self.last = last


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """An address that redirects is not the gateway, and must not get the key."""

    def http_error_302(self, *_):
        return None

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


class _Until(io.RawIOBase):
    """Reads from a socket until a moment: the socket's own time limit begins anew with each byte that comes."""

    def __init__(self, sock, until):
        self._socket = sock
        self._file = sock.makefile("rb", buffering=0)
        self._until = until

    def makefile(self, _mode):
        return io.BufferedReader(self)

    def readable(self):
        return True

    def readinto(self, buffer):
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        self._socket.settimeout(left)
        return self._file.readinto(buffer)

    def close(self):
        self._file.close()
        super().close()


class _InTime:
    """Has the answer of a request read within the time limit of the request."""

    def do_open(self, connection_class, request, **options):
        until = time.monotonic() + request.timeout

        def connect(*args, **more):
            connection = connection_class(*args, **more)
            connection.response_class = lambda sock, *how, **named: http.client.HTTPResponse(
                _Until(sock, until), *how, **named
            )
            return connection

        return super().do_open(connect, request, **options)


class _Http(_InTime, urllib.request.HTTPHandler):
    pass


class _Https(_InTime, urllib.request.HTTPSHandler):
    pass


class Client:
    """Talks to the gateway at `url`. `timeout` is that of one attempt in seconds, `attempts` those of one call, `context`
    an `ssl.SSLContext` for a certificate of your own. Raises ValueError for what can be no address or key."""

    def __init__(
        self,
        url,
        api_key,
        api_secret,
        *,
        timeout=TIMEOUT_DEFAULT,
        attempts=ATTEMPTS_DEFAULT,
        context=None,
        sleep=time.sleep,
        now=time.monotonic,
    ):
        self._base = _address(url) + "/api/v1/public"
        self._headers = {"apiKey": _credential("api_key", api_key), "apiSecret": _credential("api_secret", api_secret)}
        self._timeout = timeout
        self._attempts = attempts
        self._sleep = sleep
        self._now = now
        self._open = urllib.request.build_opener(_NoRedirect, _Http, _Https(context=context)).open

    def send(self, body):
        """Sends a message and returns it. Without an `idempotencyKey` it gets a new one; give your own (an order's
        number, say) when the same send may be asked for again by another process or after a restart.

        Status `UNKNOWN` means that the upstream's answer was lost: do not send it again, its status settles later.
        """
        key = body.get("idempotencyKey")
        if key is None:
            key = str(uuid.uuid4())
        data = json.dumps({**body, "idempotencyKey": key}).encode()
        return self._call("/messages/send", _is_message, data, key)

    def status(self, message_id):
        """Returns the message as it stands now."""
        return self._call("/messages/" + urllib.parse.quote(message_id, safe=""), _is_message)

    def templates(self, name=None, language=None):
        """Returns every approved template, or those of a name and language."""
        query = {key: value for key, value in (("name", name), ("language", language)) if value is not None}
        return self._call("/templates?" + urllib.parse.urlencode(query), _is_listing)["templates"]

    def wait_for(self, message_id, status, timeout=120.0):
        """Waits until a message has the status, or a later one: READ fulfils DELIVERED, and every status QUEUED."""
        if status not in RANK:
            raise ValueError(f"status: wait for one of {', '.join(RANK)}, not {status!r}")
        until = self._now() + timeout
        last = self.status(message_id)
        gap = GAP_MIN
        while RANK.get(last["status"], 0) < RANK[status]:
            if last["status"] == "FAILED":
                raise MessageFailed(last)
            left = until - self._now()
            if left <= 0:
                raise WaitTimeout(last, timeout)
            self._sleep(min(gap, left))
            gap = min(gap * GAP_GROWTH, GAP_MAX)
            try:
                last = self.status(message_id)
            except GatewayRefusal as refusal:
                # The limit of requests is reached: the message goes its way all the same.
                if refusal.retry_after is None:
                    raise
                if self._now() + refusal.retry_after > until:
                    raise WaitTimeout(last, timeout) from refusal
                self._sleep(refusal.retry_after)
        return last

    def _call(self, path, is_valid, data=None, idempotency_key=None):
        attempt = 1
        while True:
            try:
                return self._attempt(path, is_valid, data, idempotency_key)
            except (GatewayRefusal, NoAnswer) as problem:
                backoff = min(WAIT_MIN * 2 ** (attempt - 1), WAIT_MAX) * random.uniform(0.5, 1)
                wait = max(problem.retry_after or 0, backoff)
                if not problem._is_temporary or attempt >= self._attempts or wait > WAIT_MAX:
                    raise
            attempt += 1
            self._sleep(wait)

    def _attempt(self, path, is_valid, data, idempotency_key):
        headers = dict(self._headers)
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self._base + path, data=data, headers=headers)
        try:
            with self._answer(request) as response:
                status, answered, text = response.status, response.headers, response.read(ANSWER_BYTES_MAX + 1)
        # Some answers that break HTTP, such as a chunk of a negative size, are a bare ValueError.
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise NoAnswer(f"No whole answer of the gateway came: {error!r}", idempotency_key) from error
        answer = _parsed(text)
        if 200 <= status < 300 and answer.get("success") is True and is_valid(answer.get("data")):
            return answer["data"]
        retry_after = answered.get("Retry-After", "")
        # The gateway writes whole seconds.
        retry_after = int(retry_after) if re.fullmatch("[0-9]{1,9}", retry_after) else None
        code, message = answer.get("error"), answer.get("message")
        if status >= 400 and isinstance(code, str) and isinstance(message, str):
            request_id = answered.get("X-Request-Id")
            details = answer.get("details")
            raise GatewayRefusal(status, code, message, details, request_id, retry_after, idempotency_key)
        problem = f"What came with status {status} is no answer of the gateway."
        raise NoAnswer(problem, idempotency_key, retry_after, status < 300 or _may_pass(status))

    def _answer(self, request):
        try:
            return self._open(request, timeout=self._timeout)
        except urllib.error.HTTPError as refusal:
            return refusal


def _may_pass(status):
    """Whether a repeat may mend it. All calls may be repeated: reads change nothing, and sends bear a key."""
    return status in (408, 429) or status >= 500


def _parsed(text):
    """Returns the object that a text is; an empty one for whatever else came. A cut object is none."""
    try:
        answer = json.loads(text) if len(text) <= ANSWER_BYTES_MAX else None
    except (ValueError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _is_message(data):
    return isinstance(data, dict) and isinstance(data.get("id"), str) and isinstance(data.get("status"), str)


def _is_listing(data):
    return isinstance(data, dict) and isinstance(data.get("templates"), list)


def _address(url):
    """The problem is described, not shown: an address may have a password in it."""
    address = url.rstrip("/") if isinstance(url, str) else ""
    match = ADDRESS.fullmatch(address)
    if not match or int((match[2] or ":0")[1:]) > 65535 or re.search("[?#]|/api/v1/public$", address):
        raise ValueError(
            'url: pass the address of the gateway, as in "https://gateway.example.com": http or https, a host, perhaps a '
            "port and a path; no user, password, query or fragment, and without /api/v1/public"
        )
    return address


def _credential(name, value):
    # A header cannot hold anything else, and the error of a header would show the secret.
    if not isinstance(value, str) or not re.fullmatch("[!-~]+", value):
        raise ValueError(f"{name}: pass it as it was shown when it was made, without spaces or line ends")
    return value
