from __future__ import annotations

from typing import Callable, Dict, Iterable, Iterator, List, Literal, Optional, TypedDict

from .errors import GatewayRefusal, MessageFailed, WaitTimeout
from .types import Event, InboundMessage, Message

WaitedStatus = Literal["QUEUED", "SENT", "DELIVERED", "READ"]

# Of one request that waits for events, in seconds; a client with a shorter time limit waits half of it.
EVENT_WAIT_DEFAULT = 20
# Of a whole wait, in seconds.
WAIT_TIMEOUT_DEFAULT = 120.0
# Between two polls, in seconds; each gap is 1.5 times the previous one. A gateway allows 100 requests in 15 minutes for
# an address unless it is set otherwise.
GAP_MIN = 1.0
GAP_MAX = 30.0
GAP_GROWTH = 1.5
# What can be waited for. A status that is not named here (UNKNOWN, FAILED) is as far as QUEUED, but for those of a
# message that has not begun to leave.
RANK = {"QUEUED": 0, "SENT": 1, "DELIVERED": 2, "READ": 3}


class EventPage(TypedDict):
    """Events, and the position behind them, to give as `after`; None while there is none. At the end it equals the `after`
    given."""

    events: List[Event]
    next: Optional[str]


class InboundPage(TypedDict):
    """Messages of users, and the position behind them, as that of events."""

    messages: List[InboundMessage]
    next: Optional[str]


class MessagePage(TypedDict):
    messages: List[Message]
    # As that of events.
    next: Optional[str]


def has_reached(wanted: WaitedStatus) -> Callable[[Message], bool]:
    """Whether a message has the status, or a later one. Raises MessageFailed for one that failed or was cancelled, and
    ValueError for a status that cannot be waited for."""
    if wanted not in RANK:
        raise ValueError(f"status: wait for one of {', '.join(RANK)}, not {wanted!r}")

    def reached(message: Message) -> bool:
        is_before = message["status"] in ("SCHEDULED", "CANCELLED")
        if not is_before and RANK.get(message["status"], 0) >= RANK[wanted]:
            return True
        if message["status"] in ("FAILED", "CANCELLED"):
            raise MessageFailed(message)
        return False

    return reached


def is_final(message: Message) -> bool:
    """Whether nothing is left to wait for: whether a message that was delivered is read depends on its reader."""
    return message["status"] in ("DELIVERED", "READ", "FAILED", "CANCELLED")


def watch(
    look: Callable[[str], Message],
    message_ids: Iterable[str],
    is_done: Callable[[Message], bool],
    timeout: float,
    sleep: Callable[[float], object],
    now: Callable[[], float],
) -> Iterator[Message]:
    """Polls messages in turns, and yields each when it is done. Raises WaitTimeout when the time is over."""
    until = now() + timeout
    still = list(dict.fromkeys(message_ids))
    seen: Dict[str, Message] = {}

    def look_in_time(message_id: str) -> Message:
        """When the limit of requests is reached, the message is still processed."""
        while True:
            try:
                return look(message_id)
            except GatewayRefusal as refusal:
                if refusal.retry_after is None:
                    raise
                if now() + refusal.retry_after > until:
                    if message_id not in seen:
                        raise
                    raise WaitTimeout(seen[message_id], timeout) from refusal
                sleep(refusal.retry_after)

    gap = GAP_MIN
    while True:
        for message_id in list(still):
            message = seen[message_id] = look_in_time(message_id)
            if is_done(message):
                still.remove(message_id)
                yield message
        if not still:
            return
        left = until - now()
        if left <= 0:
            raise WaitTimeout(seen[still[0]], timeout)
        sleep(min(gap, left))
        gap = min(gap * GAP_GROWTH, GAP_MAX)
