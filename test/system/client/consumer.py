"""What the types of the client take, and what they refuse. It is checked, and never run."""

from http.server import BaseHTTPRequestHandler
from typing import List

from waypost import AttemptEnd, Client, GatewayRefusal, Message, TextSend, WebhookNotVerified, verify_webhook


def log(end: AttemptEnd) -> None:
    print(end.path, end.status, end.duration)


gateway = Client("https://gateway.example.com", "pk_1", "sk_1", timeout=5, after_attempt=log)
configured = Client.from_environment(attempts=2)


def taken() -> List[Message]:
    text: TextSend = {"type": "text", "content": "Hi", "phone": "+15550150100"}
    card = {"1": "Tulip"}
    sent = [
        gateway.send(text, timeout=1.0, attempts=1),
        gateway.send({"type": "interactive", "content": "{}", "contactId": "contact_1", "idempotencyKey": "order-1"}),
        gateway.send(
            {
                "type": "template",
                "templateName": "order_confirmation",
                "phone": "+15550150100",
                "carousel": {"cards": [{"index": 0, "bodyValues": card}]},
            }
        ),
    ]
    for template in gateway.templates():
        values = template["exampleValues"]
        if values is not None:
            name = template["name"]
            sent.append(gateway.send({"type": "template", "templateName": name, "phone": "+15550150100", **values}))
    for event in gateway.events(types=["message.failed"]):
        if "message" in event["data"]:
            sent.append(event["data"]["message"])
    with gateway.media("media_1", first=0, attempts=1) as file:
        print(file.content_type, file.range.size if file.range else file.length, sum(len(piece) for piece in file))
    sent.append(gateway.status("msg_1", wait=10, wait_for="READ"))
    for message in gateway.inbound(line_id="line_1"):
        gateway.mark_read(message["id"], typing=True, attempts=1)
        contact_id, answer = message["contactId"], message.get("interactive")
        contact = gateway.contact_by_phone("+15550150100") if contact_id is None else gateway.contact(contact_id)
        if contact["window"]["open"] and answer is not None and answer["buttonReply"] is not None:
            sent.append(gateway.send(text))
    return sent + list(gateway.each_final(message["id"] for message in sent))


def received(body: bytes, request: BaseHTTPRequestHandler) -> str:
    try:
        event = verify_webhook(body, request.headers, ["whsec_new", "whsec_old"])
    except WebhookNotVerified as problem:
        return problem.code
    other = verify_webhook(body.decode(), {"webhook-id": "evt_1"}, "whsec_new")
    return event["data"]["inbound"]["id"] if "inbound" in event["data"] else other["id"]


def refused(error: Exception) -> str:
    gateway.send({"type": "text", "phone": "+15550150100"})  # type: ignore
    gateway.send({"type": "text", "content": "Hi", "phone": "+1555", "idempotencykey": "1"})  # type: ignore
    gateway.send({"type": "image", "content": "Hi", "phone": "+15550150100"})  # type: ignore
    gateway.wait_for("msg_1", "FAILED")  # type: ignore
    gateway.media("media_1", "bytes=0-")  # type: ignore
    gateway.status("msg_1")["state"]  # type: ignore
    Client.from_environment(retries=2)  # type: ignore
    verify_webhook({"id": "evt_1"}, {}, "whsec_new")  # type: ignore
    return error.code if isinstance(error, GatewayRefusal) else ""
