"""A process of our own that serves one request: a line of JSON on standard input, the reply a line on its output.

Unlike a guarded worker it has this user's environment, for it asks models. Its input stays open as long as whoever
asked for it is there; when that closes, it stops as on Ctrl-C: what is finished is kept.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from typing import Any

from harness_errors import EngineError, HarnessError, named

from harness.run.startup import settle

SECONDS = 86_400.0  # the longest that a task of an engine may take
MEMORY_MB = 8_192  # of address space, for a worker that generates: engines have their own workers
PATIENCE = 20.0  # seconds to write down what is finished, once nobody waits for it any more
_TAIL = 2_000  # characters kept of what a process said last
_LINES = 200


def serve(work: Callable[[dict[str, Any]], Any]) -> int:
    """Do what the first line of the input asks for, in JSON, and print the result as a line of JSON."""
    settle()
    request = json.loads(sys.stdin.buffer.readline())
    out = sys.stdout
    with redirect_stdout(sys.stderr):
        try:
            threading.Thread(target=_until_left, daemon=True).start()
            reply: dict[str, Any] = {"ok": work(request)}
        except HarnessError as error:
            reply = {"error": [type(error).__name__, str(error)]}
        except KeyboardInterrupt as error:
            sys.stderr.write(f"interrupted; {error}\n" if str(error) else "interrupted\n")
            return 130
    out.write(json.dumps(reply) + "\n")
    out.flush()
    return 0


def _until_left() -> None:
    """Interrupt this process when its input closes, and end it if that does not."""
    # Not through sys.stdin: at the end of the program Python wants what a thread that reads would hold.
    while os.read(sys.stdin.fileno(), 65_536):
        pass
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(PATIENCE)
    os._exit(130)


class Process:
    """A process that serves one request by ``python -m module``, seen from who asked for it.

    ``what`` names its work in messages; ``tell`` is given each line that it says on standard error.
    """

    def __init__(
        self,
        request: dict[str, Any],
        module: str,
        what: str,
        tell: Callable[[str], object] = lambda line: None,
    ) -> None:
        self._tell = tell
        self._what = what
        self._lock = threading.Lock()
        inner, self._held = os.pipe()
        with open(inner, "rb", closefd=True) as lifeline:  # noqa: PTH123
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and a module of ours
                [sys.executable, "-P", "-m", module],
                stdin=lifeline, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sys.path))},
                start_new_session=True,  # Ctrl-C reaches it through us alone
            )  # fmt: skip
        self._line = (json.dumps(request) + "\n").encode()
        self._reader: threading.Thread | None = None

    def result(self) -> dict[str, Any]:
        """Wait for the result.

        Raises:
            HarnessError: the work's own, of the same class and with the same message.
            EngineError: the process ended without a word.
        """
        out, errors = self._process.stdout, self._process.stderr
        assert out is not None
        assert errors is not None
        last_lines: deque[bytes] = deque(maxlen=_LINES)

        def listen() -> None:
            for line in errors:
                last_lines.append(line)
                self._tell(line.decode(errors="replace").rstrip("\n"))

        self._reader = reader = threading.Thread(target=listen, daemon=True)
        reader.start()
        with suppress(OSError):  # it is gone: what it said tells why
            os.write(self._held, self._line)
        line = out.readline()
        code = self._process.wait()
        reader.join()
        out.close()
        errors.close()
        self.leave()
        return _read(line, code, b"".join(last_lines), self._what)

    def leave(self) -> None:
        """Have the process write down what is finished and end, as it does when this one dies."""
        with self._lock:
            held, self._held = self._held, -1
            if held >= 0:
                os.close(held)

    def end(self) -> None:
        """Wait for the process that was left; kill it if it does not end."""
        try:
            self._process.wait(PATIENCE + 5)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def interrupt(self) -> None:
        """Have the process write down what is finished, wait for its end, and let go of its pipes."""
        self.leave()
        self.end()
        if self._reader is not None:  # what it said last is heard
            self._reader.join(PATIENCE)
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()


def _read(line: bytes, code: int, errors_text: bytes, what: str) -> dict[str, Any]:
    try:
        reply = json.loads(line)
        if "ok" in reply:
            result: dict[str, Any] = reply["ok"]
            return result
        kind, message = reply["error"]
    except (ValueError, KeyError, TypeError):
        lines = errors_text.decode(errors="replace")[-_TAIL:].strip().splitlines()
        last = lines[-1] if lines else "it said nothing"
        raise EngineError(f"the process of {what} ended with code {code}: {last[:200]}") from None
    raise named(kind, message)
