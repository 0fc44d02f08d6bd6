"""What verify_webhook makes of the cases of webhook.test.ts: one outcome for each."""

import copy
import email.message
import json
import pickle
import sys

from waypost import WebhookNotVerified, verify_webhook


def outcome(case, body, headers):
    try:
        return {"event": verify_webhook(body, headers, case["secret"], now=lambda: case["nowSeconds"] + 0.9)}
    except WebhookNotVerified as problem:
        for other in (pickle.loads(pickle.dumps(problem)), copy.copy(problem)):
            assert (other.code, str(other)) == (problem.code, str(problem))
        return {"code": problem.code, "message": str(problem)}
    except ValueError as mistake:
        return {"mistake": True, "message": str(mistake)}


def of_http_server(headers):
    message = email.message.Message()
    for name, value in headers.items():
        message[name] = value
    return message


def outcomes(case):
    """The same for each form of a body and of headers."""
    text = case["body"]
    headers = case["headers"]
    encoded = {name.encode(): [value.encode()] for name, value in headers.items()}
    forms = [(text, headers), (text.encode(), of_http_server(headers)), (bytearray(text.encode()), headers)]
    if all(value.isascii() for value in headers.values()):
        forms.append((text, encoded))
    first, *others = [outcome(case, *form) for form in forms]
    assert all(other == first for other in others), (first, others)
    return first


cases = json.loads(sys.argv[1])
parsed = outcome(cases[0], json.loads(cases[0]["body"]), cases[0]["headers"])
assert parsed == {"mistake": True, "message": "body: pass it as it came, as bytes or text, before anything parses it"}, parsed
for headers in (None, [("webhook-id", "evt_1")], 5):
    given = outcome(cases[0], cases[0]["body"], headers)
    assert given["mistake"] and given["message"].startswith("headers: pass a dict"), given
json.dump([outcomes(case) for case in cases], sys.stdout)
