"""What is sent and answered, as the gateway's API document has it at /docs: a test compares the two."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class Message(TypedDict):
    """A message as send and status answer it. The list of statuses is open: expect further values."""

    id: str
    status: str
    channelMessageId: Optional[str]
    failureReason: Optional[str]
    sentAt: Optional[str]
    deliveredAt: Optional[str]
    readAt: Optional[str]
    createdAt: str
    idempotentReplay: bool


class EventContact(TypedDict):
    """A contact, as it was at the event."""

    id: str
    phone: Optional[str]
    userId: Optional[str]
    name: Optional[str]


class EventPreference(TypedDict):
    """What a user wishes: `stop` or `resume`, for a category of messages."""

    category: Optional[str]
    value: Optional[str]


class EventTemplate(TypedDict):
    """A template, as it was at the event."""

    id: str
    name: str
    language: str
    category: str
    status: str


class EventTemplateState(TypedDict):
    status: str
    category: str


class EventQuality(TypedDict):
    previous: Optional[str]
    current: Optional[str]


class EventInbound(TypedDict):
    """A message that a user sent."""

    id: str
    contactId: Optional[str]
    lineId: Optional[str]
    type: str
    text: Optional[str]
    receivedAt: str


class EventChannel(TypedDict):
    id: str


class EventLine(TypedDict):
    id: str
    number: str


class EventAlert(TypedDict):
    """What the upstream platform said, as it came."""

    kind: str
    detail: Dict[str, Any]


class _EventData(TypedDict, total=False):
    """Which of these there are depends on the type of the event."""

    message: Message
    inbound: EventInbound
    contact: EventContact
    changed: List[str]
    preference: EventPreference
    channel: EventChannel
    line: Optional[EventLine]
    alert: EventAlert
    template: EventTemplate
    previous: EventTemplateState
    quality: EventQuality


class Event(TypedDict):
    """What happened in a workspace. The list of types is open: ignore those that you do not know."""

    id: str
    type: str
    timestamp: str
    sequence: Optional[int]
    data: _EventData


class SharedVariable(TypedDict):
    """One key that fills several places of a template."""

    variable: str
    places: List[str]


class Template(TypedDict):
    """An approved template in one language, with the keys that a send fills."""

    id: str
    name: str
    language: str
    category: str
    status: str
    components: List[Dict[str, Any]]
    variables: List[str]
    sendableWith: Literal["templateVariables", "templateComponents"]
    needsComponents: List[str]
    sharedVariables: List[SharedVariable]
    # Only values come. The type has all optional fields of a send: mypy --strict spreads nothing else into one.
    exampleValues: Optional[_TemplateValues]
    phoneNumberIds: List[str]
    updatedAt: str


class _Send(TypedDict, total=False):
    """What every send may have. One of `phone` and `contactId` must be there."""

    phone: str
    contactId: str
    phoneNumberId: str
    idempotencyKey: str
    revalidateFlowSession: bool


class TextSend(_Send):
    type: Literal["text"]
    content: str


class InteractiveSend(_Send):
    """`content` is the JSON text of the payload."""

    type: Literal["interactive"]
    content: str


class _CardMedia(TypedDict, total=False):
    link: str
    id: str


class CardHeader(_CardMedia):
    """The media of a card: either `link` or `id` must be there."""

    format: str


class _CardButtonText(TypedDict, total=False):
    text: str
    payload: str


class CardButtonParameters(_CardButtonText):
    type: str


class CardButtonValue(TypedDict):
    index: int
    sub_type: str
    parameters: CardButtonParameters


class _CardValues(TypedDict, total=False):
    bodyValues: Dict[str, str]
    buttonValues: List[CardButtonValue]
    header: CardHeader


class CarouselCard(_CardValues):
    index: int


class Carousel(TypedDict):
    cards: List[CarouselCard]


class _TemplateValues(_Send, total=False):
    templateLanguage: str
    templateVariables: Dict[str, str]
    templateComponents: List[Dict[str, Any]]
    bodyParameters: Dict[str, str]
    carousel: Carousel


class TemplateSend(_TemplateValues):
    """At least one kind of values must be there: `"templateVariables": {}` for a template without variables."""

    type: Literal["template"]
    templateName: str


SendBody = Union[TextSend, TemplateSend, InteractiveSend]
