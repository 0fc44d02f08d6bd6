"""What is sent and answered. `bun run client:types` writes this file from the gateway's API document."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class MessageError(TypedDict):
    """A failure in its parts."""

    code: Optional[int]
    """The upstream platform's; null for a failure of this service."""
    title: str
    """What it means, in a few words."""
    details: str
    """The upstream platform's most exact words, or a sentence of this service."""


class Pricing(TypedDict):
    """What the upstream platform says that the message costs."""

    billable: bool
    """Whether it is charged, once it is delivered."""
    type: str
    """`regular` (charged), `free_customer_service`, `free_entry_point`, or `other`."""
    category: str
    """`marketing`, `utility`, `authentication`, `service` and others; `other`: one that Waypost does not know."""
    model: str
    """`PMP`: each message has its price; or `other`."""


class MessageRecipient(TypedDict):
    """Who it was sent to, as far as that is known."""

    phone: Optional[str]
    """`+` and digits. Null: it was sent to a user id."""
    contactId: Optional[str]
    """The contact that the send named."""
    userId: Optional[str]
    """The upstream platform's id of the user. Null: it was sent to a number."""


class Message(TypedDict):
    """A message as it stands now; timestamps are in UTC."""

    id: str
    """The service message id (`msg_…`), for the status endpoint."""
    status: str
    """`SCHEDULED`: waits for `sendAt`. `QUEUED`: stored, not yet answered by the upstream platform. `SENT`: accepted by
    it. `DELIVERED`, `READ`: on the device, opened. `FAILED`: see `failureReason`. `UNKNOWN`: handed over, the answer
    was lost; a later callback settles it and it is never resent. `CANCELLED`: taken back before its time. The list is
    open: expect further values."""
    channelMessageId: Optional[str]
    """The upstream platform's id of the message, once it has accepted the send."""
    failureReason: Optional[str]
    """Null when there is no failure."""
    error: Optional[MessageError]
    """`failureReason` in its parts."""
    pricing: Optional[Pricing]
    sentAt: Optional[str]
    """When the upstream platform accepted the message. Never before `createdAt`."""
    deliveredAt: Optional[str]
    """Null until a delivery callback sets it. In whole seconds, but never before `sentAt`."""
    readAt: Optional[str]
    """Null until a read callback sets it. In whole seconds, but never before `sentAt`."""
    createdAt: str
    """When the send was accepted by this service."""
    sendAt: Optional[str]
    """When it is to be sent: as the send asked, or when quiet hours end; null: at once."""
    type: str
    """As in the send. The list is open: expect further values."""
    templateName: Optional[str]
    """The template's name."""
    reference: Optional[str]
    """The caller's own word for the message."""
    idempotencyKey: Optional[str]
    """The caller's idempotency key."""
    againOf: Optional[str]
    """The message that it repeats: somebody sent that one again in the console."""
    to: MessageRecipient
    lineId: str
    """The line that it is sent from (`line_…`)."""
    idempotentReplay: bool
    """True when this answer replays an earlier send with the same idempotency key."""


class _MessageScheduledEventData(TypedDict):
    message: Message


class MessageScheduledEvent(TypedDict):
    """It waits for its time; again when it was moved to another."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["message.scheduled"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _MessageScheduledEventData


class _MessageReleasedEventData(TypedDict):
    message: Message


class MessageReleasedEvent(TypedDict):
    """Its time has come: it waits for its turn."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["message.released"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _MessageReleasedEventData


class _MessageCancelledEventData(TypedDict):
    message: Message


class MessageCancelledEvent(TypedDict):
    """It was taken back before its time."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["message.cancelled"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _MessageCancelledEventData


class _MessageQueuedEventData(TypedDict):
    message: Message


class MessageQueuedEvent(TypedDict):
    """It was accepted. Recorded only while a webhook names this type."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["message.queued"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _MessageQueuedEventData


class _MessageSentEventData(TypedDict):
    message: Message


class MessageSentEvent(TypedDict):
    """The upstream platform took the message."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["message.sent"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _MessageSentEventData


class _MessageDeliveredEventData(TypedDict):
    message: Message


class MessageDeliveredEvent(TypedDict):
    """It is on the device."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["message.delivered"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _MessageDeliveredEventData


class _MessageReadEventData(TypedDict):
    message: Message


class MessageReadEvent(TypedDict):
    """The user opened it."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["message.read"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _MessageReadEventData


class _MessageFailedEventData(TypedDict):
    message: Message


class MessageFailedEvent(TypedDict):
    """It was refused, or failed later: see `failureReason`."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["message.failed"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _MessageFailedEventData


class _MessageUnknownEventData(TypedDict):
    message: Message


class MessageUnknownEvent(TypedDict):
    """It was handed over and the answer was lost. It is never resent."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["message.unknown"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _MessageUnknownEventData


class InboundFile(TypedDict):
    """A file that a user sent, as the upstream platform describes it."""

    id: Optional[str]
    """The upstream platform's id of the file: 7 days."""
    mimeType: Optional[str]
    """May have parameters: `audio/ogg; codecs=opus`."""
    sha256: Optional[str]
    """In base64 or hexadecimal, as the upstream platform gives it."""
    caption: Optional[str]
    """What the user wrote below it."""
    fileName: Optional[str]
    """Of a document."""
    voice: bool
    """A voice message, recorded in the app."""
    animated: bool
    """A sticker that moves."""


class InboundLocation(TypedDict):
    """A place."""

    latitude: Optional[float]
    """Decimal degrees."""
    longitude: Optional[float]
    """Decimal degrees."""
    name: Optional[str]
    address: Optional[str]
    url: Optional[str]


class _InboundCardName(TypedDict):
    formattedName: Optional[str]
    firstName: Optional[str]
    middleName: Optional[str]
    lastName: Optional[str]
    prefix: Optional[str]
    suffix: Optional[str]


class _InboundCardPhones(TypedDict):
    phone: Optional[str]
    waId: Optional[str]
    """Its digits, if the channel has it."""
    type: Optional[str]


class _InboundCardEmails(TypedDict):
    email: Optional[str]
    type: Optional[str]


class _InboundCardAddresses(TypedDict):
    street: Optional[str]
    city: Optional[str]
    state: Optional[str]
    zip: Optional[str]
    country: Optional[str]
    countryCode: Optional[str]
    type: Optional[str]


class _InboundCardUrls(TypedDict):
    url: Optional[str]
    type: Optional[str]


class _InboundCardOrg(TypedDict):
    company: Optional[str]
    department: Optional[str]
    title: Optional[str]


class InboundCard(TypedDict):
    """A contact card; also the answer to a request for the number."""

    name: Optional[_InboundCardName]
    phones: List[_InboundCardPhones]
    emails: List[_InboundCardEmails]
    addresses: List[_InboundCardAddresses]
    urls: List[_InboundCardUrls]
    org: Optional[_InboundCardOrg]
    birthday: Optional[str]
    """`YYYY-MM-DD`."""
    vcard: Optional[str]
    origin: Optional[str]
    """How it was shared."""


class InboundReaction(TypedDict):
    """A reaction to a message."""

    messageId: Optional[str]
    """The upstream platform's id of the message that it is for."""
    emoji: Optional[str]
    """Null: the user took the reaction back."""


class _InboundOrderProductItems(TypedDict):
    productRetailerId: Optional[str]
    quantity: Optional[float]
    itemPrice: Optional[float]
    currency: Optional[str]


class InboundOrder(TypedDict):
    """Products that the user wants to buy."""

    catalogId: Optional[str]
    text: Optional[str]
    """What the user wrote with it."""
    productItems: List[_InboundOrderProductItems]


class InboundButton(TypedDict):
    """A tap on a template's quick reply."""

    payload: Optional[str]
    """What the send gave the button."""
    text: Optional[str]
    """Its label."""


class _InboundReplyButtonReply(TypedDict):
    id: Optional[str]
    title: Optional[str]


class _InboundReplyListReply(TypedDict):
    id: Optional[str]
    title: Optional[str]
    description: Optional[str]


class _InboundReplyNfmReply(TypedDict):
    name: Optional[str]
    """`flow`, `address_message`; be ready for more."""
    body: Optional[str]
    responseJson: Optional[str]
    """The answers in the upstream platform's JSON text. It may be no object, or not readable."""
    fields: Optional[Dict[str, Any]]
    """The answers, read from `responseJson`; null when that is no object, or nested very deeply. Each file that the
    user sent with the form has our id in `mediaId`, beside the upstream platform's."""


class _InboundReplyCallPermissionReply(TypedDict):
    response: Optional[str]
    """`accept` or `reject`."""
    isPermanent: bool
    expirationTimestamp: Optional[str]
    """Until when calls are allowed."""
    responseSource: Optional[str]


class InboundReply(TypedDict):
    """The answer to an interactive message: one of the replies, as `type` says."""

    type: Optional[str]
    """`button_reply`, `list_reply`, `nfm_reply`, `call_permission_reply`; be ready for more."""
    buttonReply: Optional[_InboundReplyButtonReply]
    """The button that was tapped."""
    listReply: Optional[_InboundReplyListReply]
    """The row that was chosen."""
    nfmReply: Optional[_InboundReplyNfmReply]
    """The form that was filled in."""
    callPermissionReply: Optional[_InboundReplyCallPermissionReply]
    """Whether the user may be called."""


class InboundChange(TypedDict):
    """A change of the user."""

    type: Optional[str]
    """`user_changed_number`, `user_changed_user_id`, `customer_identity_changed`; be ready for more."""
    body: Optional[str]
    waId: Optional[str]
    """The digits of the new number."""
    newWaId: Optional[str]
    """The same, of some versions."""
    userId: Optional[str]
    """The new user id."""
    previousUserId: Optional[str]


class InboundDeletion(TypedDict):
    """The user deleted an earlier message."""

    originalMessageId: Optional[str]
    """The upstream platform's id of the message that the user deleted."""


class _InboundUnsupportedErrors(TypedDict):
    code: Optional[float]
    title: Optional[str]
    message: Optional[str]
    details: Optional[str]


class InboundUnsupported(TypedDict):
    """What the upstream platform does not deliver. No failure of a send."""

    type: Optional[str]
    """What it was: `edit`, `poll` …"""
    errors: List[_InboundUnsupportedErrors]


class _InboundEditMessageOptional(TypedDict, total=False):
    image: InboundFile
    video: InboundFile
    document: InboundFile


class _InboundEditMessage(_InboundEditMessageOptional):
    type: str
    text: str


class InboundEdit(TypedDict):
    """The user changed an earlier message."""

    originalMessageId: Optional[str]
    """The upstream platform's id of the message that the user changed."""
    message: Optional[_InboundEditMessage]
    """The message as it is now."""


class InboundMedia(TypedDict):
    """A file that a user sent."""

    id: str
    """The service id of the file (`media_…`): `GET /media/{id}` answers it once it is stored."""
    state: Literal["pending", "stored", "failed", "expired"]
    """`pending`: still to be fetched, within minutes as a rule. `stored`. `failed`: the upstream platform refuses it,
    or it is too large, or not what it should be. `expired`: it could not be fetched in seven days, or is not kept any
    more."""
    mimeType: Optional[str]
    """As its bytes show, once it is stored; before, as the upstream platform says."""
    size: Optional[int]
    """In bytes. Null until it is stored."""
    fileName: Optional[str]
    """That of a document, as the user named it."""


class _InboundReplyToProduct(TypedDict):
    catalogId: Optional[str]
    productRetailerId: Optional[str]


class InboundReplyTo(TypedDict):
    """What the message answers."""

    channelMessageId: Optional[str]
    """The upstream platform's id of the message that is answered: that of a send, say."""
    author: Optional[str]
    """Who wrote that, by the upstream platform: the digits of a number, that of the line for a send."""
    product: Optional[_InboundReplyToProduct]
    """The product that the user asks about."""


class _InboundMessageEdited(TypedDict):
    id: str
    """The message by which the user did it."""
    sentAt: str
    """When the user did it, by the upstream platform."""
    text: Optional[str]


class _InboundMessageDeleted(TypedDict):
    id: str
    """The message by which the user did it."""
    sentAt: str
    """When the user did it, by the upstream platform."""


class _InboundReferralWelcomeMessage(TypedDict):
    text: Optional[str]


class InboundReferral(TypedDict):
    """The ad that the user came from."""

    sourceUrl: Optional[str]
    sourceId: Optional[str]
    sourceType: Optional[str]
    """`ad` or `post`."""
    headline: Optional[str]
    body: Optional[str]
    mediaType: Optional[str]
    imageUrl: Optional[str]
    videoUrl: Optional[str]
    thumbnailUrl: Optional[str]
    ctwaClid: Optional[str]
    """The id of the click. Ads in a status have none."""
    welcomeMessage: Optional[_InboundReferralWelcomeMessage]


class _InboundMessageOptional(TypedDict, total=False):
    image: InboundFile
    video: InboundFile
    audio: InboundFile
    document: InboundFile
    sticker: InboundFile
    location: InboundLocation
    contacts: List[InboundCard]
    """The contact cards."""
    reaction: InboundReaction
    order: InboundOrder
    button: InboundButton
    interactive: InboundReply
    system: InboundChange
    revoke: InboundDeletion
    unsupported: InboundUnsupported
    edit: InboundEdit
    raw: Optional[Dict[str, Any]]
    """With `raw=true`: the message as the upstream platform sent it. Null when it is not kept any more."""


class InboundMessage(_InboundMessageOptional):
    """A message that a user sent."""

    id: str
    """The service id of the message (`inb_…`), for `after` and for marking it as read."""
    contactId: Optional[str]
    """Who wrote. Null when the message names nobody."""
    phone: Optional[str]
    """The number of the contact as it is now: `+` and digits."""
    userId: Optional[str]
    """The upstream platform's id of the contact's user, as it is now."""
    name: Optional[str]
    """The name of the contact as it is now."""
    username: Optional[str]
    """Without its `@`. Null when the user has none, or is not known by one. Users change it, and others may take it
    then: nothing can be sent to it."""
    lineId: Optional[str]
    """The line that it came to."""
    groupId: Optional[str]
    """The upstream platform's id of the group that it was written in, which others read too. Null: it was written to
    you alone."""
    type: str
    """`text`, or the field that has the content: `image`, `interactive` … The list is open: be ready for further
    values. A type that this service does not know has `text` alone, and the original."""
    text: Optional[str]
    """What was written, else what came, in short words. Its wording may change. Null when the content is not kept any
    more."""
    media: Optional[InboundMedia]
    """The file that it brought. Null when it brought none, or when it was erased."""
    replyTo: Optional[InboundReplyTo]
    """Null when it answers nothing."""
    forwarded: bool
    """The user forwarded it."""
    frequentlyForwarded: bool
    """It was forwarded, and had been many times before."""
    edited: Optional[_InboundMessageEdited]
    """The last edit, where the user changed this message later: `text` above is as it was written first. Null when it
    was not changed, or when the edit is not kept any more."""
    deleted: Optional[_InboundMessageDeleted]
    """Set when the user deleted this message later."""
    referral: Optional[InboundReferral]
    """Null unless the user came through an ad."""
    contentState: Literal["whole", "cut", "dropped"]
    """`whole`. `cut`: too long to be kept; the original has its beginning. `dropped`: not kept any more, or deleted by
    the user where the workspace hides that. `type` stays; `text` is null, and there is no content."""
    channelMessageId: str
    """The upstream platform's id of the message. A digest when it had none, or was erased."""
    sentAt: str
    """When the user sent it, by the upstream platform, in whole seconds."""
    receivedAt: str
    """When this service got it."""


class _MessageReceivedEventData(TypedDict):
    inbound: InboundMessage


class MessageReceivedEvent(TypedDict):
    """A user wrote, pressed a button or answered a form."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["message.received"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _MessageReceivedEventData


class EventChannel(TypedDict):
    """A connected account."""

    id: str
    """`chan_…`"""


class EventLine(TypedDict):
    """A line, as it was at the event."""

    id: str
    """`line_…`"""
    number: str
    """`+` and digits."""


class EventPayment(TypedDict):
    """What the upstream platform says of a payment."""

    status: Literal["pending", "captured", "failed"]
    referenceId: Optional[str]
    """That of the order, as your side gave it."""
    amount: Optional[Dict[str, Any]]
    """As it came: `value` divided by `offset` is the amount in its currency."""
    currency: Optional[str]
    """As `INR`."""
    detail: Dict[str, Any]
    """Its `payment` as it came, with the `transaction`, but without who pays; of a long one `cut`."""


class _PaymentPendingEventDataOptional(TypedDict, total=False):
    message: Message


class _PaymentPendingEventData(_PaymentPendingEventDataOptional):
    channel: EventChannel
    line: Optional[EventLine]
    payment: EventPayment


class PaymentPendingEvent(TypedDict):
    """The user tried to pay, and the outcome is open."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["payment.pending"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _PaymentPendingEventData


class _PaymentCapturedEventDataOptional(TypedDict, total=False):
    message: Message


class _PaymentCapturedEventData(_PaymentCapturedEventDataOptional):
    channel: EventChannel
    line: Optional[EventLine]
    payment: EventPayment


class PaymentCapturedEvent(TypedDict):
    """The payment succeeded."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["payment.captured"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _PaymentCapturedEventData


class _PaymentFailedEventDataOptional(TypedDict, total=False):
    message: Message


class _PaymentFailedEventData(_PaymentFailedEventDataOptional):
    channel: EventChannel
    line: Optional[EventLine]
    payment: EventPayment


class PaymentFailedEvent(TypedDict):
    """The payment failed. The message did not."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["payment.failed"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _PaymentFailedEventData


class EventContact(TypedDict):
    """A contact of the workspace, as it was at the event."""

    id: str
    """`contact_…`"""
    phone: Optional[str]
    """`+` and digits. Null for a user who is known by the user id alone."""
    userId: Optional[str]
    """The upstream platform's id of the user for this business."""
    name: Optional[str]
    """As the user or your side named it last."""
    username: Optional[str]
    """Without its `@`. Null when the user has none, or is not known by one. Users change it, and others may take it
    then: nothing can be sent to it."""


class _ContactUpdatedEventData(TypedDict):
    contact: EventContact
    changed: List[str]
    """Which of `phone`, `userId`, `name`, `username` changed."""


class ContactUpdatedEvent(TypedDict):
    """The number, the user id or the name of a contact is another one."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["contact.updated"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _ContactUpdatedEventData


class PreferenceSource(TypedDict):
    """By which way it came."""

    kind: Literal["platform", "word", "member", "key", "operator"]
    """`platform`: the user said it to the upstream platform. `word`: by a word to this workspace. `member`: somebody in
    the console. `key`: an API key. `operator`: who runs the gateway."""
    word: Optional[str]
    """The word, as the workspace has it."""
    by: Optional[str]
    """The name of the member, else its address; or the id of the API key."""


class EventPreference(TypedDict):
    """What the user wishes."""

    category: Optional[str]
    """Of messages; so far `marketing_messages`."""
    value: Optional[str]
    """`stop` or `resume`."""
    detail: Optional[str]
    """The upstream platform's sentence about it."""
    source: PreferenceSource


class _ContactPreferenceChangedEventData(TypedDict):
    contact: EventContact
    preference: EventPreference


class ContactPreferenceChangedEvent(TypedDict):
    """A user wants no marketing messages any more, or wants them again: see its `source`."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["contact.preference_changed"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _ContactPreferenceChangedEventData


class EventTemplate(TypedDict):
    """A template, as it was at the event."""

    id: str
    """`tpl_…`"""
    name: str
    language: str
    category: str
    status: str
    """Only `APPROVED` can be sent."""


class EventTemplateState(TypedDict):
    """What it was before."""

    status: str
    category: str


class _TemplateUpdatedEventData(TypedDict):
    channel: EventChannel
    template: EventTemplate
    previous: EventTemplateState
    reason: Optional[str]
    """Why, in the upstream platform's word, as `INVALID_FORMAT`. Null: it gave none."""
    recommendation: Optional[str]
    """Its sentence: what to do, or what happened. It comes with callbacks alone."""


class TemplateUpdatedEvent(TypedDict):
    """The status or the category of a template is another one."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["template.updated"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _TemplateUpdatedEventData


class EventQuality(TypedDict):
    """The upstream platform's words: `GREEN`, `YELLOW`, `RED`, `UNKNOWN`."""

    previous: Optional[str]
    """Null when it did not say."""
    current: Optional[str]
    """Null when it did not say."""


class _TemplateQualityChangedEventData(TypedDict):
    template: EventTemplate
    quality: EventQuality


class TemplateQualityChangedEvent(TypedDict):
    """The upstream platform rates a template otherwise."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["template.quality_changed"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _TemplateQualityChangedEventData


class EventAlert(TypedDict):
    """What the upstream platform said."""

    kind: str
    """Its field, with its event where it has one."""
    detail: Dict[str, Any]
    """As it came; of a long one `cut`, its beginning. Empty where this service has no place for it: it may be about
    people."""


class _TemplateReportedEventDataOptional(TypedDict, total=False):
    template: EventTemplate


class _TemplateReportedEventData(_TemplateReportedEventDataOptional):
    report: EventAlert


class TemplateReportedEvent(TypedDict):
    """The upstream platform says something of a template, also what was known: it was approved, paused, flagged.
    Recorded only while a webhook names this type."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["template.reported"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _TemplateReportedEventData


class _ChannelAlertEventData(TypedDict):
    channel: EventChannel
    line: Optional[EventLine]
    alert: EventAlert


class ChannelAlertEvent(TypedDict):
    """The upstream platform says something of the account or of a line: a restriction, a limit, a review; or something
    that this service has no place for: a call, a chat that its own agent answers."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["channel.alert"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _ChannelAlertEventData


class EventWebhook(TypedDict):
    """An endpoint that gets events, as it was when it was switched off."""

    id: str
    """`hook_…`"""
    url: str
    """Without its query, which may be a secret."""
    description: Optional[str]
    """As your side wrote it."""
    reason: Literal["gone", "failing"]
    """`gone`: it answered 410. `failing`: no attempt has worked for five days."""
    failingSince: Optional[str]
    """The first failure after the last success."""


class _WebhookDisabledEventData(TypedDict):
    webhook: EventWebhook


class WebhookDisabledEvent(TypedDict):
    """An endpoint gets nothing any more until somebody switches it on: it answered 410, or failed for five days."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["webhook.disabled"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _WebhookDisabledEventData


class EventBatch(TypedDict):
    """A batch, as it was at the event."""

    id: str
    """`batch_…`"""
    name: Optional[str]
    """As your side named it."""
    state: Literal["draft", "scheduled", "running", "paused", "done", "cancelled"]


class EventBatchCounts(TypedDict):
    """Its items."""

    total: int
    waiting: int
    """They are still to become messages."""
    messages: int
    """They became messages, whatever became of these."""
    failed: int
    """They were refused, so there is no message."""
    skipped: int
    """They were left out."""
    cancelled: int
    """They never become messages."""


class EventBatchReason(TypedDict):
    """Why it is paused."""

    code: str
    """A word for programs: `template`, `failures` …"""
    message: str
    """A sentence."""


class _BatchStartedEventData(TypedDict):
    batch: EventBatch
    counts: EventBatchCounts
    reason: Optional[EventBatchReason]
    """Null: it is not paused, or somebody has paused it."""


class BatchStartedEvent(TypedDict):
    """Its items become messages from now on."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["batch.started"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _BatchStartedEventData


class _BatchPausedEventData(TypedDict):
    batch: EventBatch
    counts: EventBatchCounts
    reason: Optional[EventBatchReason]
    """Null: it is not paused, or somebody has paused it."""


class BatchPausedEvent(TypedDict):
    """No further item becomes a message until somebody resumes it: it was paused, or paused itself and says why."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["batch.paused"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _BatchPausedEventData


class _BatchDoneEventData(TypedDict):
    batch: EventBatch
    counts: EventBatchCounts
    reason: Optional[EventBatchReason]
    """Null: it is not paused, or somebody has paused it."""


class BatchDoneEvent(TypedDict):
    """Nothing of it waits any more: all became messages, or it was cancelled."""

    id: str
    """`evt_…`. Ids of a workspace sort in the order of the list."""
    type: Literal["batch.done"]
    timestamp: str
    """The event's own time, which may lie before that of an earlier one."""
    sequence: Optional[int]
    """Counts the events of one message; its acceptance is 1. Null when the event is about no message that was sent."""
    data: _BatchDoneEventData


class ReadMark(TypedDict):
    """What the upstream platform was told of a message."""

    id: str
    """The message."""
    read: Literal[True]
    typing: bool
    """Whether the user was shown that an answer is being written."""


class _ContactPreferences(TypedDict):
    category: str
    """`marketing_messages`; be ready for more."""
    value: str
    """`stop` or `resume`; be ready for more."""
    detail: Optional[str]
    """The upstream platform's sentence about it."""
    source: PreferenceSource
    at: str
    """When the user said so."""


class _ContactWindowLines(TypedDict):
    lineId: str
    open: bool
    """Whether everything may be sent; else templates alone."""
    expiresAt: Optional[str]
    """Until when; null when it is not open."""


class ContactWindow(TypedDict):
    """An estimate: 24 hours from the last message of the user that this service got, on the line whose window is open
    for longest. The upstream platform decides."""

    open: bool
    """Whether everything may be sent; else templates alone."""
    expiresAt: Optional[str]
    """Until when; null when it is not open."""
    lines: List[_ContactWindowLines]
    """The same for each active line: a window is open between one line and one user."""


class Contact(TypedDict):
    """A user of the channel, as the workspace knows it."""

    id: str
    """The contact (`contact_…`), for `contactId`."""
    phone: Optional[str]
    """`+` and digits. Null for a user who is known by the user id alone, and for one who was erased."""
    name: Optional[str]
    """As the user calls itself, or as it was entered here."""
    username: Optional[str]
    """Without its `@`. Null when the user has none, or is not known by one. Users change it, and others may take it
    then: nothing can be sent to it."""
    userId: Optional[str]
    """The upstream platform's id of the user for this business."""
    blockedOn: List[str]
    """Lines on which the upstream platform blocks the person: nothing comes from it, and no send arrives."""
    preferences: List[_ContactPreferences]
    """Which messages the user wants, as it told the upstream platform, or this workspace. None: it never said."""
    window: ContactWindow
    createdAt: str
    """When this service first knew it."""
    updatedAt: str
    """When this service last heard of it: each message that comes counts."""


class SharedVariable(TypedDict):
    """One key that fills several places."""

    variable: str
    """The key."""
    places: List[str]
    """What it fills: `header`, `body`, `URL button 0`."""


class _CardButtonParametersOptional(TypedDict, total=False):
    text: str
    """URL button: only the suffix that replaces `{{1}}`, percent-encoded where necessary."""
    payload: str
    """Quick reply: what comes back when it is tapped."""


class CardButtonParameters(_CardButtonParametersOptional):
    """The value of the button."""

    type: str
    """`text` for a URL button, `payload` for a quick reply."""


class CardButtonValue(TypedDict):
    """The value of a variable button on a card."""

    index: int
    """The button on the card, 0-based."""
    sub_type: str
    """The kind of button: `url` or `quick_reply`."""
    parameters: CardButtonParameters


class _CardHeaderOptional(TypedDict, total=False):
    link: str
    """A public http or https address; the service uploads the file to the channel before sending."""
    id: str
    """A file here (`media_…`), or the channel media id of an earlier upload: digits only."""


class CardHeader(_CardHeaderOptional):
    """The media of a card: either `link` or `id`."""

    format: str
    """`image` or `video`, as the template says."""


class _CarouselCardOptional(TypedDict, total=False):
    bodyValues: Dict[str, str]
    """The slots of the card's body: numbered keys match `{{n}}`; named keys fill the slots in their JSON order."""
    buttonValues: List[CardButtonValue]
    """Buttons that take a value."""
    header: CardHeader


class CarouselCard(_CarouselCardOptional):
    """The values of one card of a carousel template."""

    index: int
    """The card in the template, 0-based."""


class Carousel(TypedDict):
    """A carousel template's cards. What a card leaves out is taken from its `c0_…` keys."""

    cards: List[CarouselCard]
    """As many cards as the template has."""


class _TemplateSendOptional(TypedDict, total=False):
    templateLanguage: str
    """Language code, short (`en`) or locale form (`en_US`); needed when the template exists in several. With
    `templateComponents` it is passed on unchanged and must equal the approved language exactly."""
    templateVariables: Dict[str, str]
    """The values of the template by key, at most 160 characters each, without line breaks and tabs: `"1"` for `{{1}}`
    (body, header text and URL buttons alike), `copy_code`, `catalog_product_retailer_id` (the product of a catalog or
    multi-product button; required for the latter), `header_link` or `header` with `header_filename` of a document, and
    for carousel cards `c0_1`, `c0_header_link` or `c0_header`. A flow button takes `flow_token` and `flow_action_data`
    (JSON text of an object), both optional and longer if need be. The template list names the keys of each template,
    and which of them fill several places."""
    templateComponents: List[Dict[str, Any]]
    """The upstream platform's component format, forwarded untouched: at most 20 components. The other values are not
    used then."""
    bodyParameters: Dict[str, str]
    """Values of the main body by slot number, applied after `templateVariables`: they override its numbered keys there,
    and nothing else."""
    carousel: Carousel
    replyTo: str
    """The message that this one answers, of the same person and line: our id (`inb_…`, `msg_…`) or the upstream
    platform's. The recipient sees it quoted above; not with a template, and not after 30 days."""
    phone: str
    """Recipient: country code and number, 7 to 15 digits in all. A leading `+` is optional; spaces, dashes, dots,
    parentheses and invisible signs are dropped. Refused are a trunk zero in parentheses, as in `+49 (0)151…`, `00…`, a
    number without its country code, and one that a spreadsheet has written with `.0`. Give exactly one of `phone`,
    `contactId` and `userId`."""
    contactId: str
    """Recipient: the id of an existing contact of the key's workspace. It is written to by its number, else by its user
    id."""
    userId: str
    """Recipient: the upstream platform's id of the user for this business (BSUID), as `GET /inbound` and `GET
    /contacts` show it. One that the user has left stands for the present one. An authentication template goes to phone
    numbers alone."""
    phoneNumberId: str
    """The phone line to send from (`line_…`), not the upstream platform's own numeric phone id. Left out: the
    workspace's default line, else its only active one. Required when it has several active lines and no default."""
    idempotencyKey: str
    """The same key and body return the original message with 200; the same key and another body 409. May be given as
    the `Idempotency-Key` header instead, or in both places with the same value."""
    reference: str
    """The caller's own word for the message, as the number of an order. It comes with every status, and finds the
    message in the console and on the command line. Several messages may have the same."""
    sendAt: str
    """When to send it, with the offset from UTC: 1 minute to 35 days ahead. Until then the message is `SCHEDULED`, and
    can be moved or cancelled; then all is checked again. Left out: at once."""
    revalidateFlowSession: bool
    """When true and `contactId` is given, the contact's active flow sessions are closed before sending: only the line's
    when `phoneNumberId` is given, else all. So with the `userId` of a contact; with `phone` it has no effect."""


class TemplateSend(_TemplateSendOptional):
    """An approved template, with at least one of `templateVariables`, `templateComponents`, `bodyParameters`,
    `carousel`: `"templateVariables": {}` when the template has no variables."""

    type: Literal["template"]
    """An approved template."""
    templateName: str
    """The name of an approved template."""


class Template(TypedDict):
    """An approved template in one language."""

    id: str
    """The service template id (`tpl_…`)."""
    name: str
    """For `templateName`."""
    language: str
    """For `templateLanguage`."""
    category: str
    """`MARKETING`, `UTILITY` or `AUTHENTICATION`."""
    status: str
    """Always `APPROVED` here."""
    components: List[Dict[str, Any]]
    """The upstream's structure: header, body, footer, buttons with their URLs, carousel cards."""
    variables: List[str]
    """The exact keys of `templateVariables` that a send must fill, ready to copy. None for a template that only
    `templateComponents` can fill."""
    sendableWith: Literal["templateVariables", "templateComponents"]
    """`templateComponents` when a part has no key: a location or product header, also on a card, or an offer that
    expires. A send with `templateVariables` is refused then."""
    needsComponents: List[str]
    """The parts that only `templateComponents` can fill, in words."""
    sharedVariables: List[SharedVariable]
    """The keys that fill several places with one value. Where the places need different values, give the main body its
    own by `bodyParameters`, a card's URL button by `carousel`, and any other place by `templateComponents`."""
    exampleValues: Optional[_TemplateSendOptional]
    """The fields of a send that fill the template with its own examples, ready to copy: `templateVariables`, with
    `bodyParameters` or `carousel` where a shared key would put the wrong text in a place, or `templateComponents` where
    only they can fill a part, or several places with different values: a location, a product or a time is made up then.
    Null when a part is of a kind that has no example."""
    phoneNumberIds: List[str]
    """The active lines that can send it, for `phoneNumberId`. A workspace with several channels has a record of each
    channel that knows the name and language; the lines tell them apart."""
    updatedAt: str
    """When this service last saw it change."""


class _TextSendOptional(TypedDict, total=False):
    previewUrl: bool
    """When true, the first address in the text is shown with a preview of its page."""
    category: Literal["utility", "authentication"]
    """Direct Send, which the line must have switched on: the message needs no template and no open window, and is
    charged as a template of this category. `utility`: a text, or a `button`, `cta_url` or `voice_call`;
    `authentication`: a text to a phone number."""
    ttlSeconds: int
    """Beside `category`: the upstream platform drops the message, and tells nothing, when it could not deliver it in
    this time. What waits here for longer is not sent, and FAILED. At most 900 for `authentication`. Left out: 30 days,
    or 10 minutes for `authentication`."""
    replyTo: str
    """The message that this one answers, of the same person and line: our id (`inb_…`, `msg_…`) or the upstream
    platform's. The recipient sees it quoted above; not with a template, and not after 30 days."""
    requireOpenWindow: bool
    """When true, the send is refused with 409 `WINDOW_CLOSED` unless the recipient's 24-hour window on the line is
    open, as far as this service knows; else such a send fails later."""
    phone: str
    """Recipient: country code and number, 7 to 15 digits in all. A leading `+` is optional; spaces, dashes, dots,
    parentheses and invisible signs are dropped. Refused are a trunk zero in parentheses, as in `+49 (0)151…`, `00…`, a
    number without its country code, and one that a spreadsheet has written with `.0`. Give exactly one of `phone`,
    `contactId` and `userId`."""
    contactId: str
    """Recipient: the id of an existing contact of the key's workspace. It is written to by its number, else by its user
    id."""
    userId: str
    """Recipient: the upstream platform's id of the user for this business (BSUID), as `GET /inbound` and `GET
    /contacts` show it. One that the user has left stands for the present one. An authentication template goes to phone
    numbers alone."""
    phoneNumberId: str
    """The phone line to send from (`line_…`), not the upstream platform's own numeric phone id. Left out: the
    workspace's default line, else its only active one. Required when it has several active lines and no default."""
    idempotencyKey: str
    """The same key and body return the original message with 200; the same key and another body 409. May be given as
    the `Idempotency-Key` header instead, or in both places with the same value."""
    reference: str
    """The caller's own word for the message, as the number of an order. It comes with every status, and finds the
    message in the console and on the command line. Several messages may have the same."""
    sendAt: str
    """When to send it, with the offset from UTC: 1 minute to 35 days ahead. Until then the message is `SCHEDULED`, and
    can be moved or cancelled; then all is checked again. Left out: at once."""
    revalidateFlowSession: bool
    """When true and `contactId` is given, the contact's active flow sessions are closed before sending: only the line's
    when `phoneNumberId` is given, else all. So with the `userId` of a contact; with `phone` it has no effect."""


class TextSend(_TextSendOptional):
    """Free text; only while the recipient's 24-hour window is open, or with `category`."""

    type: Literal["text"]
    """Plain text."""
    content: str
    """The text of the message."""


class _InteractiveSendOptional(TypedDict, total=False):
    category: Literal["utility", "authentication"]
    """Direct Send, which the line must have switched on: the message needs no template and no open window, and is
    charged as a template of this category. `utility`: a text, or a `button`, `cta_url` or `voice_call`;
    `authentication`: a text to a phone number."""
    ttlSeconds: int
    """Beside `category`: the upstream platform drops the message, and tells nothing, when it could not deliver it in
    this time. What waits here for longer is not sent, and FAILED. At most 900 for `authentication`. Left out: 30 days,
    or 10 minutes for `authentication`."""
    replyTo: str
    """The message that this one answers, of the same person and line: our id (`inb_…`, `msg_…`) or the upstream
    platform's. The recipient sees it quoted above; not with a template, and not after 30 days."""
    requireOpenWindow: bool
    """When true, the send is refused with 409 `WINDOW_CLOSED` unless the recipient's 24-hour window on the line is
    open, as far as this service knows; else such a send fails later."""
    phone: str
    """Recipient: country code and number, 7 to 15 digits in all. A leading `+` is optional; spaces, dashes, dots,
    parentheses and invisible signs are dropped. Refused are a trunk zero in parentheses, as in `+49 (0)151…`, `00…`, a
    number without its country code, and one that a spreadsheet has written with `.0`. Give exactly one of `phone`,
    `contactId` and `userId`."""
    contactId: str
    """Recipient: the id of an existing contact of the key's workspace. It is written to by its number, else by its user
    id."""
    userId: str
    """Recipient: the upstream platform's id of the user for this business (BSUID), as `GET /inbound` and `GET
    /contacts` show it. One that the user has left stands for the present one. An authentication template goes to phone
    numbers alone."""
    phoneNumberId: str
    """The phone line to send from (`line_…`), not the upstream platform's own numeric phone id. Left out: the
    workspace's default line, else its only active one. Required when it has several active lines and no default."""
    idempotencyKey: str
    """The same key and body return the original message with 200; the same key and another body 409. May be given as
    the `Idempotency-Key` header instead, or in both places with the same value."""
    reference: str
    """The caller's own word for the message, as the number of an order. It comes with every status, and finds the
    message in the console and on the command line. Several messages may have the same."""
    sendAt: str
    """When to send it, with the offset from UTC: 1 minute to 35 days ahead. Until then the message is `SCHEDULED`, and
    can be moved or cancelled; then all is checked again. Left out: at once."""
    revalidateFlowSession: bool
    """When true and `contactId` is given, the contact's active flow sessions are closed before sending: only the line's
    when `phoneNumberId` is given, else all. So with the `userId` of a contact; with `phone` it has no effect."""


class InteractiveSend(_InteractiveSendOptional):
    """Buttons, lists, links and flows; only while the recipient's 24-hour window is open, or with `category`."""

    type: Literal["interactive"]
    """Buttons, a list, a link or a flow."""
    content: str
    """A JSON **string** that holds the interactive payload: an object with `type` (`button`, `list`, `cta_url`, `flow`,
    or another kind that the channel knows), `header`, `body`, `footer` and `action`. Limits: see the operation."""


class _ImageSendOptional(TypedDict, total=False):
    link: str
    """A public http or https address of a JPEG or PNG picture, at most 5 MB; the service uploads the file to the
    channel before sending. Give either `link` or `mediaId`."""
    mediaId: str
    """In place of `link`: a file that this service keeps, of `POST /media` or of a user (`media_…`), or the channel's
    id of an earlier upload, digits only."""
    caption: str
    """What stands below it."""
    replyTo: str
    """The message that this one answers, of the same person and line: our id (`inb_…`, `msg_…`) or the upstream
    platform's. The recipient sees it quoted above; not with a template, and not after 30 days."""
    requireOpenWindow: bool
    """When true, the send is refused with 409 `WINDOW_CLOSED` unless the recipient's 24-hour window on the line is
    open, as far as this service knows; else such a send fails later."""
    phone: str
    """Recipient: country code and number, 7 to 15 digits in all. A leading `+` is optional; spaces, dashes, dots,
    parentheses and invisible signs are dropped. Refused are a trunk zero in parentheses, as in `+49 (0)151…`, `00…`, a
    number without its country code, and one that a spreadsheet has written with `.0`. Give exactly one of `phone`,
    `contactId` and `userId`."""
    contactId: str
    """Recipient: the id of an existing contact of the key's workspace. It is written to by its number, else by its user
    id."""
    userId: str
    """Recipient: the upstream platform's id of the user for this business (BSUID), as `GET /inbound` and `GET
    /contacts` show it. One that the user has left stands for the present one. An authentication template goes to phone
    numbers alone."""
    phoneNumberId: str
    """The phone line to send from (`line_…`), not the upstream platform's own numeric phone id. Left out: the
    workspace's default line, else its only active one. Required when it has several active lines and no default."""
    idempotencyKey: str
    """The same key and body return the original message with 200; the same key and another body 409. May be given as
    the `Idempotency-Key` header instead, or in both places with the same value."""
    reference: str
    """The caller's own word for the message, as the number of an order. It comes with every status, and finds the
    message in the console and on the command line. Several messages may have the same."""
    sendAt: str
    """When to send it, with the offset from UTC: 1 minute to 35 days ahead. Until then the message is `SCHEDULED`, and
    can be moved or cancelled; then all is checked again. Left out: at once."""
    revalidateFlowSession: bool
    """When true and `contactId` is given, the contact's active flow sessions are closed before sending: only the line's
    when `phoneNumberId` is given, else all. So with the `userId` of a contact; with `phone` it has no effect."""


class ImageSend(_ImageSendOptional):
    """A picture; only while the recipient's 24-hour window is open."""

    type: Literal["image"]
    """A picture"""


class _VideoSendOptional(TypedDict, total=False):
    link: str
    """A public http or https address of an MP4 or 3GPP video, at most 16 MB; the service uploads the file to the
    channel before sending. Give either `link` or `mediaId`."""
    mediaId: str
    """In place of `link`: a file that this service keeps, of `POST /media` or of a user (`media_…`), or the channel's
    id of an earlier upload, digits only."""
    caption: str
    """What stands below it."""
    replyTo: str
    """The message that this one answers, of the same person and line: our id (`inb_…`, `msg_…`) or the upstream
    platform's. The recipient sees it quoted above; not with a template, and not after 30 days."""
    requireOpenWindow: bool
    """When true, the send is refused with 409 `WINDOW_CLOSED` unless the recipient's 24-hour window on the line is
    open, as far as this service knows; else such a send fails later."""
    phone: str
    """Recipient: country code and number, 7 to 15 digits in all. A leading `+` is optional; spaces, dashes, dots,
    parentheses and invisible signs are dropped. Refused are a trunk zero in parentheses, as in `+49 (0)151…`, `00…`, a
    number without its country code, and one that a spreadsheet has written with `.0`. Give exactly one of `phone`,
    `contactId` and `userId`."""
    contactId: str
    """Recipient: the id of an existing contact of the key's workspace. It is written to by its number, else by its user
    id."""
    userId: str
    """Recipient: the upstream platform's id of the user for this business (BSUID), as `GET /inbound` and `GET
    /contacts` show it. One that the user has left stands for the present one. An authentication template goes to phone
    numbers alone."""
    phoneNumberId: str
    """The phone line to send from (`line_…`), not the upstream platform's own numeric phone id. Left out: the
    workspace's default line, else its only active one. Required when it has several active lines and no default."""
    idempotencyKey: str
    """The same key and body return the original message with 200; the same key and another body 409. May be given as
    the `Idempotency-Key` header instead, or in both places with the same value."""
    reference: str
    """The caller's own word for the message, as the number of an order. It comes with every status, and finds the
    message in the console and on the command line. Several messages may have the same."""
    sendAt: str
    """When to send it, with the offset from UTC: 1 minute to 35 days ahead. Until then the message is `SCHEDULED`, and
    can be moved or cancelled; then all is checked again. Left out: at once."""
    revalidateFlowSession: bool
    """When true and `contactId` is given, the contact's active flow sessions are closed before sending: only the line's
    when `phoneNumberId` is given, else all. So with the `userId` of a contact; with `phone` it has no effect."""


class VideoSend(_VideoSendOptional):
    """A video; only while the recipient's 24-hour window is open."""

    type: Literal["video"]
    """A video"""


class _DocumentSendOptional(TypedDict, total=False):
    link: str
    """A public http or https address of a document, at most 100 MB; the service uploads the file to the channel before
    sending. Give either `link` or `mediaId`."""
    mediaId: str
    """In place of `link`: a file that this service keeps, of `POST /media` or of a user (`media_…`), or the channel's
    id of an earlier upload, digits only."""
    caption: str
    """What stands below it."""
    fileName: str
    """The name that the recipient sees and saves it under. Without it: that of the file here, or the last part of the
    link."""
    replyTo: str
    """The message that this one answers, of the same person and line: our id (`inb_…`, `msg_…`) or the upstream
    platform's. The recipient sees it quoted above; not with a template, and not after 30 days."""
    requireOpenWindow: bool
    """When true, the send is refused with 409 `WINDOW_CLOSED` unless the recipient's 24-hour window on the line is
    open, as far as this service knows; else such a send fails later."""
    phone: str
    """Recipient: country code and number, 7 to 15 digits in all. A leading `+` is optional; spaces, dashes, dots,
    parentheses and invisible signs are dropped. Refused are a trunk zero in parentheses, as in `+49 (0)151…`, `00…`, a
    number without its country code, and one that a spreadsheet has written with `.0`. Give exactly one of `phone`,
    `contactId` and `userId`."""
    contactId: str
    """Recipient: the id of an existing contact of the key's workspace. It is written to by its number, else by its user
    id."""
    userId: str
    """Recipient: the upstream platform's id of the user for this business (BSUID), as `GET /inbound` and `GET
    /contacts` show it. One that the user has left stands for the present one. An authentication template goes to phone
    numbers alone."""
    phoneNumberId: str
    """The phone line to send from (`line_…`), not the upstream platform's own numeric phone id. Left out: the
    workspace's default line, else its only active one. Required when it has several active lines and no default."""
    idempotencyKey: str
    """The same key and body return the original message with 200; the same key and another body 409. May be given as
    the `Idempotency-Key` header instead, or in both places with the same value."""
    reference: str
    """The caller's own word for the message, as the number of an order. It comes with every status, and finds the
    message in the console and on the command line. Several messages may have the same."""
    sendAt: str
    """When to send it, with the offset from UTC: 1 minute to 35 days ahead. Until then the message is `SCHEDULED`, and
    can be moved or cancelled; then all is checked again. Left out: at once."""
    revalidateFlowSession: bool
    """When true and `contactId` is given, the contact's active flow sessions are closed before sending: only the line's
    when `phoneNumberId` is given, else all. So with the `userId` of a contact; with `phone` it has no effect."""


class DocumentSend(_DocumentSendOptional):
    """A document; only while the recipient's 24-hour window is open."""

    type: Literal["document"]
    """A document"""


class _AudioSendOptional(TypedDict, total=False):
    link: str
    """A public http or https address of a sound, at most 16 MB: AAC, AMR, MP3, MP4 or OGG with Opus; the service
    uploads the file to the channel before sending. Give either `link` or `mediaId`."""
    mediaId: str
    """In place of `link`: a file that this service keeps, of `POST /media` or of a user (`media_…`), or the channel's
    id of an earlier upload, digits only."""
    voice: bool
    """Shown as a voice message: only OGG with Opus in mono; another sound is refused. A larger one than 512 KB is shown
    to be downloaded first."""
    replyTo: str
    """The message that this one answers, of the same person and line: our id (`inb_…`, `msg_…`) or the upstream
    platform's. The recipient sees it quoted above; not with a template, and not after 30 days."""
    requireOpenWindow: bool
    """When true, the send is refused with 409 `WINDOW_CLOSED` unless the recipient's 24-hour window on the line is
    open, as far as this service knows; else such a send fails later."""
    phone: str
    """Recipient: country code and number, 7 to 15 digits in all. A leading `+` is optional; spaces, dashes, dots,
    parentheses and invisible signs are dropped. Refused are a trunk zero in parentheses, as in `+49 (0)151…`, `00…`, a
    number without its country code, and one that a spreadsheet has written with `.0`. Give exactly one of `phone`,
    `contactId` and `userId`."""
    contactId: str
    """Recipient: the id of an existing contact of the key's workspace. It is written to by its number, else by its user
    id."""
    userId: str
    """Recipient: the upstream platform's id of the user for this business (BSUID), as `GET /inbound` and `GET
    /contacts` show it. One that the user has left stands for the present one. An authentication template goes to phone
    numbers alone."""
    phoneNumberId: str
    """The phone line to send from (`line_…`), not the upstream platform's own numeric phone id. Left out: the
    workspace's default line, else its only active one. Required when it has several active lines and no default."""
    idempotencyKey: str
    """The same key and body return the original message with 200; the same key and another body 409. May be given as
    the `Idempotency-Key` header instead, or in both places with the same value."""
    reference: str
    """The caller's own word for the message, as the number of an order. It comes with every status, and finds the
    message in the console and on the command line. Several messages may have the same."""
    sendAt: str
    """When to send it, with the offset from UTC: 1 minute to 35 days ahead. Until then the message is `SCHEDULED`, and
    can be moved or cancelled; then all is checked again. Left out: at once."""
    revalidateFlowSession: bool
    """When true and `contactId` is given, the contact's active flow sessions are closed before sending: only the line's
    when `phoneNumberId` is given, else all. So with the `userId` of a contact; with `phone` it has no effect."""


class AudioSend(_AudioSendOptional):
    """A sound, or a voice message; only while the recipient's 24-hour window is open."""

    type: Literal["audio"]
    """A sound, or a voice message"""


class _StickerSendOptional(TypedDict, total=False):
    link: str
    """A public http or https address of a WebP picture, at most 100 KB, or 500 KB when it moves; the service uploads
    the file to the channel before sending. Give either `link` or `mediaId`."""
    mediaId: str
    """In place of `link`: a file that this service keeps, of `POST /media` or of a user (`media_…`), or the channel's
    id of an earlier upload, digits only."""
    replyTo: str
    """The message that this one answers, of the same person and line: our id (`inb_…`, `msg_…`) or the upstream
    platform's. The recipient sees it quoted above; not with a template, and not after 30 days."""
    requireOpenWindow: bool
    """When true, the send is refused with 409 `WINDOW_CLOSED` unless the recipient's 24-hour window on the line is
    open, as far as this service knows; else such a send fails later."""
    phone: str
    """Recipient: country code and number, 7 to 15 digits in all. A leading `+` is optional; spaces, dashes, dots,
    parentheses and invisible signs are dropped. Refused are a trunk zero in parentheses, as in `+49 (0)151…`, `00…`, a
    number without its country code, and one that a spreadsheet has written with `.0`. Give exactly one of `phone`,
    `contactId` and `userId`."""
    contactId: str
    """Recipient: the id of an existing contact of the key's workspace. It is written to by its number, else by its user
    id."""
    userId: str
    """Recipient: the upstream platform's id of the user for this business (BSUID), as `GET /inbound` and `GET
    /contacts` show it. One that the user has left stands for the present one. An authentication template goes to phone
    numbers alone."""
    phoneNumberId: str
    """The phone line to send from (`line_…`), not the upstream platform's own numeric phone id. Left out: the
    workspace's default line, else its only active one. Required when it has several active lines and no default."""
    idempotencyKey: str
    """The same key and body return the original message with 200; the same key and another body 409. May be given as
    the `Idempotency-Key` header instead, or in both places with the same value."""
    reference: str
    """The caller's own word for the message, as the number of an order. It comes with every status, and finds the
    message in the console and on the command line. Several messages may have the same."""
    sendAt: str
    """When to send it, with the offset from UTC: 1 minute to 35 days ahead. Until then the message is `SCHEDULED`, and
    can be moved or cancelled; then all is checked again. Left out: at once."""
    revalidateFlowSession: bool
    """When true and `contactId` is given, the contact's active flow sessions are closed before sending: only the line's
    when `phoneNumberId` is given, else all. So with the `userId` of a contact; with `phone` it has no effect."""


class StickerSend(_StickerSendOptional):
    """A sticker; only while the recipient's 24-hour window is open."""

    type: Literal["sticker"]
    """A sticker"""


class _LocationSendOptional(TypedDict, total=False):
    name: str
    """What the place is called."""
    address: str
    """Its address."""
    replyTo: str
    """The message that this one answers, of the same person and line: our id (`inb_…`, `msg_…`) or the upstream
    platform's. The recipient sees it quoted above; not with a template, and not after 30 days."""
    requireOpenWindow: bool
    """When true, the send is refused with 409 `WINDOW_CLOSED` unless the recipient's 24-hour window on the line is
    open, as far as this service knows; else such a send fails later."""
    phone: str
    """Recipient: country code and number, 7 to 15 digits in all. A leading `+` is optional; spaces, dashes, dots,
    parentheses and invisible signs are dropped. Refused are a trunk zero in parentheses, as in `+49 (0)151…`, `00…`, a
    number without its country code, and one that a spreadsheet has written with `.0`. Give exactly one of `phone`,
    `contactId` and `userId`."""
    contactId: str
    """Recipient: the id of an existing contact of the key's workspace. It is written to by its number, else by its user
    id."""
    userId: str
    """Recipient: the upstream platform's id of the user for this business (BSUID), as `GET /inbound` and `GET
    /contacts` show it. One that the user has left stands for the present one. An authentication template goes to phone
    numbers alone."""
    phoneNumberId: str
    """The phone line to send from (`line_…`), not the upstream platform's own numeric phone id. Left out: the
    workspace's default line, else its only active one. Required when it has several active lines and no default."""
    idempotencyKey: str
    """The same key and body return the original message with 200; the same key and another body 409. May be given as
    the `Idempotency-Key` header instead, or in both places with the same value."""
    reference: str
    """The caller's own word for the message, as the number of an order. It comes with every status, and finds the
    message in the console and on the command line. Several messages may have the same."""
    sendAt: str
    """When to send it, with the offset from UTC: 1 minute to 35 days ahead. Until then the message is `SCHEDULED`, and
    can be moved or cancelled; then all is checked again. Left out: at once."""
    revalidateFlowSession: bool
    """When true and `contactId` is given, the contact's active flow sessions are closed before sending: only the line's
    when `phoneNumberId` is given, else all. So with the `userId` of a contact; with `phone` it has no effect."""


class LocationSend(_LocationSendOptional):
    """A place; only while the recipient's 24-hour window is open."""

    type: Literal["location"]
    """A place"""
    latitude: float
    """Decimal degrees."""
    longitude: float
    """Decimal degrees."""


class _SentCardPhones(TypedDict, total=False):
    phone: str
    """As it is shown."""
    waId: str
    """Its digits: with them the card offers a chat, without them an invitation."""
    type: str
    """`HOME`, `WORK`, or another word."""


class _SentCardEmails(TypedDict, total=False):
    email: str
    """The address."""
    type: str
    """`HOME`, `WORK`, or another word."""


class _SentCardAddresses(TypedDict, total=False):
    street: str
    """Street and number."""
    city: str
    """The city."""
    state: str
    """The state."""
    zip: str
    """The postal code."""
    country: str
    """The country."""
    countryCode: str
    """Its two letters."""
    type: str
    """`HOME`, `WORK`, or another word."""


class _SentCardUrls(TypedDict, total=False):
    url: str
    """The address."""
    type: str
    """`HOME`, `WORK`, or another word."""


class _SentCardOrg(TypedDict, total=False):
    """Where the person works."""

    company: str
    """The company."""
    department: str
    """The department."""
    title: str
    """The position."""


class _SentCardNameOptional(TypedDict, total=False):
    firstName: str
    """The first name."""
    lastName: str
    """The last name."""
    middleName: str
    """The middle name."""
    prefix: str
    """Before the name."""
    suffix: str
    """After the name."""


class SentCardName(_SentCardNameOptional):
    """The name. The upstream platform asks for one part beside the whole."""

    formattedName: str
    """The whole name, as it is shown."""


class _SentCardOptional(TypedDict, total=False):
    phones: List[_SentCardPhones]
    """The numbers."""
    emails: List[_SentCardEmails]
    """The addresses of e-mail."""
    addresses: List[_SentCardAddresses]
    """Where it is."""
    urls: List[_SentCardUrls]
    """The pages."""
    org: _SentCardOrg
    """Where the person works."""
    birthday: str
    """`YYYY-MM-DD`."""


class SentCard(_SentCardOptional):
    """A contact card, as one that a user sends."""

    name: SentCardName


class _ContactsSendOptional(TypedDict, total=False):
    replyTo: str
    """The message that this one answers, of the same person and line: our id (`inb_…`, `msg_…`) or the upstream
    platform's. The recipient sees it quoted above; not with a template, and not after 30 days."""
    requireOpenWindow: bool
    """When true, the send is refused with 409 `WINDOW_CLOSED` unless the recipient's 24-hour window on the line is
    open, as far as this service knows; else such a send fails later."""
    phone: str
    """Recipient: country code and number, 7 to 15 digits in all. A leading `+` is optional; spaces, dashes, dots,
    parentheses and invisible signs are dropped. Refused are a trunk zero in parentheses, as in `+49 (0)151…`, `00…`, a
    number without its country code, and one that a spreadsheet has written with `.0`. Give exactly one of `phone`,
    `contactId` and `userId`."""
    contactId: str
    """Recipient: the id of an existing contact of the key's workspace. It is written to by its number, else by its user
    id."""
    userId: str
    """Recipient: the upstream platform's id of the user for this business (BSUID), as `GET /inbound` and `GET
    /contacts` show it. One that the user has left stands for the present one. An authentication template goes to phone
    numbers alone."""
    phoneNumberId: str
    """The phone line to send from (`line_…`), not the upstream platform's own numeric phone id. Left out: the
    workspace's default line, else its only active one. Required when it has several active lines and no default."""
    idempotencyKey: str
    """The same key and body return the original message with 200; the same key and another body 409. May be given as
    the `Idempotency-Key` header instead, or in both places with the same value."""
    reference: str
    """The caller's own word for the message, as the number of an order. It comes with every status, and finds the
    message in the console and on the command line. Several messages may have the same."""
    sendAt: str
    """When to send it, with the offset from UTC: 1 minute to 35 days ahead. Until then the message is `SCHEDULED`, and
    can be moved or cancelled; then all is checked again. Left out: at once."""
    revalidateFlowSession: bool
    """When true and `contactId` is given, the contact's active flow sessions are closed before sending: only the line's
    when `phoneNumberId` is given, else all. So with the `userId` of a contact; with `phone` it has no effect."""


class ContactsSend(_ContactsSendOptional):
    """Contact cards; only while the recipient's 24-hour window is open."""

    type: Literal["contacts"]
    """Contact cards"""
    contacts: List[SentCard]
    """The contact cards."""


class _ReactionSendOptional(TypedDict, total=False):
    requireOpenWindow: bool
    """When true, the send is refused with 409 `WINDOW_CLOSED` unless the recipient's 24-hour window on the line is
    open, as far as this service knows; else such a send fails later."""
    phone: str
    """Recipient: country code and number, 7 to 15 digits in all. A leading `+` is optional; spaces, dashes, dots,
    parentheses and invisible signs are dropped. Refused are a trunk zero in parentheses, as in `+49 (0)151…`, `00…`, a
    number without its country code, and one that a spreadsheet has written with `.0`. Give exactly one of `phone`,
    `contactId` and `userId`."""
    contactId: str
    """Recipient: the id of an existing contact of the key's workspace. It is written to by its number, else by its user
    id."""
    userId: str
    """Recipient: the upstream platform's id of the user for this business (BSUID), as `GET /inbound` and `GET
    /contacts` show it. One that the user has left stands for the present one. An authentication template goes to phone
    numbers alone."""
    phoneNumberId: str
    """The phone line to send from (`line_…`), not the upstream platform's own numeric phone id. Left out: the
    workspace's default line, else its only active one. Required when it has several active lines and no default."""
    idempotencyKey: str
    """The same key and body return the original message with 200; the same key and another body 409. May be given as
    the `Idempotency-Key` header instead, or in both places with the same value."""
    reference: str
    """The caller's own word for the message, as the number of an order. It comes with every status, and finds the
    message in the console and on the command line. Several messages may have the same."""
    sendAt: str
    """When to send it, with the offset from UTC: 1 minute to 35 days ahead. Until then the message is `SCHEDULED`, and
    can be moved or cancelled; then all is checked again. Left out: at once."""
    revalidateFlowSession: bool
    """When true and `contactId` is given, the contact's active flow sessions are closed before sending: only the line's
    when `phoneNumberId` is given, else all. So with the `userId` of a contact; with `phone` it has no effect."""


class ReactionSend(_ReactionSendOptional):
    """An emoji at an earlier message; only while the recipient's 24-hour window is open."""

    type: Literal["reaction"]
    """An emoji at an earlier message"""
    messageId: str
    """The message that is reacted to, of at most 30 days ago: our id (`inb_…`, `msg_…`) or the upstream platform's."""
    emoji: str
    """One emoji; an empty text takes an earlier reaction back."""


class UploadedMedia(TypedDict):
    """A file that is kept to be sent."""

    id: str
    """The file (`media_…`), for `mediaId` of a send."""
    type: Literal["image", "video", "document", "audio", "sticker"]
    """The type of message that shows it, as its bytes say."""
    mimeType: str
    """As its bytes say."""
    size: int
    """In bytes."""
    fileName: Optional[str]
    """As the form says; null: it does not."""


class Line(TypedDict):
    """A phone number that the workspace sends from."""

    id: str
    """What a send names in `phoneNumberId` (`line_…`)."""
    number: str
    """With its country code."""
    name: Optional[str]
    """What users see, as the upstream platform told. Null: it did not."""
    label: Optional[str]
    """What the workspace calls it, beside its number: `Berlin`. Null: nothing."""
    quality: Optional[str]
    """The platform's word for how people rate what they get from it: `GREEN`, `YELLOW`, `RED`."""
    messagingLimit: Optional[str]
    """How many new people a day all numbers of its portfolio may write to, in the word of the platform: `TIER_2K`."""
    active: bool
    """Whether anything is sent from it."""
    isDefault: bool
    """Whether sends that name no line go out from it."""


class Problem(TypedDict):
    """A reason for which a message would not be sent."""

    error: Literal["VALIDATION_ERROR", "PHONE_NUMBER_REQUIRED", "PHONE_NUMBER_NOT_FOUND", "PHONE_NUMBER_INACTIVE", "NO_PHONE_NUMBER", "TEMPLATE_NOT_APPROVED", "UNAUTHORIZED", "PLAN_LIMIT_EXCEEDED", "FORBIDDEN", "NOT_FOUND", "IDEMPOTENCY_CONFLICT", "WINDOW_CLOSED", "DIRECT_SEND_OFF", "OPTED_OUT", "CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RANGE_NOT_SATISFIABLE", "RATE_LIMIT_EXCEEDED", "CHANNEL_GRAPH_ERROR", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"]
    """What the send would be answered with. `CHANNEL_GRAPH_ERROR`: it would go upstream, and the platform would refuse
    it, as far as that shows by the listed template."""
    path: str
    """A JSON Pointer into the body; empty where no field is at fault."""
    message: str
    """What to do about it."""


class MessageCheck(TypedDict):
    """What would become of a send."""

    sendable: bool
    """Whether nothing speaks against it: `problems` is empty."""
    problems: List[Problem]
    """All that are known before sending, at most 100."""
    request: Optional[Dict[str, Any]]
    """The upstream platform's request, without the id that a message gets. In place of the id of a file that would be
    uploaded stands `(upload of …)`. Null when it cannot be written."""
    text: Optional[str]
    """What a person reads, a line each, with buttons in parentheses. Null: nothing that is known here."""


class MessageFilter(TypedDict, total=False):
    """What narrows `GET /messages`."""

    reference: str
    """Only those with this `reference`."""
    phone: str
    """Only those to this number. A `+` in an address has to be written `%2B`, or left out."""
    contact_id: str
    """Only those to this contact: to its number and its user ids, also those that it has had."""
    status: Literal["SCHEDULED", "QUEUED", "SENT", "DELIVERED", "READ", "FAILED", "UNKNOWN", "CANCELLED"]
    """Only those in this state."""
    type: Literal["text", "template", "interactive", "image", "video", "document", "audio", "sticker", "location", "contacts", "reaction"]
    """Only those of this type."""
    template_name: str
    """Only those of this template."""
    since: str
    """Only those that were accepted at this time or later."""
    until: str
    """Only those that were accepted before this time."""
    order: Literal["desc", "asc"]
    """`desc`: newest first, the default. `asc`: oldest first."""


class EventFilter(TypedDict, total=False):
    """What narrows `GET /events` further: nothing so far."""


class InboundFilter(TypedDict, total=False):
    """What narrows `GET /inbound`."""

    contact_id: str
    """Only what this contact sent."""
    line_id: str
    """Only what came to this line."""
    raw: bool
    """`true` adds the upstream platform's original, as `raw`. Default: false."""


class ContactFilter(TypedDict, total=False):
    """What narrows `GET /contacts`."""

    phone: str
    """The number, written as for a send. A `+` in an address has to be written `%2B`, or left out. Give either `phone`
    or `userId`."""
    user_id: str
    """In place of `phone`: the upstream platform's id of the user."""


# One thing that happened. Types may be added: ignore those that you do not know.
Event = Union[MessageScheduledEvent, MessageReleasedEvent, MessageCancelledEvent, MessageQueuedEvent, MessageSentEvent, MessageDeliveredEvent, MessageReadEvent, MessageFailedEvent, MessageUnknownEvent, MessageReceivedEvent, PaymentPendingEvent, PaymentCapturedEvent, PaymentFailedEvent, ContactUpdatedEvent, ContactPreferenceChangedEvent, TemplateUpdatedEvent, TemplateQualityChangedEvent, TemplateReportedEvent, ChannelAlertEvent, WebhookDisabledEvent, BatchStartedEvent, BatchPausedEvent, BatchDoneEvent]


# What to send, and to whom. `type` decides which fields belong; others are refused.
SendBody = Union[TextSend, TemplateSend, InteractiveSend, ImageSend, VideoSend, DocumentSend, AudioSend, StickerSend, LocationSend, ContactsSend, ReactionSend]


# What happened; a gateway that is newer may have others.
EventType = Literal["message.scheduled", "message.released", "message.cancelled", "message.queued", "message.sent", "message.delivered", "message.read", "message.failed", "message.unknown", "message.received", "payment.pending", "payment.captured", "payment.failed", "contact.updated", "contact.preference_changed", "template.updated", "template.quality_changed", "template.reported", "channel.alert", "webhook.disabled", "batch.started", "batch.paused", "batch.done"]
