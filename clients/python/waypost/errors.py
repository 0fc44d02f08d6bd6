from __future__ import annotations

from typing import Any, Literal

from .types import Message


# What is wrong with a request that no endpoint of the gateway has made for you, or not now.
WebhookProblem = Literal[
    "HEADER_MISSING", "TIMESTAMP_INVALID", "TOO_OLD", "TOO_NEW", "NO_SIGNATURE_MATCHES", "NOT_AN_EVENT"
]


class _Picklable(Exception):
    """Keeps its fields in pickle and copy, as when it leaves a worker of multiprocessing. Otherwise an exception is made
    anew of its text alone, and the classes below cannot be made of that."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_anew, (type(self), self.args), self.__dict__


def _made_anew(kind: type[_Picklable], args: tuple[Any, ...]) -> _Picklable:
    return kind.__new__(kind, *args)


class GatewayRefusal(_Picklable):
    """The gateway answered with a refusal; `code` is its stable error code."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        details: Any,
        request_id: str | None,
        retry_after: int | None,
        idempotency_key: str | None,
    ) -> None:
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


class NoAnswer(_Picklable):
    """No whole answer of the gateway came: it could not be reached, took too long, or what came was cut, garbled or
    from something in front of it. A send may have been accepted all the same: call again with the same
    `idempotency_key` to find out without sending twice."""

    def __init__(self, message: str, idempotency_key: str | None, retry_after: int | None = None) -> None:
        super().__init__(message)
        # The key that a send was made with; None for the other calls.
        self.idempotency_key = idempotency_key
        # Seconds to wait before another try, when something in front of the gateway says so.
        self.retry_after = retry_after


class MessageFailed(_Picklable):
    """wait_for met a message that failed, which a late delivery can still correct, or was cancelled."""

    def __init__(self, failed: Message) -> None:
        why = f"failed: {failed['failureReason'] or 'no reason was given'}"
        super().__init__(f"The message {failed['id']} {'was cancelled' if failed['status'] == 'CANCELLED' else why}")
        self.failed = failed


class WaitTimeout(_Picklable):
    """A wait ran out of time; `last` is a message that it still waited for, as it stood. It may still be delivered."""

    def __init__(self, last: Message, timeout: float) -> None:
        super().__init__(f"The message {last['id']} is {last['status']} after {timeout} s")
        self.last = last


class WebhookNotVerified(_Picklable):
    """A request is not to be trusted: answer it with 400, and do nothing of what it says. `code` says what is wrong."""

    def __init__(self, code: WebhookProblem, message: str) -> None:
        super().__init__(message)
        self.code = code
