"""Failures of a provider are told at the first one, and a lost sample names the cause of each."""

import json
import re
import socket

import openai._base_client
import pytest
from cases import slow
from inspect_ai.model import _retry as inspect_retry
from openai_server import completion, failure
from tenacity import wait_fixed

from harness.cli.main import main

GOOD = completion("Answer: three")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(openai._base_client, "INITIAL_RETRY_DELAY", 0.01)
    monkeypatch.setattr(inspect_retry, "wait_exponential_jitter", lambda **_: wait_fixed(0.01))


@pytest.fixture
def run(toys, tmp_path, capsys):
    """Run the toy against the server of `client`; return the exit code, the result and standard error's lines."""

    def call(*words):
        code = main([
            "run", "plugin=toy_good", f"log_dir={tmp_path / 'logs'}", "model=openai-api/local/test",
            *words, "--json",
        ])  # fmt: skip
        out, err = capsys.readouterr()
        return code, json.loads(out)["results"][0], err.splitlines()

    return call


@pytest.fixture
def dead(monkeypatch):
    """Point the client at a port where nobody listens; return its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}/v1"
    monkeypatch.setenv("LOCAL_API_KEY", "none")
    monkeypatch.setenv("LOCAL_BASE_URL", url)
    return url


@slow
def test_a_dead_server_is_told_at_the_first_refusal_and_named_in_the_result(run, dead):
    code, result, err = run("n=6", "max_retries=2", "max_connections=6")
    cause = f"cannot connect to {dead}: Connection refused"
    tries = [line for line in err if "(try " in line]
    assert tries == [f"openai-api/local/test: {cause} (try {k} of 3)" for k in (1, 2, 3)]
    assert (code, result["unscored"], result["errors"]) == (1, 6, [f"6 × {cause}"])


def test_a_name_that_no_server_has_is_told_in_words(run, dead, monkeypatch):
    monkeypatch.setenv("LOCAL_BASE_URL", "http://nowhere.invalid/v1")
    _, result, _ = run("n=1", "max_retries=0")
    (cause,) = result["errors"]
    assert cause.startswith("1 × cannot connect to http://nowhere.invalid/v1: ")
    assert "name" in cause.rpartition(": ")[2].casefold()


def test_when_one_gave_up_on_a_dead_server_the_others_do_not_wait_as_long(run, dead, monkeypatch):
    waits = []

    def wait(state):
        waits.append(state.attempt_number)
        return 0.01

    monkeypatch.setattr(inspect_retry, "wait_exponential_jitter", lambda **_: wait)
    _, result, _ = run("n=9", "max_retries=1", "max_connections=1", "max_samples=1")
    assert (result["unscored"], waits) == (9, [1, 2])
    assert result["errors"] == [f"9 × cannot connect to {dead}: Connection refused"]


def test_a_server_that_answered_once_is_asked_for_every_item(run, client):
    server = client(lambda request, number: None if number else GOOD)
    _, result, _ = run("n=4", "max_retries=0", "max_connections=1")
    assert result["unscored"] == 3
    assert len(server.requests) == 1 + 3 * 3  # the client makes three of each try


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        ((*failure(429, "slow down"), {"Retry-After": "100"}), "429"),
        ((*failure(500, "oops"), {"Retry-After": "100"}), "500"),
    ],
)
def test_the_cause_stays_when_the_wait_for_the_next_try_takes_too_long(run, client, fault, cause):
    client(lambda request, number: fault)
    _, result, err = run("n=1", "max_retries=0", "timeout=1")
    (error,) = result["errors"]
    assert re.search(rf"{cause}.*; then AttemptTimeoutError", error), error
    assert any(cause in line and "(try 1 of 1)" in line for line in err)


def test_a_cause_before_the_last_one_is_named_too(run, client):
    answers = {0: failure(503, "busy"), 1: (*failure(401, "who are you"), {})}
    client(lambda request, number: answers[min(number // 3, 1)])
    _, result, _ = run("n=1", "max_retries=3")
    (error,) = result["errors"]
    assert re.search(r"503.*; then .*401", error), error


def test_a_cut_connection_is_named_as_one_and_never_as_refused(run, client):
    client(lambda request, number: None)
    _, result, err = run("n=1", "max_retries=0")
    (error,) = result["errors"]
    assert "APIConnectionError" in error
    assert "RemoteProtocolError" in error
    assert "cannot connect" not in error
    assert len([line for line in err if "(try 1 of 1)" in line]) == 1


@slow
def test_no_flood_of_lines(run, client):
    client(lambda request, number: failure(500, f"request {number} failed"))
    run_of_many = run("n=12", "max_retries=1", "max_connections=12")
    assert len([line for line in run_of_many[2] if "(try " in line]) <= 20


def test_faults_that_pass_are_told_and_leave_no_trace_in_the_result(run, client):
    client(lambda request, number: GOOD if number >= 3 else failure(503, "busy"))
    code, result, err = run("n=1", "max_retries=2")
    assert (code, result["errors"], result["unscored"]) == (0, [], 0)
    assert any("503" in line and "(try 1 of 3)" in line for line in err)
