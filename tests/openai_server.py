"""A small HTTP server that speaks the OpenAI chat protocol, well or badly, on the loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# A behaviour gets the request's JSON and its number (from 0) and returns (status, body), or
# None to cut the connection without an answer.
Behaviour = Callable[[dict[str, Any], int], "tuple[int, bytes] | None"]


def completion(text: str, logprobs: Any = None, stop: str = "stop") -> tuple[int, bytes]:
    """Return a chat completion with one choice."""
    choice = {
        "index": 0,
        "finish_reason": stop,
        "message": {"role": "assistant", "content": text},
        "logprobs": logprobs,
    }
    body = {
        "id": "x", "object": "chat.completion", "created": 0, "model": "test", "choices": [choice],
        "usage": {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7},
    }  # fmt: skip
    return 200, json.dumps(body).encode()


def failure(status: int, message: str = "no") -> tuple[int, bytes]:
    """Return an error in OpenAI's form."""
    return status, json.dumps({"error": {"message": message, "type": "x", "code": None}}).encode()


class Server:
    """Requests seen so far and the address to reach the server at."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.requests: list[dict[str, Any]] = []
        lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                request = json.loads(self.rfile.read(length))
                with lock:
                    number = len(outer.requests)
                    outer.requests.append(request)
                answer = behaviour(request, number)
                if answer is None:
                    self.close_connection = True
                    self.connection.close()
                    return
                status, body = answer
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                with suppress(OSError):  # a client that is gone
                    self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

            def finish(self) -> None:
                with suppress(OSError, ValueError):  # the connection was cut on purpose
                    super().finish()

        self.httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.httpd.server_port}/v1"


@contextmanager
def serving(behaviour: Behaviour) -> Iterator[Server]:
    """Run a server in a thread for the length of a with block."""
    server = Server(behaviour)
    thread = threading.Thread(target=server.httpd.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.httpd.shutdown()
        server.httpd.server_close()
        thread.join()
