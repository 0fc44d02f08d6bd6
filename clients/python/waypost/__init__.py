"""Client of a Waypost messaging gateway. Python 3.9 or later, the standard library alone.

    from waypost import Client

    gateway = Client("https://gateway.example.com", api_key="pk_…", api_secret="sk_…")
    message = gateway.send({"type": "text", "phone": "+4930123456", "content": "Hello."})
    gateway.wait_for(message["id"], "DELIVERED")

Calls that get no whole answer, or a temporary refusal, are repeated: that never sends twice, because each send bears an
idempotency key. Keep the secret on a server.
"""

from .client import Client, Options
from .errors import GatewayRefusal, MessageFailed, NoAnswer, WaitTimeout, WebhookNotVerified, WebhookProblem
from .hooks import Attempt, AttemptEnd
from .media import Media, MediaRange
from .types import (
    Contact,
    ContactFilter,
    Event,
    EventFilter,
    EventType,
    InboundFilter,
    InboundMessage,
    InteractiveSend,
    Line,
    Message,
    MessageCheck,
    MessageFilter,
    ReadMark,
    SendBody,
    Template,
    TemplateSend,
    TextSend,
    UploadedMedia,
)
from .wait import EventPage, InboundPage, MessagePage, WaitedStatus
from .webhook import WebhookHeaders, verify_webhook

__version__ = "0.1.0"
__all__ = [
    "Attempt",
    "AttemptEnd",
    "Client",
    "Contact",
    "ContactFilter",
    "Event",
    "EventFilter",
    "EventPage",
    "EventType",
    "GatewayRefusal",
    "InboundFilter",
    "InboundMessage",
    "InboundPage",
    "InteractiveSend",
    "Line",
    "Media",
    "MediaRange",
    "Message",
    "MessageCheck",
    "MessageFailed",
    "MessageFilter",
    "MessagePage",
    "NoAnswer",
    "Options",
    "ReadMark",
    "SendBody",
    "Template",
    "TemplateSend",
    "TextSend",
    "UploadedMedia",
    "WaitTimeout",
    "WaitedStatus",
    "WebhookHeaders",
    "WebhookNotVerified",
    "WebhookProblem",
    "verify_webhook",
]
