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
    username: Optional[str]


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


class EventChannel(TypedDict):
    id: str


class EventLine(TypedDict):
    id: str
    number: str


class EventAlert(TypedDict):
    """What the upstream platform said, as it came."""

    kind: str
    detail: Dict[str, Any]


class EventWebhook(TypedDict):
    """An endpoint that gets nothing any more: it answered 410 (`gone`), or failed for days (`failing`)."""

    id: str
    url: str
    description: Optional[str]
    reason: str
    failingSince: Optional[str]


class _EventData(TypedDict, total=False):
    """Which of these there are depends on the type of the event."""

    message: Message
    inbound: InboundMessage
    contact: EventContact
    changed: List[str]
    preference: EventPreference
    channel: EventChannel
    line: Optional[EventLine]
    alert: EventAlert
    template: EventTemplate
    previous: EventTemplateState
    quality: EventQuality
    webhook: EventWebhook


class Event(TypedDict):
    """What happened in a workspace. The list of types is open: ignore those that you do not know."""

    id: str
    type: str
    timestamp: str
    sequence: Optional[int]
    data: _EventData


class InboundFile(TypedDict):
    """A file that a user sent, as the upstream platform describes it."""

    id: Optional[str]
    mimeType: Optional[str]
    sha256: Optional[str]
    caption: Optional[str]
    fileName: Optional[str]
    voice: bool
    animated: bool


class InboundLocation(TypedDict):
    latitude: Optional[float]
    longitude: Optional[float]
    name: Optional[str]
    address: Optional[str]
    url: Optional[str]


class InboundCard(TypedDict):
    """A contact card."""

    name: Optional[Dict[str, Optional[str]]]
    phones: List[Dict[str, Optional[str]]]
    emails: List[Dict[str, Optional[str]]]
    addresses: List[Dict[str, Optional[str]]]
    urls: List[Dict[str, Optional[str]]]
    org: Optional[Dict[str, Optional[str]]]
    birthday: Optional[str]
    vcard: Optional[str]
    origin: Optional[str]


class InboundReaction(TypedDict):
    """Without an emoji the user took the reaction back."""

    messageId: Optional[str]
    emoji: Optional[str]


class _ProductItem(TypedDict):
    productRetailerId: Optional[str]
    quantity: Optional[float]
    itemPrice: Optional[float]
    currency: Optional[str]


class InboundOrder(TypedDict):
    catalogId: Optional[str]
    text: Optional[str]
    productItems: List[_ProductItem]


class InboundButton(TypedDict):
    """A tap on a template's quick reply."""

    payload: Optional[str]
    text: Optional[str]


class _ButtonReply(TypedDict):
    id: Optional[str]
    title: Optional[str]


class _ListReply(_ButtonReply):
    description: Optional[str]


class _FormReply(TypedDict):
    name: Optional[str]
    body: Optional[str]
    responseJson: Optional[str]
    fields: Optional[Dict[str, Any]]


class _CallPermissionReply(TypedDict):
    response: Optional[str]
    isPermanent: bool
    expirationTimestamp: Optional[str]
    responseSource: Optional[str]


class InboundReply(TypedDict):
    """The answer to an interactive message: one of the replies, as `type` says."""

    type: Optional[str]
    buttonReply: Optional[_ButtonReply]
    listReply: Optional[_ListReply]
    nfmReply: Optional[_FormReply]
    callPermissionReply: Optional[_CallPermissionReply]


class InboundChange(TypedDict):
    """A change of the user."""

    type: Optional[str]
    body: Optional[str]
    waId: Optional[str]
    newWaId: Optional[str]
    userId: Optional[str]
    previousUserId: Optional[str]


class InboundDeletion(TypedDict):
    originalMessageId: Optional[str]


class _UpstreamError(TypedDict):
    code: Optional[float]
    title: Optional[str]
    message: Optional[str]
    details: Optional[str]


class InboundUnsupported(TypedDict):
    """What the upstream platform does not deliver."""

    type: Optional[str]
    errors: List[_UpstreamError]


class _EditedFiles(TypedDict, total=False):
    image: InboundFile
    video: InboundFile
    document: InboundFile


class _EditedMessage(_EditedFiles):
    type: str
    text: str


class InboundEdit(TypedDict):
    """The user changed an earlier message: as it is now."""

    originalMessageId: Optional[str]
    message: Optional[_EditedMessage]


class _Product(TypedDict):
    catalogId: Optional[str]
    productRetailerId: Optional[str]


class InboundReplyTo(TypedDict):
    """What a message answers."""

    channelMessageId: Optional[str]
    author: Optional[str]
    product: Optional[_Product]


class InboundReferral(TypedDict):
    """The ad that a user came from."""

    sourceUrl: Optional[str]
    sourceId: Optional[str]
    sourceType: Optional[str]
    headline: Optional[str]
    body: Optional[str]
    mediaType: Optional[str]
    imageUrl: Optional[str]
    videoUrl: Optional[str]
    thumbnailUrl: Optional[str]
    ctwaClid: Optional[str]
    welcomeMessage: Optional[Dict[str, Optional[str]]]


class _InboundContents(TypedDict, total=False):
    """At most one is there: that of the type. `raw` comes when it is asked for."""

    image: InboundFile
    video: InboundFile
    audio: InboundFile
    document: InboundFile
    sticker: InboundFile
    location: InboundLocation
    contacts: List[InboundCard]
    reaction: InboundReaction
    order: InboundOrder
    button: InboundButton
    interactive: InboundReply
    system: InboundChange
    revoke: InboundDeletion
    unsupported: InboundUnsupported
    edit: InboundEdit
    raw: Optional[Dict[str, Any]]


class InboundMedia(TypedDict):
    """A file that a user sent: `GET /media/{id}` answers it once it is stored."""

    id: str
    state: Literal["pending", "stored", "failed", "expired"]
    mimeType: Optional[str]
    size: Optional[int]
    fileName: Optional[str]


class InboundMessage(_InboundContents):
    """A message that a user sent. The list of types is open; `text` is None once `contentState` is `dropped`."""

    id: str
    contactId: Optional[str]
    phone: Optional[str]
    userId: Optional[str]
    name: Optional[str]
    username: Optional[str]
    lineId: Optional[str]
    groupId: Optional[str]
    type: str
    text: Optional[str]
    media: Optional[InboundMedia]
    replyTo: Optional[InboundReplyTo]
    forwarded: bool
    frequentlyForwarded: bool
    referral: Optional[InboundReferral]
    contentState: Literal["whole", "cut", "dropped"]
    channelMessageId: str
    sentAt: str
    receivedAt: str


class _Preference(TypedDict):
    category: str
    value: str
    at: str


class _LineWindow(TypedDict):
    lineId: str
    open: bool
    expiresAt: Optional[str]


class ContactWindow(TypedDict):
    """Whether everything may be sent to a contact, or templates alone: an estimate."""

    open: bool
    expiresAt: Optional[str]
    lines: List[_LineWindow]


class Contact(TypedDict):
    """A user of the channel, as the workspace knows it now."""

    id: str
    phone: Optional[str]
    name: Optional[str]
    username: Optional[str]
    userId: Optional[str]
    preferences: List[_Preference]
    window: ContactWindow
    createdAt: str
    updatedAt: str


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
