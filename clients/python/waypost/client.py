from __future__ import annotations

import json
import os
import re
import ssl
import time
import urllib.parse
import uuid
from datetime import datetime
from typing import TYPE_CHECKING, Callable, Dict, Iterable, Iterator, List, Literal, Mapping, Optional, TypedDict, TypeVar, cast

from .errors import GatewayRefusal
from .hooks import AfterAttempt, BeforeAttempt
from .media import Media, range_header
from .transport import Call, Connection, opener
from .types import (
    Contact,
    ContactFilter,
    Event,
    EventFilter,
    EventType,
    InboundFilter,
    InboundMessage,
    Line,
    Message,
    MessageCheck,
    MessageFilter,
    ReadMark,
    SendBody,
    Template,
    UploadedMedia,
)
from .upload import Form, Source
from .wait import (
    EVENT_WAIT_DEFAULT,
    WAIT_TIMEOUT_DEFAULT,
    EventPage,
    InboundPage,
    MessagePage,
    WaitedStatus,
    has_reached,
    is_final,
    watch,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

# Of one attempt with its whole answer, in seconds. The gateway answers a send within 10 seconds by default.
TIMEOUT_DEFAULT = 30.0
# Attempts of one call, the first included.
ATTEMPTS_DEFAULT = 4
# In seconds: as long as the gateway takes for a file.
UPLOAD_TIMEOUT_DEFAULT = 300.0
# In seconds: a socket counts milliseconds, and holds no more of them.
TIMEOUT_MAX = 2_147_483
# With the longest waits between them they take a working day: more is a mistake.
ATTEMPTS_MAX = 1_000
# http or https, a host, perhaps a port and a path; nothing that must be encoded.
ADDRESS = re.compile(r"https?://([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?(/[!-~]*)?", re.ASCII | re.IGNORECASE)

Data = TypeVar("Data")


class Options(TypedDict, total=False):
    """The options of a client besides its address and key, as the constructor explains them."""

    timeout: float
    attempts: int
    context: Optional[ssl.SSLContext]
    before_attempt: Optional[BeforeAttempt]
    after_attempt: Optional[AfterAttempt]
    sleep: Callable[[float], object]
    now: Callable[[], float]


class Client:
    """Talks to the gateway at `url`. `timeout` is that of one attempt in seconds, `attempts` those of one call, `context`
    an `ssl.SSLContext` for a certificate of your own. `before_attempt` and `after_attempt` are called for each attempt,
    for logs, metrics and traces: what they return or raise changes no call. Raises ValueError for what can be no address,
    key, time limit or number of attempts, as each call does."""

    def __init__(
        self,
        url: str,
        api_key: str,
        api_secret: str,
        *,
        timeout: float = TIMEOUT_DEFAULT,
        attempts: int = ATTEMPTS_DEFAULT,
        context: ssl.SSLContext | None = None,
        before_attempt: BeforeAttempt | None = None,
        after_attempt: AfterAttempt | None = None,
        sleep: Callable[[float], object] = time.sleep,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        base = _address(url) + "/api/v1/public"
        headers = {"apiKey": _credential("api_key", api_key), "apiSecret": _credential("api_secret", api_secret)}
        self._connection = Connection(base, headers, opener(context), before_attempt, after_attempt, sleep, now)
        self._timeout = _time_limit(timeout)
        self._attempts = _attempt_limit(attempts)

    @classmethod
    def from_environment(cls, **options: Unpack[Options]) -> Client:
        """Makes a client of WAYPOST_URL, WAYPOST_API_KEY and WAYPOST_API_SECRET. Raises ValueError that names those which
        are missing."""
        names = ("WAYPOST_URL", "WAYPOST_API_KEY", "WAYPOST_API_SECRET")
        url, api_key, api_secret = (os.environ.get(name, "") for name in names)
        missing = [name for name in names if not os.environ.get(name)]
        if missing:
            raise ValueError(f"{', '.join(missing)}: not set in the environment")
        return cls(url, api_key, api_secret, **options)

    def send(self, body: SendBody, *, timeout: float | None = None, attempts: int | None = None) -> Message:
        """Sends a message and returns it. Without an `idempotencyKey` it gets a new one; give your own (an order's
        number, say) when the same send may be asked for again by another process or after a restart.

        `timeout` is that of one attempt: with `attempts=1`, of the whole call. Status `UNKNOWN` means that the upstream's
        answer was lost: do not send it again, its status settles later. Raises GatewayRefusal and NoAnswer.
        """
        key = body.get("idempotencyKey")
        if key is None:
            key = str(uuid.uuid4())
        data = json.dumps({**body, "idempotencyKey": key}).encode()
        return self._call("/messages/send", _message, timeout, attempts, data, key)

    def check(self, body: SendBody, *, timeout: float | None = None, attempts: int | None = None) -> MessageCheck:
        """Returns what would become of a send: nothing is sent, and no file uploaded."""
        return self._call("/messages/check", _check, timeout, attempts, json.dumps(body).encode())

    def status(
        self,
        message_id: str,
        *,
        wait: int | None = None,
        wait_for: Literal["SENT", "DELIVERED", "READ"] | None = None,
        timeout: float | None = None,
        attempts: int | None = None,
    ) -> Message:
        """Returns the message as it stands now; with `wait` (seconds, 0 to 25) as soon as it has the status `wait_for`
        (DELIVERED), or as it stands after so many seconds."""
        path = _path("/messages/" + _id(message_id), {"wait": wait, "for": wait_for})
        return self._call(path, _message, timeout, attempts)

    def cancel(self, message_id: str, *, timeout: float | None = None, attempts: int | None = None) -> Message:
        """Takes back a message that waits for its time (`sendAt`), so that it is never sent, and returns it. Raises
        GatewayRefusal (CONFLICT) when it does not wait any more."""
        path = "/messages/" + _id(message_id)
        try:
            return self._call(path, _message, timeout, attempts, method="DELETE")
        except GatewayRefusal as refusal:
            # The answer to an earlier attempt may have been lost.
            if refusal.code == "CONFLICT":
                message = self.status(message_id, timeout=timeout, attempts=attempts)
                if message["status"] == "CANCELLED":
                    return message
            raise

    def reschedule(
        self,
        message_id: str,
        send_at: str | datetime,
        *,
        timeout: float | None = None,
        attempts: int | None = None,
    ) -> Message:
        """Moves a message that waits for its time to another one, 1 minute to 35 days ahead: a text with its offset from
        UTC, or a datetime with its time zone. Raises GatewayRefusal (CONFLICT) when it does not wait any more."""
        at = send_at if isinstance(send_at, str) else send_at.isoformat()
        body = json.dumps({"sendAt": at}).encode()
        return self._call("/messages/" + _id(message_id), _message, timeout, attempts, body, method="PATCH")

    def templates(
        self,
        name: str | None = None,
        language: str | None = None,
        *,
        timeout: float | None = None,
        attempts: int | None = None,
    ) -> List[Template]:
        """Returns every approved template, or those of a name and language; there are no pages."""
        path = _path("/templates", {"name": name, "language": language})
        return self._call(path, _templates, timeout, attempts)

    def event_page(
        self,
        after: str | None = None,
        types: EventType | Iterable[EventType] = (),
        limit: int | None = None,
        wait: int | None = None,
        *,
        timeout: float | None = None,
        attempts: int | None = None,
        **filters: Unpack[EventFilter],
    ) -> EventPage:
        """Returns what happened in the workspace, each event once, in the order in which it was stored. Keep `next` when
        you have done what a page asks for, and give it as `after`: nothing is missed, also after a restart. With `wait`
        (seconds, 0 to 25) the answer comes as soon as there is an event."""
        names = types if isinstance(types, str) else list(types)
        query = {"after": after, "type": names, "limit": limit, "wait": wait, **filters}
        return self._call(_path("/events", query), _events, timeout, attempts)

    def events(
        self, after: str | None = None, types: EventType | Iterable[EventType] = (), **filters: Unpack[EventFilter]
    ) -> Iterator[Event]:
        """Follows the events for good, and waits for further ones, also while the limit of requests is reached. It begins
        after `after`, else with the oldest that is kept; keep the id of the last event that you are done with."""
        names = types if isinstance(types, str) else list(types)
        wait = max(1, min(EVENT_WAIT_DEFAULT, int(self._timeout / 2)))
        while True:
            try:
                page = self.event_page(after, names, wait=wait, **filters)
            except GatewayRefusal as refusal:
                if refusal.retry_after is None:
                    raise
                self._connection.sleep(refusal.retry_after)
                continue
            yield from page["events"]
            after = page["next"]

    def lines(self, *, timeout: float | None = None, attempts: int | None = None) -> List[Line]:
        """Returns the lines of the workspace."""
        return self._call("/lines", _lines, timeout, attempts)

    def message_page(
        self,
        after: str | None = None,
        limit: int | None = None,
        *,
        timeout: float | None = None,
        attempts: int | None = None,
        **filters: Unpack[MessageFilter],
    ) -> MessagePage:
        """Returns one page of what was sent, the newest first unless `order` says otherwise: `after` the `next` of the page
        before, with the same filters."""
        path = _path("/messages", {"after": after, "limit": limit, **filters})
        return self._call(path, _messages, timeout, attempts)

    def messages(self, after: str | None = None, **filters: Unpack[MessageFilter]) -> Iterator[Message]:
        """Gives what was sent until there is no more, page by page."""
        while True:
            page = self.message_page(after, **filters)
            yield from page["messages"]
            if page["next"] in (None, after):
                return
            after = page["next"]

    def inbound_page(
        self,
        after: str | None = None,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        attempts: int | None = None,
        **filters: Unpack[InboundFilter],
    ) -> InboundPage:
        """Returns one page of what users sent, in the order in which it came: `after` the `next` of the page before, or the
        id of the last message that you have seen."""
        path = _path("/inbound", {"after": after, "limit": limit, **filters})
        return self._call(path, _inbound, timeout, attempts)

    def inbound(self, after: str | None = None, **filters: Unpack[InboundFilter]) -> Iterator[InboundMessage]:
        """Gives what users sent until there is no more, page by page."""
        while True:
            page = self.inbound_page(after, **filters)
            yield from page["messages"]
            if page["next"] in (None, after):
                return
            after = page["next"]

    def inbound_message(
        self, inbound_id: str, raw: bool = False, *, timeout: float | None = None, attempts: int | None = None
    ) -> InboundMessage:
        """Returns a message that a user sent; `raw` adds the upstream platform's original."""
        path = _path("/inbound/" + _id(inbound_id), {"raw": raw or None})
        return cast(InboundMessage, self._call(path, _named, timeout, attempts))

    def mark_read(
        self, inbound_id: str, typing: bool = False, *, timeout: float | None = None, attempts: int | None = None
    ) -> ReadMark:
        """Marks a message of a user as read, with every earlier one of the conversation; `typing` also shows that an answer
        is being written. Repeating it does no harm."""
        path = "/inbound/" + _id(inbound_id) + "/read"
        body = json.dumps({"typing": typing}).encode()
        return cast(ReadMark, self._call(path, _named, timeout, attempts, body))

    def media(
        self,
        media_id: str,
        first: int | None = None,
        last: int | None = None,
        *,
        timeout: float | None = None,
        attempts: int | None = None,
    ) -> Media:
        """Fetches a file that a user sent, by the `media.id` of its message, or a part of it: from its byte `first` to
        `last`, both included. It is there once `media.state` is `stored`. `timeout` is that of each read. What breaks off
        is not repeated: ask for the rest by `first`. Raises ValueError for what can be no part."""
        return self._connection.call(
            Call(
                "GET",
                "/media/" + _id(media_id),
                None,
                None,
                lambda _: None,
                self._timeout if timeout is None else _time_limit(timeout),
                self._attempts if attempts is None else _attempt_limit(attempts),
                Media,
                range_header(first, last),
            )
        )

    def upload_media(
        self,
        file: Source,
        file_name: str | None = None,
        *,
        timeout: float = UPLOAD_TIMEOUT_DEFAULT,
        attempts: int | None = None,
    ) -> UploadedMedia:
        """Gives the gateway a file to be sent, by its path or as bytes: its `id` goes into `mediaId` of a send, as often as
        it is wanted. `file_name` is that of a document, as the recipient sees it; left out: the path's. `timeout` is that
        of the whole upload. An upload that is repeated may be kept twice; nothing is sent by it. Raises OSError for a file
        that cannot be read."""
        return cast(UploadedMedia, self._call("/media", _named, timeout, attempts, Form(file, file_name)))

    def contact(self, contact_id: str, *, timeout: float | None = None, attempts: int | None = None) -> Contact:
        """Returns who a contact is, and whether everything may be sent to it."""
        return cast(Contact, self._call("/contacts/" + _id(contact_id), _named, timeout, attempts))

    def find_contact(
        self, *, timeout: float | None = None, attempts: int | None = None, **by: Unpack[ContactFilter]
    ) -> Contact:
        """Returns the contact that has the number or the user id now: `find_contact(phone="+4930123456")`."""
        return cast(Contact, self._call(_path("/contacts", by), _named, timeout, attempts))

    def contact_by_user_id(
        self, user_id: str, *, timeout: float | None = None, attempts: int | None = None
    ) -> Contact:
        """Returns the contact that has the user id of the upstream now."""
        return self.find_contact(user_id=user_id, timeout=timeout, attempts=attempts)

    def contact_by_phone(self, phone: str, *, timeout: float | None = None, attempts: int | None = None) -> Contact:
        """Returns the contact that has the number now."""
        return self.find_contact(phone=phone, timeout=timeout, attempts=attempts)

    def wait_for(self, message_id: str, status: WaitedStatus, timeout: float = WAIT_TIMEOUT_DEFAULT) -> Message:
        """Waits until a message has the status, or a later one: READ fulfils DELIVERED, and every status but SCHEDULED
        QUEUED. Raises MessageFailed, also for one that was cancelled, and WaitTimeout."""
        return next(self._watch([message_id], has_reached(status), timeout))

    def wait_until_final(self, message_id: str, timeout: float = WAIT_TIMEOUT_DEFAULT) -> Message:
        """Waits until a message is DELIVERED, READ, FAILED or CANCELLED. Raises WaitTimeout."""
        return next(self._watch([message_id], is_final, timeout))

    def each_final(self, message_ids: Iterable[str], timeout: float = WAIT_TIMEOUT_DEFAULT) -> Iterator[Message]:
        """Waits for many messages, and gives each when it is DELIVERED, READ, FAILED or CANCELLED. They are looked at
        one after the other, and each look is a request that counts. Raises WaitTimeout."""
        return self._watch(message_ids, is_final, timeout)

    def _watch(
        self, message_ids: Iterable[str], is_done: Callable[[Message], bool], timeout: float
    ) -> Iterator[Message]:
        return watch(
            self.status, message_ids, is_done, _time_limit(timeout), self._connection.sleep, self._connection.now
        )

    def _call(
        self,
        path: str,
        read: Callable[[Mapping[str, object]], Data | None],
        timeout: float | None,
        attempts: int | None,
        body: bytes | Form | None = None,
        idempotency_key: str | None = None,
        method: str | None = None,
    ) -> Data:
        call = Call(
            method or ("GET" if body is None else "POST"),
            path,
            body,
            idempotency_key,
            read,
            self._timeout if timeout is None else _time_limit(timeout),
            self._attempts if attempts is None else _attempt_limit(attempts),
        )
        return self._connection.call(call)


def _message(answer: Mapping[str, object]) -> Message | None:
    data = answer.get("data")
    if not isinstance(data, dict):
        return None
    message = cast(Dict[str, object], data)
    is_message = isinstance(message.get("id"), str) and isinstance(message.get("status"), str)
    return cast(Message, data) if is_message else None


def _check(answer: Mapping[str, object]) -> MessageCheck | None:
    data = answer.get("data")
    is_check = isinstance(data, dict) and isinstance(cast(Dict[str, object], data).get("problems"), list)
    return cast(MessageCheck, data) if is_check else None


def _templates(answer: Mapping[str, object]) -> List[Template] | None:
    data = answer.get("data")
    templates = cast(Dict[str, object], data).get("templates") if isinstance(data, dict) else None
    return cast(List[Template], templates) if isinstance(templates, list) else None


def _messages(answer: Mapping[str, object]) -> MessagePage | None:
    data, following = answer.get("data"), answer.get("next")
    if not isinstance(data, list) or not (following is None or isinstance(following, str)):
        return None
    return {"messages": cast(List[Message], data), "next": following}


def _lines(answer: Mapping[str, object]) -> List[Line] | None:
    data = answer.get("data")
    return cast(List[Line], data) if isinstance(data, list) else None


def _path(path: str, query: Mapping[str, object]) -> str:
    """A path with what the call was given of `query`: one parameter for each value of a list."""
    given = [(_camel(key), _text(value)) for key, value in query.items() if value is not None]
    return f"{path}?{urllib.parse.urlencode(given, doseq=True)}" if given else path


def _id(value: object) -> str:
    # Without it the path is that of a list.
    if not isinstance(value, str) or value == "":
        raise ValueError("id: pass the id of what is meant, as the gateway gave it; it is empty, or no text")
    return urllib.parse.quote(value, safe="")


def _text(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _inbound(answer: Mapping[str, object]) -> InboundPage | None:
    data, following = answer.get("data"), answer.get("next")
    if not isinstance(data, list) or not (following is None or isinstance(following, str)):
        return None
    return {"messages": cast(List[InboundMessage], data), "next": following}


def _named(answer: Mapping[str, object]) -> Mapping[str, object] | None:
    """What has an id."""
    data = answer.get("data")
    if not isinstance(data, dict):
        return None
    named = cast(Dict[str, object], data)
    return named if isinstance(named.get("id"), str) else None


def _events(answer: Mapping[str, object]) -> EventPage | None:
    data, following = answer.get("data"), answer.get("next")
    if not isinstance(data, list) or not (following is None or isinstance(following, str)):
        return None
    return {"events": cast(List[Event], data), "next": following}


def _address(url: object) -> str:
    """The problem is described, not shown: an address may have a password in it."""
    address = url.rstrip("/") if isinstance(url, str) else ""
    match = ADDRESS.fullmatch(address)
    if not match or int((match[2] or ":0")[1:]) > 65535 or re.search("[?#]|/api/v1/public$", address):
        raise ValueError(
            'url: pass the address of the gateway, as in "https://gateway.example.com": http or https, a host, perhaps a '
            "port and a path; no user, password, query or fragment, and without /api/v1/public"
        )
    return address


def _credential(name: str, value: object) -> str:
    # A header cannot hold anything else, and the error of a header would show the secret.
    if not isinstance(value, str) or not re.fullmatch("[!-~]+", value):
        raise ValueError(f"{name}: pass it as it was shown when it was made, without spaces or line ends")
    return value


def _time_limit(timeout: object) -> float:
    if not isinstance(timeout, (int, float)) or not 0 < timeout <= TIMEOUT_MAX:
        raise ValueError(f"timeout: pass seconds, more than 0 and at most {TIMEOUT_MAX}")
    return timeout


def _attempt_limit(attempts: object) -> int:
    if not isinstance(attempts, int) or not 1 <= attempts <= ATTEMPTS_MAX:
        raise ValueError(f"attempts: pass a whole number from 1 to {ATTEMPTS_MAX}")
    return attempts
