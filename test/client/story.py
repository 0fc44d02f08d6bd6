"""The same story as story.ts, with the Python client."""

import json
import os

from waypost import Client, GatewayRefusal, MessageFailed, NoAnswer

kit = json.loads(os.environ["KIT"])
gateway = Client(kit["url"], kit["apiKey"], kit["apiSecret"])


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

print(
    json.dumps(
        {
            "sent": sent["status"],
            "read": read["status"],
            "queued": queued["status"],
            "isReplay": replay["idempotentReplay"] and replay["id"] == sent["id"],
            "templates": sorted({template["name"] for template in templates}),
            "conflict": conflict,
            "unknown": unknown,
            "stranger": stranger,
            "redirected": redirected,
            "noStatus": no_status,
            "noAddress": sorted(no_address),
            "noKey": no_key,
            "failed": failed,
        }
    )
)
