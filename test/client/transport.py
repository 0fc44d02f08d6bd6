"""What the Python client promises without a gateway; transport.test.ts has the same of the other client."""

import copy
import json
import math
import pickle
import socket
import threading
import unittest
from unittest import mock

from waypost import Client, GatewayRefusal, MessageFailed, NoAnswer, WaitTimeout

TEXT = {"type": "text", "phone": "+15550150100", "content": "Hi"}
MESSAGE = {"id": "msg_1", "status": "FAILED", "failureReason": "blocked"}
ERRORS = [
    GatewayRefusal(409, "IDEMPOTENCY_CONFLICT", "No.", {"a": 1}, "r1", 7, "order-1"),
    NoAnswer("No whole answer of the gateway came.", "order-1", 7),
    MessageFailed(MESSAGE),
    WaitTimeout(MESSAGE, 120.0),
]


class Errors(unittest.TestCase):
    def test_leave_a_process_with_their_fields(self):
        for error in ERRORS:
            error.noted = "by the caller"
            copies = [pickle.loads(pickle.dumps(error, way)) for way in range(pickle.HIGHEST_PROTOCOL + 1)]
            for other in [*copies, copy.copy(error), copy.deepcopy(error)]:
                with self.subTest(error=repr(error)):
                    self.assertIs(type(other), type(error))
                    self.assertEqual((str(other), other.args, vars(other)), (str(error), error.args, vars(error)))


class Limits(unittest.TestCase):
    def refused(self, problem, calls):
        for call in calls:
            with self.assertRaises(ValueError) as caught:
                call()
            self.assertEqual(str(caught.exception), problem)

    def test_what_can_be_no_time_limit_is_refused_at_once(self):
        client = client_at("http://127.0.0.1:1")
        for timeout in (0, -1, math.nan, math.inf, 2_147_484, "5"):
            calls = [
                lambda: client_at("http://127.0.0.1:1", timeout=timeout),
                lambda: client.send(TEXT, timeout=timeout),
                lambda: client.status("msg_1", timeout=timeout),
                lambda: client.templates(timeout=timeout),
                lambda: client.wait_for("msg_1", "SENT", timeout=timeout),
                lambda: client.wait_until_final("msg_1", timeout=timeout),
                lambda: client.each_final(["msg_1"], timeout=timeout),
            ]
            with self.subTest(timeout=timeout):
                self.refused("timeout: pass seconds, more than 0 and at most 2147483", calls)

    def test_what_can_be_no_number_of_attempts_is_refused_at_once(self):
        client = client_at("http://127.0.0.1:1")
        for attempts in (0, -3, 1.5, math.inf, 1_001):
            calls = [
                lambda: client_at("http://127.0.0.1:1", attempts=attempts),
                lambda: client.send(TEXT, attempts=attempts),
            ]
            with self.subTest(attempts=attempts):
                self.refused("attempts: pass a whole number from 1 to 1000", calls)

    def test_what_can_be_no_id_is_refused_at_once(self):
        client = client_at("http://127.0.0.1:1")
        for given in ("", None, 5):
            calls = [
                lambda: client.status(given),
                lambda: client.cancel(given),
                lambda: client.reschedule(given, "2026-03-01T09:00:00Z"),
                lambda: client.inbound_message(given),
                lambda: client.mark_read(given),
                lambda: client.media(given),
                lambda: client.contact(given),
            ]
            with self.subTest(id=given):
                self.refused("id: pass the id of what is meant, as the gateway gave it; it is empty, or no text", calls)

    def test_none_is_no_limit_of_a_client(self):
        self.refused(
            "timeout: pass seconds, more than 0 and at most 2147483",
            [lambda: client_at("http://127.0.0.1:1", timeout=None)],
        )
        self.refused(
            "attempts: pass a whole number from 1 to 1000", [lambda: client_at("http://127.0.0.1:1", attempts=None)]
        )

    def test_the_largest_time_limit_is_taken(self):
        ended = attempt_at(whole(MESSAGE), timeout=2_147_483)
        self.assertEqual((ended.status, ended.problem), (201, None))

    def test_as_many_attempts_as_can_be_are_made(self):
        client = Client("http://127.0.0.1:1", "pk_1", "sk_1", attempts=1_000, sleep=lambda _: None)
        connection = mock.patch.object(client._connection.opener, "open", side_effect=OSError("unreachable"))
        with connection as opened, self.assertRaises(NoAnswer):
            client.status("msg_1")
        self.assertEqual(opened.call_count, 1_000)


class AnswerThatIsNotWhole(unittest.TestCase):
    def is_none(self, ended):
        self.assertIsInstance(ended.problem, NoAnswer)
        self.assertRegex(str(ended.problem), "^No whole answer of the gateway came: ")
        self.assertEqual((ended.status, ended.request_id), (None, None))

    def test_has_no_status_when_it_is_cut(self):
        for status in ("201 Created", "409 Conflict"):
            for body in (b"", b'{"success":'):
                with self.subTest(status=status, body=body):
                    self.is_none(attempt_at(head(status, 500) + body))

    def test_has_no_status_when_it_is_too_large(self):
        with mock.patch("waypost.transport.ANSWER_BYTES_MAX", 10):
            self.is_none(attempt_at(whole(MESSAGE)))
            self.is_none(attempt_at(b"HTTP/1.1 201 Created\r\n\r\n" + b" " * 11))


def head(status, length):
    return f"HTTP/1.1 {status}\r\nX-Request-Id: r1\r\nContent-Length: {length}\r\n\r\n".encode()


def whole(message):
    body = json.dumps({"success": True, "data": message}).encode()
    return head("201 Created", len(body)) + body


def client_at(url, **options):
    return Client(url, "pk_1", "sk_1", **options)


def attempt_at(answer, **options):
    """Sends once to a server that gives this answer and closes the connection. Returns what a hook learns of it."""
    ends = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            connection, _ = server.accept()
            with connection:
                received = b""
                while not received.endswith(b"}"):
                    received += connection.recv(65_536)
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        client = client_at(f"http://127.0.0.1:{server.getsockname()[1]}", attempts=1, after_attempt=ends.append, **options)
        try:
            client.send(TEXT)
        except NoAnswer:
            pass
        finally:
            thread.join()
    return ends[0]


if __name__ == "__main__":
    unittest.main()
