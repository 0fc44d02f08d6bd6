"""The data of an attempt for hooks: no key, no secret, no content."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Callable, TypeVar

from .errors import GatewayRefusal, NoAnswer

Event = TypeVar("Event")


@dataclass(frozen=True)
class Attempt:
    method: str
    # Below /api/v1/public: "/messages/send".
    path: str
    # Which attempt of its call it is, from 1.
    attempt: int
    # The key of a send; None for the other calls.
    idempotency_key: str | None


@dataclass(frozen=True)
class AttemptEnd(Attempt):
    # In seconds.
    duration: float
    # The status of the answer; None when none came whole.
    status: int | None
    # Names the request in the gateway's log; None when the answer names none.
    request_id: str | None
    # What the attempt ended with; None when it succeeded.
    problem: GatewayRefusal | NoAnswer | None
    # After how many seconds the call is repeated; None when it is not.
    repeat_in: float | None


BeforeAttempt = Callable[[Attempt], object]
AfterAttempt = Callable[[AttemptEnd], object]


def tell(hook: Callable[[Event], object] | None, event: Event) -> None:
    """Calls a hook. Its error is logged: a log that fails must not hide that a message was sent."""
    if hook is None:
        return
    try:
        hook(event)
    except Exception:
        logging.getLogger("waypost").exception("A hook of the Waypost client failed")
