"""Items: what is asked for is what is made, prompts are read back, certificates do not bend."""

import copy

import pytest
from harness_timetables import certificate, weaknesses
from harness_timetables.answers import explain
from harness_timetables.reading import MAX_PROMPT, read
from harness_timetables.wording import write
from hypothesis import given
from hypothesis import strategies as st
from timetables_items import item_of, timetables

from harness import ExhaustedError


@given(timetables())
def test_every_prompt_is_read_back(given_problem):
    prompt = write(given_problem)
    assert read(prompt) == given_problem
    assert (
        read(f"Dear model!\n\n{prompt}\n\nThink step by step before you answer.") == given_problem
    )
    other = given_problem | {"change": given_problem["change"] + 1}
    assert read(f"{write(other)}\n\n{prompt}") == given_problem  # the last one counts


@given(st.integers(0, 10**6), st.data())
def test_a_prompt_with_a_letter_changed_is_another_problem_or_none(seed, data):
    item = item_of(0, seed)
    at = data.draw(st.integers(0, len(item.prompt) - 1))
    letter = data.draw(st.sampled_from("x0Q:- \n"))
    changed = item.prompt[:at] + letter + item.prompt[at + 1 :]
    found = read(changed)
    assert found is None or write(found) in changed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What is the capital of France?",
        "These trains run today, and no others.",
        "Stations: A.\nTrain 1: A 9999",
        "x" * (MAX_PROMPT + 1),
    ],
)
def test_a_foreign_text_is_no_prompt(text):
    assert read(text) is None


@pytest.mark.parametrize(
    "config", [{}, {"changes": 0}, {"changes": 1, "stations": 4}, {"never": False}], ids=str
)
def test_items_are_as_hard_as_asked_for(config):
    items = [item_of(index, **config) for index in range(12)]
    journeys = [item.features["changes"] for item in items if item.target != "never"]
    assert set(journeys) == {config.get("changes", 2)}
    assert len(journeys) == (12 if config.get("never") is False else 9)
    for item in items:
        found = {one["kind"] for one in weaknesses.findings(item)}
        assert found <= ({"direct"} if config.get("changes") == 0 else set())


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"changes": 3, "stations": 4}, "changes=3 takes at least stations=5, not 4"),
        ({"changes": 1, "trains": 2}, "changes=1 takes at least trains=3, not 2"),
    ],
)
def test_what_cannot_be_is_said_at_once(config, message):
    with pytest.raises(ExhaustedError, match=message):
        item_of(**config)


def tampered(proof):
    """Certificates that are almost the right one."""
    journey, earliest = proof["journey"], proof["earliest"]
    yield {"journey": None, "earliest": earliest}
    yield {"journey": [], "earliest": earliest}
    yield {"journey": journey[1:], "earliest": earliest}
    yield {"journey": journey[:-1], "earliest": earliest}
    yield {"journey": journey[::-1], "earliest": earliest}
    yield {
        "journey": [[number, target, source] for number, source, target in journey],
        "earliest": earliest,
    }
    yield {
        "journey": [[number + 100, source, target] for number, source, target in journey],
        "earliest": earliest,
    }
    yield {"journey": [[True, *leg[1:]] for leg in journey], "earliest": earliest}
    yield {"journey": journey, "earliest": earliest[1:]}
    for place, minute in enumerate(earliest):
        if minute is not None:
            yield {
                "journey": journey,
                "earliest": [*earliest[:place], minute + 1, *earliest[place + 1 :]],
            }
            yield {
                "journey": journey,
                "earliest": [*earliest[:place], None, *earliest[place + 1 :]],
            }
            yield {
                "journey": journey,
                "earliest": [*earliest[:place], float(minute), *earliest[place + 1 :]],
            }


@given(st.integers(0, 10**6))
def test_a_certificate_does_not_bend(seed):
    item = item_of(0, seed, never=False)
    assert certificate.errors(item) == []
    before = copy.deepcopy(item.certificate)
    for fake in tampered(item.certificate):
        object.__setattr__(item, "certificate", fake)
        assert certificate.errors(item), fake
    assert before["journey"][-1][2] == item.problem["to"]


@given(st.integers(0, 10**6))
def test_a_solution_in_words_leads_to_the_target(seed):
    item = item_of(seed % 4, seed)
    lines = explain.worked(item).splitlines()
    goal = item.problem["stations"][item.problem["to"]]
    if item.target == "never":
        assert lines[-1].endswith(f"goes on to {goal}.")
        assert not any(line.startswith(f"{goal}:") for line in lines)
    else:
        assert f"arrives at {item.target.replace(':', '')};" in next(
            line for line in lines if line.startswith(f"{goal}:")
        )
