"""The same sends as faultySends.ts, with the Python client."""

import json
import os
from concurrent.futures import ThreadPoolExecutor

from waypost import Client, NoAnswer

sends = json.loads(os.environ["SENDS"])


def client(attempts):
    key = sends["apiKey"], sends["apiSecret"]
    timeout = sends["timeoutMs"] / 1000
    return Client(sends["url"], *key, timeout=timeout, attempts=attempts, sleep=lambda _: None)


def send(fault):
    text = {"type": "text", "phone": "+15550150100", "content": f"{sends['caller']}: {fault}"}
    try:
        return "answered", client(1).send(text)["id"]
    except NoAnswer as error:
        key = error.idempotency_key
    except Exception as error:
        return repr(error), ""
    try:
        return "NoAnswer", client(6).send({**text, "idempotencyKey": key})["id"]
    except Exception as error:
        return "NoAnswer", repr(error)


with ThreadPoolExecutor(len(sends["faults"])) as pool:
    print(json.dumps(dict(zip(sends["faults"], pool.map(send, sends["faults"])))))
