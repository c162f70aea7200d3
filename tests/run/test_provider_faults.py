"""A provider that fails, refuses, babbles or lies: each fault ends as the right outcome, and is counted."""

import json
import threading
import time
from pathlib import Path

import anyio
import openai._base_client
import pytest
from cases import each, slow
from inspect_ai.log import read_eval_log
from inspect_ai.log._transcript import Transcript, init_transcript
from inspect_ai.model import ModelOutput, ModelUsage, _model
from inspect_ai.model import _retry as inspect_retry
from openai_server import completion, failure
from tenacity import wait_fixed

from harness.cli import tables, tables_outcomes
from harness.cli.main import main
from harness.core import fresh
from harness.core.spec import make
from harness.run import judging, models, replies

pytestmark = pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
MODEL = "model=openai-api/local/test"
NAME = "openai-api/local/test"
RIGHT = "Answer: three"
GOOD = completion(RIGHT)
SORRY = "I cannot help with that."
TEN_MB = 10_000_000


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    """Retries as usual, without the waiting of seconds and minutes between them."""
    monkeypatch.setattr(openai._base_client, "INITIAL_RETRY_DELAY", 0.01)
    monkeypatch.setattr(inspect_retry, "wait_exponential_jitter", lambda **_: wait_fixed(0.01))
    monkeypatch.setattr(replies, "PAUSE", 0.01)


@pytest.fixture
def run(toys, tmp_path, capsys):
    """Call `harness run` on the toy; return exit code, the result, its table and the samples logged."""

    def call(*words, plugin="toy_good"):
        own = [f"plugin={plugin}", f"log_dir={tmp_path / 'logs'}", MODEL, "max_retries=1"]
        taken = {word.partition("=")[0] for word in words}
        own = [word for word in own if word.partition("=")[0] not in taken]
        code = main(["run", *own, *words, "--json"])
        found = json.loads(capsys.readouterr().out)
        (result,) = found["results"]
        return code, result, tables.run(found), read_eval_log(result["log"]).samples

    return call


class Faults:
    """Gives each prompt a fault of its own, and keeps when it was asked about."""

    def __init__(self, *faults):
        self.faults, self.mine, self.times = faults, {}, {}
        self.lock = threading.Lock()

    def __call__(self, request, number):
        prompt = request["messages"][0]["content"]
        with self.lock:
            fault = self.mine.setdefault(prompt, self.faults[len(self.mine) % len(self.faults)])
            times = self.times.setdefault(prompt, [])
            times.append(time.monotonic())
            again = len(times) - 1
        return fault(again) if callable(fault) else fault

    def samples(self, samples):
        """Return (sample, how often it was asked) in the order of the faults."""
        by_fault = {id(self.mine[one.input]): (one, self.times[one.input]) for one in samples}
        return [by_fault[id(fault)] for fault in self.faults]


def altered(**changes):
    return 200, json.dumps(json.loads(GOOD[1]) | changes).encode()


def choice(finish="stop", **message):
    own = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}
    return altered(choices=[own])


def refused(code, message):
    error = {"message": message, "type": "invalid_request_error", "code": code}
    return 400, json.dumps({"error": error}).encode()


def spoilt(old, new):
    return 200, GOOD[1].replace(old, new)


HTML = {"Content-Type": "text/html"}
SHORT = {"Content-Length": str(len(GOOD[1]))}

# What passes if one only asks again.
PASSING = {
    "429": failure(429),
    "429 with a date long ago": (*failure(429), {"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}),
    "429 with an hour's wait": (*failure(429), {"Retry-After": "3600"}),
    "429 with nonsense": (*failure(429), {"Retry-After": "soon"}),
    "500": failure(500),
    "502 as a page": (502, b"<html>bad gateway</html>", HTML),
    "503 empty": (503, b""),
    "cut": lambda again: None,
    "half of it": (200, GOOD[1][:40], SHORT),
    "half of the JSON": (200, GOOD[1][:40]),
    "a page": (200, b"<html>busy</html>", HTML),
    "a page called JSON": (200, b"<html>busy</html>"),
    "nothing": (200, b""),
    "a string": (200, b'"busy"'),
    "an empty object": (200, b"{}"),
    "an error called a success": (200, b'{"error": {"message": "overloaded"}}'),
    "brackets without end": (200, b"[" * 100_000),
    "no choices": altered(choices=[]),
    "null for choices": altered(choices=None),
    "null for a message": altered(choices=[{"index": 0, "finish_reason": "stop", "message": None}]),
    "no UTF-8": spoilt(b"three", b"thr\xffee"),
    "tokens that are words": altered(usage={"prompt_tokens": "many", "completion_tokens": []}),
}  # fmt: skip

LASTING = (
    *("429", "429 with an hour's wait", "502 as a page", "cut", "half of it", "a page"),
    *("an error called a success", "no choices", "no UTF-8"),
)

# What does not: asked once, (outcome, reason), then what is kept as the output's text, where it matters.
FINAL = {
    "401": (failure(401), None),
    "404": (failure(404), None),
    "400": (failure(400, RIGHT), None),
    "right, as a page": ((*GOOD, HTML), "scored"),
    "no usage": (altered(usage=None), "scored"),
    "an unknown end": (choice("banana", content=RIGHT), "scored"),
    "filtered after the answer": (choice("content_filter", content=RIGHT), "scored"),
    "cut after the answer": (choice("length", content=f"{RIGHT}\nIt is"), "scored"),
    "cut behind a choice": (choice("length", content=RIGHT), "scored"),
    "half a character": (spoilt(b"Answer", b"\\\\ud83d\\nAnswer"), "scored"),
    "a NUL": (completion(f"\0\x1b[2J\n{RIGHT}"), "scored"),
    "null for text": (choice(content=None), "no_response"),
    "white space": (choice(content=" \n\t"), "no_response"),
    "chatter": (choice(content="as you like it"), "invalid_response_format"),
    "declined": (choice(content=None, refusal=SORRY), "refusal"),
    "declined, with an answer beside": (choice(content=RIGHT, refusal=SORRY), "refusal"),
    "filtered": (choice("content_filter", content=""), "refusal"),
    "filtered, null": (choice("content_filter", content=None), "refusal"),
    "filtered half way": (choice("content_filter", content="Let us see"), "refusal"),
    "prompt refused": (refused("content_filter", RIGHT), "refusal"),
    "prompt invalid": (refused("invalid_prompt", RIGHT), "refusal"),
    "too long a prompt": (refused("context_length_exceeded", RIGHT), "cut_off"),
    "cut while thinking": (choice("length", content="Let us see, first"), "cut_off"),
    "cut before a word": (choice("length", content=""), "cut_off"),
    "cut with two answers": (choice("length", content=f"{RIGHT}\nAnswer: t"), "cut_off"),
}


@slow
def test_what_passes_is_asked_again_and_no_item_is_lost(run, client):
    once = [
        lambda again, fault=fault: GOOD if again else fault(0) if callable(fault) else fault
        for fault in (*PASSING.values(), (*failure(429), {"Retry-After": "1"}))
    ]
    faults = Faults(*once)
    client(faults)
    code, result, _, samples = run(f"n={len(once)}", "max_connections=8")
    assert (code, result["unscored"], result["unparsed"], result["errors"]) == (0, 0, 0, [])
    asked = [len(times) for _, times in faults.samples(samples)]
    assert dict(zip(PASSING, asked, strict=False)) == dict.fromkeys(PASSING, 2)
    first, second = faults.samples(samples)[-1][1]
    assert second - first >= 0.9  # the Retry-After of one second


@slow
def test_what_does_not_pass_is_unscored_and_neither_wrong_nor_unparsed(run, client):
    lasting = {name: PASSING[name] for name in LASTING}
    faults = Faults(*lasting.values(), GOOD)
    client(faults)
    start = time.monotonic()
    code, result, table, samples = run("n=10", "max_connections=8")
    assert time.monotonic() - start < 3000  # the hour is not waited for
    assert (code, result["n"], result["unscored"], result["failed"]) == (1, 10, 9, 9)
    assert (result["unparsed"], result["unparsed_by"]) == (0, {})
    *lost, (kept, asked) = faults.samples(samples)
    assert (kept.scores["verdict"].metadata["outcome"], len(asked)) == ("scored", 1)
    for name, (sample, times) in zip(lasting, lost, strict=True):
        assert (bool(sample.error), sample.scores) in ((True, None), (True, {})), name
        # The client of OpenAI makes three of each try at a server that is busy or gone.
        assert len(times) in (2, 6), (name, len(times))
    assert (
        "WARNING: 9 of 10 items (90.0%) could not be scored and are left out of all means:" in table
    )
    why = {models.cause(one.error.traceback, one.error.message) for one, _ in lost}
    assert "EngineError: the provider's answer holds no choice" in why
    said = "EngineError: the provider's answer cannot be read: UnicodeDecodeError: 'utf-8' codec"
    assert any(one.startswith(said) for one in why)
    # The answers without a choice were paid for, like the one that was read.
    assert result["usage"][NAME]["output_tokens"] == 3 * 2
    assert f"used: {NAME}: 15 tokens in, 6 out" in table


@slow
def test_each_end_of_an_answer_has_its_outcome_and_shares_are_told(run, client, capsys):
    faults = Faults(*(fault for fault, _ in FINAL.values()))
    client(faults)
    code, result, table, samples = run(f"n={len(FINAL)}", "max_connections=8")
    found = {}
    for name, (sample, times) in zip(FINAL, faults.samples(samples), strict=True):
        assert len(times) == 1, name
        score = (sample.scores or {}).get("verdict")
        found[name] = score and (score.reason or score.metadata["outcome"])
        if score and score.reason:
            assert score.value == {"correct": 0, "unparsed": 1}, name
        json.dumps(sample.output.completion, ensure_ascii=False).encode()
    assert found == {name: expected for name, (_, expected) in FINAL.items()}
    by_name = dict(zip(FINAL, (sample for sample, _ in faults.samples(samples)), strict=True))
    for name in ("prompt refused", "too long a prompt"):
        # The provider's words are no answer of the model's, whatever they look like.
        assert (by_name[name].output.completion, by_name[name].output.error) == ("", RIGHT)
    note = by_name["declined"].scores["verdict"].explanation
    assert note.endswith("The model or its provider refused to answer.")
    assert "was cut off" in by_name["cut while thinking"].scores["verdict"].explanation

    assert (code, result["unscored"], result["failed"]) == (1, 3, 3)
    shares = result["unparsed_by"]
    assert list(shares) == ["refusal", "cut_off", "no_response", "invalid_response_format"]
    assert shares["refusal"] == pytest.approx(7 / 22, abs=1e-6)
    assert sum(shares.values()) == pytest.approx(result["unparsed"], abs=1e-5)
    line = (
        "unparsed: 63.6% of the scored answers could not be read "
        "(refused 31.8%, cut off 18.2%, empty 9.1%, unreadable 4.5%)"
    )
    assert line in table.splitlines()
    assert (
        "WARNING: 3 of 25 items (12.0%) could not be scored and are left out of all means:" in table
    )
    # All but the three errors, the three refusals in the form of errors and the one without usage.
    assert result["usage"][NAME]["output_tokens"] == 2 * (len(FINAL) - 7)

    assert main(["score", result["log"], "--json"]) == 1
    anew = json.loads(capsys.readouterr().out)
    assert (anew["changes"]["changed"], anew["unparsed_by"], anew["usage"]) == (
        0,
        shares,
        result["usage"],
    )


def test_a_server_that_hangs_holds_no_run_up(run, client, tmp_path):
    """A machine that is held up has no time to ask, or to be answered, in two seconds: then with more of them."""
    for seconds in (2, 15, 60):
        try:
            hangs(run, client, tmp_path / f"{seconds}", seconds)
            break
        except AssertionError:
            if seconds == 60:
                raise
        _model._models.clear()  # they know the server of the try before


def hangs(run, client, logs, seconds):
    over = threading.Event()

    def dripping():
        while not over.wait(0.2):
            yield b" "

    faults = Faults(
        lambda again: over.wait() and GOOD,  # as long as the run goes on
        lambda again: (200, dripping(), {"Content-Length": "1000000"}),
        (*failure(429), {"Retry-After": "110"}),  # short enough to be waited for
        GOOD,
    )
    client(faults)
    try:
        code, result, _, samples = run("n=4", f"timeout={seconds}", f"log_dir={logs}")
    finally:
        over.set()
    assert (code, result["unscored"], result["unparsed"]) == (1, 3, 0)
    assert len(faults.mine) == 4  # each was asked about
    *lost, (kept, _) = faults.samples(samples)
    assert kept.scores
    assert [len(times) for _, times in lost] == [2, 2, 2]
    timeout = f"AttemptTimeoutError: attempt_timeout '{seconds}' exceeded."
    hung, refused = result["errors"]
    assert hung == f"2 × {timeout}"
    assert "429 Too Many Requests" in refused
    assert refused.endswith(f"; then {timeout}")
    # Inspect's own retry of the log has the same patience.
    assert read_eval_log(result["log"], header_only=True).plan.config.attempt_timeout == seconds


def test_a_try_has_an_end_without_the_key_too():
    given = {
        "temperature": 0.0,
        "top_p": None,
        "max_tokens": 9,
        "max_retries": 0,
        "max_connections": None,
    }
    assert models.options({**given, "timeout": None}) == {
        "temperature": 0.0, "max_tokens": 9, "max_retries": 0, "attempt_timeout": models.TIMEOUT,
    }  # fmt: skip
    assert models.options({**given, "timeout": 7})["attempt_timeout"] == 7


@slow
def test_many_that_are_told_to_slow_down_do_not_wait_for_each_other_for_ever(run, client):
    faults = Faults(lambda again: GOOD if again >= 4 else failure(429))
    server = client(faults)
    code, result, _, _ = run("n=6", "max_connections=2")
    assert (code, result["unscored"], len(server.requests)) == (0, 0, 6 * 5)


@slow
def test_ten_megabytes_are_read_judged_and_logged(run, client):
    faults = Faults(
        completion("x" * TEN_MB),
        GOOD,
        (500, b"y" * TEN_MB, {"x-should-retry": "false"}),
    )
    client(faults)
    code, result, table, samples = run("n=3", "max_retries=0")
    assert (code, result["unscored"], result["unparsed"]) == (1, 1, 0.5)
    (unread, _), (read, _), (lost, asked) = faults.samples(samples)
    assert unread.scores["verdict"].reason == "invalid_response_format"
    assert read.scores["verdict"].answer == "three"
    assert len(unread.output.completion) == TEN_MB
    assert (bool(lost.error), len(asked)) == (True, 1)
    assert Path(result["log"]).stat().st_size < 2_000_000
    assert max(map(len, table.splitlines())) < 300


USAGE = {
    "negative": ({"prompt_tokens": 5, "completion_tokens": -7, "total_tokens": -2}, (5, None)),
    "huge": ({"prompt_tokens": 10**30, "completion_tokens": 3, "total_tokens": 10**30}, (None, 3)),
}


@pytest.mark.parametrize("kind", USAGE)
def test_tokens_that_cannot_be_are_unknown_and_cost_no_answer(run, client, kind):
    told, (read, written) = USAGE[kind]
    client(lambda request, number: altered(usage=told))
    code, result, table, samples = run("n=1")
    assert (code, result["unscored"], samples[0].scores["verdict"].answer) == (0, 0, "three")
    used = result["usage"][NAME]
    assert (used["input_tokens"], used["output_tokens"]) == (read, written)
    assert result["output_tokens"] == (
        written and {"value": 3, "ci_low": None, "ci_high": None, "stderr": None}
    )
    words = ["unknown" if count is None else count for count in (read, written)]
    assert f"used: {NAME}: {words[0]} tokens in, {words[1]} out" in table


def test_cost_and_cached_tokens_are_told_where_they_are_known():
    spent = {
        "x/y": ModelUsage(input_tokens=1000, input_tokens_cache_read=234, output_tokens=5, total_cost=0.0125),
        "harness/reference": ModelUsage(input_tokens=5),
    }  # fmt: skip
    used = models.usage(spent)
    assert list(used) == ["x/y"]
    assert used["x/y"]["input_tokens_cache_read"] == 234
    assert tables_outcomes.used(used["x/y"]) == "1,234 tokens in, 5 out, 0.0125 USD"


def test_a_vote_goes_on_without_the_sample_that_failed_and_says_so(run, client):
    faults = Faults(lambda again: failure(400) if again == 1 else GOOD)
    client(faults)
    code, result, table, samples = run("n=1", "samples=3", "max_connections=1")
    assert (code, result["n"], result["unscored"], result["failed"]) == (1, 1, 0, 1)
    assert result["usage"][NAME]["output_tokens"] == 4
    assert sum(bool(sample.error) for sample in samples) == 1
    (reduced,) = read_eval_log(result["log"]).reductions[0].samples
    assert (reduced.metadata["votes"], reduced.metadata["of"]) == ({"three": 2}, 2)
    warning = "WARNING: some samples failed; their items are judged by the remaining samples:"
    assert f"{warning}\n  1 × BadRequestError: Error code: 400 - no" in table


STAGE = {
    "fails": (failure(400), None),
    "declines": (choice(content=None, refusal=SORRY), "refusal"),
    "is cut": (choice("length", content="Let us see"), "cut_off"),
    "is refused": (refused("content_filter", RIGHT), "refusal"),
}


@pytest.mark.parametrize("end", STAGE)
def test_a_stage_that_ends_badly_spoils_its_item_and_keeps_what_was_paid(run, client, end):
    fault, reason = STAGE[end]
    # The first two say "three", so that the last is asked for their sum.
    client(
        lambda request, number: fault if "3 plus 3" in request["messages"][0]["content"] else GOOD
    )
    code, result, _, samples = run("n=1", "strategy=parts", plugin="toy_staged")
    assert (code, result["unscored"]) == ((0, 0) if reason else (1, 1))
    assert (samples[0].scores["verdict"].reason if reason else samples[0].scores) == (reason or {})
    answered = 2 if end in ("fails", "is refused") else 3
    assert result["usage"][NAME]["output_tokens"] == 2 * answered


CUT = ("max_tokens", "model_length", "content_filter")


@each(
    ("text", "stop", "outcome", "answer"),
    [
        *[("Answer: three", stop, "unparsed", None) for stop in CUT],
        *[("Answer: three", stop, "scored", "three") for stop in ("stop", "unknown")],
        *[("Answer: three\n", stop, "scored", "three") for stop in CUT],
        ("Answer: three\nIt is", "max_tokens", "scored", "three"),
        ("Answer: three\nAnswer: three", "max_tokens", "scored", "three"),
        ("", "max_tokens", "unparsed", None),
    ],
)
def test_of_an_open_answer_that_may_be_half_the_unfinished_line_does_not_count(
    toys, text, stop, outcome, answer
):
    plugin = toys("NoConstants")
    (item,) = fresh.items(plugin, make(plugin, {"n": 1}))
    output = ModelOutput.from_content("m", text, stop_reason=stop)
    found = judging.judged_cut(plugin, item, output.completion, replies.complete_lines(output))
    assert (found.outcome, found.answer) == (outcome, answer)


def test_what_is_no_fault_of_the_provider_is_not_asked_again():
    calls = []

    async def generate(state, **config):
        calls.append(config)
        raise TypeError("a tool of ours")

    async def asked():
        init_transcript(Transcript())  # an earlier test's may end with a call that failed
        await replies.reply(None, generate, {})

    with pytest.raises(TypeError, match="a tool of ours"):
        anyio.run(asked)
    assert len(calls) == 1
