"""The same story as story.ts, with the Python client."""

import json
import os
import pathlib
import tempfile
import time
import urllib.request
from datetime import datetime, timedelta, timezone

from waypost import Client, GatewayRefusal, MessageFailed, NoAnswer, WaitTimeout

kit = json.loads(os.environ["KIT"])
gateway = Client.from_environment()


def refusal_of(call):
    try:
        call()
    except GatewayRefusal as refusal:
        return refusal.code, refusal.idempotency_key


def said(call):
    try:
        call()
    except ValueError as error:
        return str(error)


text = {"type": "text", "phone": "+15550150100", "content": "Your parcel is on its way."}
sent = gateway.send({**text, "idempotencyKey": "order-1"})
read = gateway.wait_for(sent["id"], "READ")
queued = gateway.wait_for(sent["id"], "QUEUED")
replay = gateway.send({**text, "idempotencyKey": "order-1"})
templates = gateway.templates(name="order_confirmation")
conflict = refusal_of(lambda: gateway.send({**text, "content": "Another", "idempotencyKey": "order-1"}))
checked = gateway.check({**text, "content": "Another", "idempotencyKey": "order-1"})
unknown = refusal_of(lambda: gateway.status("msg_nothing"))
stranger = refusal_of(lambda: Client(kit["url"], kit["apiKey"], "sk_wrong").templates())
try:
    Client(kit["redirecting"], kit["apiKey"], kit["apiSecret"], attempts=2).send({**text, "idempotencyKey": "order-2"})
    redirected = None
except NoAnswer as error:
    redirected = error.idempotency_key
no_status = said(lambda: gateway.wait_for(sent["id"], "FAILED"))
no_address = {said(lambda: Client(url, kit["apiKey"], kit["apiSecret"])) for url in kit["noAddresses"]}
no_key = said(lambda: Client(kit["url"], kit["apiKey"], kit["apiSecret"] + "\n"))
failing = gateway.send({**text, "phone": "+15550111026"})
try:
    gateway.wait_for(failing["id"], "DELIVERED")
    failed = False
except MessageFailed:
    failed = True
final = gateway.wait_until_final(failing["id"])
hour = timedelta(hours=1)
later = gateway.send({**text, "sendAt": (datetime.now(timezone.utc) + hour).isoformat()})
moved_to = datetime.now(timezone.utc) + 2 * hour
moved = gateway.reschedule(later["id"], moved_to)
try:
    gateway.wait_until_final(later["id"], timeout=0.001)
    is_waiting = None
except WaitTimeout as error:
    is_waiting = error.last["status"]
cancelled = [gateway.cancel(later["id"])["status"], gateway.cancel(later["id"])["status"]]
too_late = refusal_of(lambda: gateway.reschedule(later["id"], moved_to.isoformat()))
ended = gateway.wait_until_final(later["id"])["status"]
try:
    gateway.wait_for(later["id"], "SENT")
    never_sent = None
except MessageFailed as error:
    never_sent = str(error)
finals = [message["status"] for message in gateway.each_final([sent["id"], failing["id"], sent["id"]])]
try:
    Client(kit["hanging"], kit["apiKey"], kit["apiSecret"]).status(sent["id"], timeout=0.05, attempts=1)
    hung = False
except NoAnswer:
    hung = True

steps = []
after = None
for event in gateway.events():
    after = event["id"]
    message = event["data"].get("message")
    if message is None or message["id"] != sent["id"]:
        continue
    steps.append(f'{event["sequence"]} {event["type"]} {message["status"]}')
    if event["type"] == "message.read":
        break
page = gateway.event_page(types="message.failed", limit=1)
is_next = [event["id"] for event in page["events"]] == [page["next"]]
both = gateway.event_page(types=["message.failed", "message.read"])
failures = gateway.messages(contact_id=None, status="FAILED", type="text", order="asc")
listed = [
    sorted({event["type"] for event in both["events"]}),
    [message["id"] == failing["id"] for message in failures],
    [message["id"] for message in gateway.messages(reference="nothing")],
]
no_events = refusal_of(lambda: gateway.event_page("evt_nothing"))

answer = {"kind": "button_reply", "from": text["phone"], "id": "yes", "title": "Yes"}
urllib.request.urlopen(kit["control"] + "/callbacks/inbound", data=json.dumps(answer).encode()).close()
inbound_id = next(gateway.events(after, types=["message.received"]))["data"]["inbound"]["id"]
mark = gateway.mark_read(inbound_id, typing=True)
answered = gateway.inbound_message(inbound_id, raw=True)
contact = gateway.contact(answered["contactId"])
of_contact = [message["id"] for message in gateway.inbound(contact_id=contact["id"], raw=False)]
found = gateway.contact_by_phone(text["phone"])
inbound = [
    answered["interactive"]["buttonReply"]["id"],
    answered["text"],
    of_contact[-1] == inbound_id,
    found["phone"],
    found["window"]["open"],
    mark == {"id": inbound_id, "read": True, "typing": True},
]
picture = {"kind": "image", "from": text["phone"]}
urllib.request.urlopen(kit["control"] + "/callbacks/inbound", data=json.dumps(picture).encode()).close()
file = None
while not file or file["state"] != "stored":
    for message in gateway.inbound(after=inbound_id):
        file = message["media"]
    time.sleep(0.1)
whole = gateway.media(file["id"])
content = whole.read()
part = gateway.media(file["id"], 1, 3)
with gateway.media(file["id"], len(content) - 2) as end:
    rest = b"".join(end)
media = [
    whole.content_type,
    whole.length == len(content) == file["size"] and whole.range is None,
    whole.file_name.endswith(".jpg"),
    b"".join(part) == content[1:4],
    part.range == (1, 3, len(content)),
    len(rest),
    refusal_of(lambda: gateway.media("media_nothing")),
    refusal_of(lambda: gateway.media(file["id"], len(content))),
]
waited = gateway.status(sent["id"], wait=1, wait_for="READ")
no_inbound = refusal_of(lambda: gateway.inbound_page("inb_nothing"))
with urllib.request.urlopen(kit["control"] + "/requests?limit=1") as journal:
    marked = [request["kind"] for request in json.load(journal)["requests"]]
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / 'Beleg "1".jpg'
    path.write_bytes(content)
    given = gateway.upload_media(path)
showing = gateway.send({"type": "image", "phone": text["phone"], "mediaId": given["id"], "caption": "As given"})
uploaded = [
    given["type"],
    given["mimeType"],
    given["fileName"],
    given["size"] == len(content) == len(gateway.media(given["id"]).read()),
    showing["type"],
    showing["status"],
    refusal_of(lambda: gateway.upload_media(b"no type that can be sent \0\x01")),
]

told = []
ends = []
watched = Client.from_environment(before_attempt=told.append, after_attempt=ends.append)
watched.send({**text, "idempotencyKey": "order-3"})
refusal_of(lambda: watched.status("msg_nothing"))
attempts = [
    (end.method, end.path, end.attempt, end.idempotency_key, end.status, end.problem and end.problem.code)
    for end in ends
]
secrets = [kit["apiKey"], kit["apiSecret"], text["phone"], text["content"]]
del os.environ["WAYPOST_URL"]
os.environ["WAYPOST_API_SECRET"] = ""
no_environment = said(Client.from_environment)

print(
    json.dumps(
        {
            "sent": sent["status"],
            "read": read["status"],
            "queued": queued["status"],
            "isReplay": replay["idempotentReplay"] and replay["id"] == sent["id"],
            "templates": sorted({template["name"] for template in templates}),
            "conflict": conflict,
            "checked": [
                checked["sendable"],
                checked["text"],
                *(f"{problem['error']} {problem['path']}" for problem in checked["problems"]),
            ],
            "unknown": unknown,
            "stranger": stranger,
            "redirected": redirected,
            "noStatus": no_status,
            "noAddress": sorted(no_address),
            "noKey": no_key,
            "failed": failed,
            "final": final["status"],
            "later": [
                later["status"],
                moved["sendAt"][:19] == moved_to.isoformat()[:19],
                is_waiting,
                cancelled,
                too_late,
                ended,
            ],
            "neverSent": str(never_sent).replace(later["id"], "ID"),
            "finals": sorted(finals),
            "hung": hung,
            "steps": steps,
            "isNext": is_next,
            "noEvents": no_events,
            "listed": listed,
            "inbound": inbound,
            "noInbound": no_inbound,
            "media": media,
            "uploaded": uploaded,
            "waited": waited["status"],
            "marked": marked,
            "noEnvironment": no_environment,
            "attempts": attempts,
            "told": [secret for secret in secrets if secret in repr((told, ends))],
        }
    )
)
