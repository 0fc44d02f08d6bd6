"""Client of a Waypost messaging gateway. Python 3.9 or later, the standard library alone.

    from waypost import Client

    gateway = Client("https://gateway.example.com", api_key="pk_…", api_secret="sk_…")
    message = gateway.send({"type": "text", "phone": "+4930123456", "content": "Hello."})
    gateway.wait_for(message["id"], "DELIVERED")

Calls that get no answer, or a temporary refusal, are repeated: that never sends twice, because each send bears an
idempotency key. Keep the secret on a server.
"""

import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

__version__ = "0.1.0"
__all__ = ["Client", "GatewayRefusal", "MessageFailed", "NoAnswer", "WaitTimeout"]

# Of one attempt, in seconds. The gateway answers a send within 10 seconds by default.
TIMEOUT_DEFAULT = 30.0
# Attempts of one call, the first included.
ATTEMPTS_DEFAULT = 4
# First wait between attempts in seconds; it doubles, and each is drawn from half of it to all of it.
WAIT_MIN = 0.5
# A gateway that asks for a longer pause is not waited for: the caller knows better what to do meanwhile.
WAIT_MAX = 30.0
# Statuses that a repeat may mend. Reads change nothing, and sends bear a key.
TEMPORARY = frozenset((429, 500, 502, 503, 504))
# Between two looks of wait_for, in seconds; each gap is half as long again as the one before. A gateway allows 100
# requests in 15 minutes for an address unless it is set otherwise.
GAP_MIN = 1.0
GAP_MAX = 30.0
GAP_GROWTH = 1.5
RANK = {"SENT": 1, "DELIVERED": 2, "READ": 3}


class GatewayRefusal(Exception):
    """The gateway answered with a refusal; `code` is its stable error code."""

    def __init__(self, status, code, message, details, request_id, retry_after):
        super().__init__(f"{code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        # Names the request in the gateway's log.
        self.request_id = request_id
        # Seconds to wait before another try; None when the gateway does not say.
        self.retry_after = retry_after


class NoAnswer(Exception):
    """No answer of the gateway came. A send may have been accepted all the same: call again with the same
    `idempotency_key` to learn of it without sending twice."""

    def __init__(self, message, idempotency_key):
        super().__init__(message)
        # The key that a send was made with; None for the other calls.
        self.idempotency_key = idempotency_key


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

    def redirect_request(self, *_):
        return None


class Client:
    def __init__(
        self,
        url,
        api_key,
        api_secret,
        *,
        timeout=TIMEOUT_DEFAULT,
        attempts=ATTEMPTS_DEFAULT,
        sleep=time.sleep,
        now=time.monotonic,
        opener=None,
    ):
        self._base = url.rstrip("/") + "/api/v1/public"
        self._headers = {"apiKey": api_key, "apiSecret": api_secret}
        self._timeout = timeout
        self._attempts = attempts
        self._sleep = sleep
        self._now = now
        self._open = (opener or urllib.request.build_opener(_NoRedirect)).open

    def send(self, body):
        """Sends a message and returns it. Without an `idempotencyKey` it gets a new one; give your own (an order's
        number, say) when the same send may be asked for again by another process or after a restart.

        Status `UNKNOWN` means that the upstream's answer was lost: do not send it again, its status settles later.
        """
        key = body.get("idempotencyKey") or str(uuid.uuid4())
        data = json.dumps({**body, "idempotencyKey": key}).encode()
        return self._call("/messages/send", data, key)

    def status(self, message_id):
        """Returns the message as it stands now."""
        return self._call("/messages/" + urllib.parse.quote(message_id, safe=""))

    def templates(self, name=None, language=None):
        """Returns every approved template, or those of a name and language."""
        query = {key: value for key, value in (("name", name), ("language", language)) if value is not None}
        return self._call("/templates?" + urllib.parse.urlencode(query))["templates"]

    def wait_for(self, message_id, status, timeout=120.0):
        """Waits until a message has the status, or a later one: READ fulfils DELIVERED."""
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

    def _call(self, path, data=None, idempotency_key=None):
        attempt = 1
        while True:
            try:
                return self._attempt(path, data, idempotency_key)
            except (GatewayRefusal, NoAnswer) as problem:
                backoff = min(WAIT_MIN * 2 ** (attempt - 1), WAIT_MAX) * random.uniform(0.5, 1)
                wait = max(getattr(problem, "retry_after", None) or 0, backoff)
                if not _is_temporary(problem) or attempt >= self._attempts or wait > WAIT_MAX:
                    raise
            attempt += 1
            self._sleep(wait)

    def _attempt(self, path, data, idempotency_key):
        headers = dict(self._headers)
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self._base + path, data=data, headers=headers)
        try:
            with self._open(request, timeout=self._timeout) as response:
                status, text, answered = response.status, response.read(), response.headers
        except urllib.error.HTTPError as error:
            with error:
                status, text, answered = error.code, error.read(), error.headers
        except OSError as error:
            raise NoAnswer(f"The gateway could not be reached: {error}", idempotency_key) from error
        answer = _parsed(text)
        if status < 300 and answer.get("success") is True:
            return answer["data"]
        if "error" not in answer:
            problem = NoAnswer(f"Something in front of the gateway answered {status}.", idempotency_key)
            problem.is_final = status >= 300 and status not in TEMPORARY
            raise problem
        retry_after = answered.get("Retry-After")
        raise GatewayRefusal(
            status,
            answer["error"],
            answer.get("message"),
            answer.get("details"),
            answered.get("X-Request-Id"),
            int(retry_after) if retry_after and retry_after.isdigit() else None,
        )


def _is_temporary(problem):
    if isinstance(problem, NoAnswer):
        return not getattr(problem, "is_final", False)
    # The upstream's own refusal is final here: whether to send once more is the caller's decision.
    return problem.status in TEMPORARY and problem.code != "CHANNEL_GRAPH_ERROR"


def _parsed(text):
    try:
        answer = json.loads(text)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}
