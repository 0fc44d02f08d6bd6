"""What the types of the client take, and what they refuse. It is checked, and never run."""

from http.server import BaseHTTPRequestHandler
from typing import List

from waypost import AttemptEnd, Client, Event, GatewayRefusal, Message, TextSend, WebhookNotVerified, verify_webhook


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
        # Its type says what its data has.
        if event["type"] == "message.failed":
            sent.append(event["data"]["message"])
    sent.extend(gateway.messages(reference="order-1", status="FAILED", type="text", contact_id="contact_1", order="asc"))
    sent.extend(gateway.message_page(None, 10, template_name="order_confirmation", attempts=1)["messages"])
    with gateway.media("media_1", first=0, attempts=1) as file:
        print(file.content_type, file.range.size if file.range else file.length, sum(len(piece) for piece in file))
    sent.append(gateway.status("msg_1", wait=10, wait_for="READ"))
    for message in gateway.inbound(line_id="line_1"):
        mark = gateway.mark_read(message["id"], typing=True, attempts=1)
        print(mark["id"], mark["read"] and mark["typing"])
        contact_id, answer = message["contactId"], message.get("interactive")
        contact = gateway.contact_by_phone("+15550150100") if contact_id is None else gateway.contact(contact_id)
        if contact["window"]["open"] and answer is not None and answer["buttonReply"] is not None:
            sent.append(gateway.send(text))
    print(gateway.find_contact(user_id="US.1", timeout=1)["window"], gateway.inbound_page(limit=10, raw=True)["next"])
    return sent + list(gateway.each_final(message["id"] for message in sent))


def received(body: bytes, request: BaseHTTPRequestHandler) -> str:
    try:
        event = verify_webhook(body, request.headers, ["whsec_new", "whsec_old"])
    except WebhookNotVerified as problem:
        return problem.code
    other = verify_webhook(body.decode(), {"webhook-id": "evt_1"}, "whsec_new")
    return narrowed(event) or other["id"]


def narrowed(event: Event) -> str:
    if event["type"] == "message.received":
        return event["data"]["inbound"]["text"] or ""
    if event["type"] == "message.sent" or event["type"] == "message.failed":
        return event["data"]["message"]["id"]
    if event["type"] == "contact.preference_changed":
        return event["data"]["contact"]["id"] + (event["data"]["preference"]["value"] or "")
    return event["data"]["line"]["id"] if event["type"] == "channel.alert" and event["data"]["line"] else ""


def refused(error: Exception) -> str:
    gateway.send({"type": "text", "phone": "+15550150100"})  # type: ignore
    gateway.send({"type": "text", "content": "Hi", "phone": "+1555", "idempotencykey": "1"})  # type: ignore
    gateway.send({"type": "image", "content": "Hi", "phone": "+15550150100"})  # type: ignore
    gateway.wait_for("msg_1", "FAILED")  # type: ignore
    gateway.media("media_1", "bytes=0-")  # type: ignore
    gateway.status("msg_1")["state"]  # type: ignore
    gateway.event_page(types=["message.lost"])  # type: ignore
    gateway.message_page(status="LOST")  # type: ignore
    gateway.message_page(contactId="contact_1")  # type: ignore
    gateway.inbound_page(limit="10")  # type: ignore
    gateway.inbound(contact="contact_1")  # type: ignore
    gateway.find_contact(name="Ada")  # type: ignore
    for event in gateway.events():
        event["data"]["message"]  # type: ignore
        if event["type"] == "message.received":
            event["data"]["message"]  # type: ignore
    Client.from_environment(retries=2)  # type: ignore
    verify_webhook({"id": "evt_1"}, {}, "whsec_new")  # type: ignore
    return error.code if isinstance(error, GatewayRefusal) else ""
