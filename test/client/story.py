"""The same story as story.ts, with the Python client."""

import json
import os

from waypost import Client, GatewayRefusal, MessageFailed

kit = json.loads(os.environ["KIT"])
gateway = Client(kit["url"], kit["apiKey"], kit["apiSecret"])


def code_of(call):
    try:
        call()
    except GatewayRefusal as refusal:
        return refusal.code


text = {"type": "text", "phone": "+15550150100", "content": "Your parcel is on its way."}
sent = gateway.send({**text, "idempotencyKey": "order-1"})
read = gateway.wait_for(sent["id"], "READ")
replay = gateway.send({**text, "idempotencyKey": "order-1"})
templates = gateway.templates(name="order_confirmation")
conflict = code_of(lambda: gateway.send({**text, "content": "Another", "idempotencyKey": "order-1"}))
unknown = code_of(lambda: gateway.status("msg_nothing"))
stranger = code_of(lambda: Client(kit["url"], kit["apiKey"], "sk_wrong").templates())
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
            "isReplay": replay["idempotentReplay"] and replay["id"] == sent["id"],
            "templates": sorted({template["name"] for template in templates}),
            "conflict": conflict,
            "unknown": unknown,
            "stranger": stranger,
            "failed": failed,
        }
    )
)
