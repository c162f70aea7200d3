"""A small HTTP server that speaks OpenAI's two protocols, well or badly, on the loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# An answer is (status, body) or (status, body, headers); a header of the same name replaces the
# server's own, so that a Content-Length may promise more than there is. With that header the body
# may come in parts.
Answer = tuple[int, bytes] | tuple[int, Iterable[bytes], dict[str, str]]

# A behaviour gets the request's JSON and its number (from 0) and returns an answer, or None to cut
# the connection without one.
Behaviour = Callable[[dict[str, Any], int], Answer | None]


def completion(
    text: str,
    logprobs: Any = None,
    stop: str = "stop",
    tokens: int | None = 2,
    call: tuple[str, dict[str, Any]] | None = None,
) -> tuple[int, bytes]:
    """Return a chat completion with one choice; ``call`` names a tool with its arguments."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if call is not None:
        function = {"name": call[0], "arguments": json.dumps(call[1])}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
        stop = "tool_calls"
    choice = {"index": 0, "finish_reason": stop, "message": message, "logprobs": logprobs}
    body = {
        "id": "x", "object": "chat.completion", "created": 0, "model": "test", "choices": [choice],
    }  # fmt: skip
    if tokens is not None:
        body["usage"] = {
            "prompt_tokens": 5, "completion_tokens": tokens, "total_tokens": 5 + tokens,
        }  # fmt: skip
    return 200, json.dumps(body).encode()


def response(
    text: str, source: tuple[str, str] | None = None, tokens: int = 2
) -> tuple[int, bytes]:
    """Return an answer of the Responses API; with a source (title, address) after a web search."""
    part: dict[str, Any] = {"type": "output_text", "text": text, "annotations": []}
    output: list[dict[str, Any]] = [
        {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}
    ]  # fmt: skip
    if source is not None:
        action = {"type": "search", "query": "dates"}
        output.insert(
            0, {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": action}
        )
        part["annotations"].append({
            "type": "url_citation", "title": source[0], "url": source[1],
            "start_index": 0, "end_index": len(text),
        })  # fmt: skip
    body = {
        "id": "resp_1", "object": "response", "created_at": 0, "model": "gpt-4o", "output": output,
        "status": "completed", "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
        "error": None, "incomplete_details": None, "instructions": None, "metadata": {},
        "usage": {
            "input_tokens": 5, "output_tokens": tokens, "total_tokens": 5 + tokens,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }  # fmt: skip
    return 200, json.dumps(body).encode()


def failure(status: int, message: str = "no") -> tuple[int, bytes]:
    """Return an error in OpenAI's form."""
    return status, json.dumps({"error": {"message": message, "type": "x", "code": None}}).encode()


class _Httpd(ThreadingHTTPServer):
    # Of the five that the library lets wait, a sixth client would give up where this process stalls.
    request_queue_size = 128


class Server:
    """Requests seen so far and the address to reach the server at."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                body = self.rfile.read(length)
                if len(body) < length:  # its sender was killed: it never arrived
                    return
                request = json.loads(body)
                with lock:
                    number = len(outer.requests)
                    outer.requests.append(request)
                    outer.paths.append(self.path)
                answer = behaviour(request, number)
                if answer is None:
                    self.close_connection = True
                    self.connection.close()
                    return
                status, body, *more = answer
                parts = [body] if isinstance(body, bytes) else body
                length = {"Content-Length": str(len(body))} if isinstance(body, bytes) else {}
                headers = {"Content-Type": "application/json"} | length
                headers |= more[0] if more else {}
                with suppress(OSError):  # a client that is gone
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    for part in parts:
                        self.wfile.write(part)
                # As this is HTTP/1.0, the connection ends here, whatever length was promised.

            def log_message(self, *_: Any) -> None:
                pass

            def finish(self) -> None:
                with suppress(OSError, ValueError):  # the connection was cut on purpose
                    super().finish()

        self.httpd = _Httpd(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.httpd.server_port}/v1"


@contextmanager
def serving(behaviour: Behaviour) -> Iterator[Server]:
    """Run a server in a thread for the length of a with block."""
    server = Server(behaviour)
    thread = threading.Thread(target=server.httpd.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.httpd.shutdown()
        server.httpd.server_close()
        thread.join()
