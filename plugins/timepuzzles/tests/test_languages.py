"""Prompts in other languages: the same puzzles, read back letter by letter, and answers in these languages."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cases import each
from harness_timepuzzles import facts, wording
from harness_timepuzzles.answers.extraction import Answer, extract
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.languages.language import OTHERS, LanguageError, all_clues, of
from harness_timepuzzles.problem import Problem
from harness_timepuzzles.reading import read

from harness import HarnessError, Item
from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make

PLUGIN = registry().get("timepuzzles")
MODES = ("implicit", "spelled", "explicit")
FORMS = [(language, mode) for language in OTHERS for mode in MODES]


@cache
def generated(n: int, **config: Any) -> tuple[Item, ...]:
    return tuple(fresh.items(PLUGIN, make(PLUGIN, {"n": n, **config})))


@cache
def problems(mode: str) -> tuple[dict[str, Any], ...]:
    """Some hundred puzzles in one of the three forms."""
    puzzles = [item.problem for item in generated(210, solutions="1-20", necessary="event")]
    return tuple(spelled(puzzle, mode) for puzzle in puzzles)


def spelled(problem: dict[str, Any], mode: str) -> dict[str, Any]:
    first, last = map(date.fromisoformat, problem["range"])
    clues = [
        clue.explicit(first, last)
        if mode == "explicit" or (mode == "spelled" and clue.historical)
        else clue
        for clue in catalogue.parse_all(problem)
    ]
    return {**problem, "clues": [clue.params() for clue in clues]}


def write(problem: dict[str, Any], language: str) -> str:
    return wording.write(Problem.parse(problem), language)


def sentences(language: str) -> dict[str, Any]:
    """Every sentence of a language but lists of years and periods, with its clue."""
    return {of(language).sentence(clue): clue for clue in all_clues()}


# -------------------------------------------------------------------------- written and read back


@each(("language", "mode"), FORMS)
def test_every_prompt_is_read_back_to_its_problem(language: str, mode: str) -> None:
    prompts = [write(problem, language) for problem in problems(mode)]
    assert len(set(prompts)) >= 200
    assert [read(prompt) for prompt in prompts] == list(problems(mode))


@each(("language", "mode"), FORMS)
def test_an_item_is_the_same_puzzle_as_in_english(language: str, mode: str) -> None:
    for item, english in zip(
        generated(6, language=language, mode=mode), generated(6, mode=mode), strict=True
    ):
        assert (item.problem, item.target, item.certificate) == (
            english.problem,
            english.target,
            english.certificate,
        )
        assert item.family == english.family
        assert item.id != english.id
        assert item.prompt == write(item.problem, language) != english.prompt
        assert read(item.prompt) == read(english.prompt) == item.problem


@each("language", OTHERS)
def test_every_clue_has_a_sentence_of_its_own(language: str) -> None:
    clues = list(all_clues())
    assert len(sentences(language)) == len(clues) == len(set(clues)) > 3000
    assert {clue.type for clue in clues} == set(catalogue.TYPES)
    assert all(of(language).clue(said) == clue for said, clue in sentences(language).items())
    for known, there in zip(
        ("events", "recurring", "offices"),
        (
            [event.name for event in facts.builtin().events],
            [known.name for known in facts.builtin().recurring],
            [held.office for held in facts.builtin().offices],
        ),
        strict=True,
    ):
        assert set(of(language).words[known]) == set(there)


@each("language", OTHERS)
def test_every_convention_is_said(language: str) -> None:
    noted = [clue for clue in all_clues() if clue.note]
    notes = {(of(language).note(clue), clue.note) for clue in noted}
    assert len(notes) == len({theirs for theirs, _ in notes}) == len({ours for _, ours in notes})
    assert set(of(language).words["notes"]) == {clue.type for clue in noted} | {"periods"}
    assert not any(of(language).note(clue) for clue in all_clues() if not clue.note)


# ------------------------------------------------------------------------------ changed prompts


@each("language", OTHERS)
def test_a_changed_prompt_is_not_read_as_another_puzzle(language: str) -> None:
    """A word left out, a letter changed or a number raised: nothing is read, or exactly what is written."""
    rng, refused = Random(7), 0
    prompts = [write(problem, language) for mode in MODES for problem in problems(mode)[:25]]
    for prompt in prompts:
        for _ in range(8):
            text = changed(prompt, rng)
            problem = read(text)
            assert problem is None or text.startswith(write(problem, language))
            assert problem is None or problem != read(prompt)
            refused += problem is None
    assert refused > 300


@each("language", OTHERS)
def test_the_last_puzzle_counts_in_whatever_language_it_is(language: str) -> None:
    one, two = problems("implicit")[:2]
    english, other = write(one, "en"), write(two, language)
    assert read(f"{english}\n\nAnswer: none\n\n{other}") == two
    assert read(f"{other}\n\nAnswer: none\n\n{english}") == one
    assert read(f"{english}\n\n{of(language)['opening']}") is None


def changed(text: str, rng: Random) -> str:
    """Change a word anywhere but in the first line's first and the last line's last: they border on other text."""
    at = rng.choice([found.span() for found in re.finditer(r"\w+", text)][1:-1])
    word = text[slice(*at)]
    others = [word[:-1], word + word, word.swapcase(), ""]
    if word.isdigit():
        others = [str(int(word) + rng.choice((1, 10, 100)))]
    return text[: at[0]] + rng.choice([new for new in others if new != word]) + text[at[1] :]


# --------------------------------------------------------------------------------------- words


@each("language", OTHERS)
def test_no_english_is_left(language: str) -> None:
    texts = [*sentences(language), *of(language).words["notes"].values()]
    texts += [of(language)[part].replace("YYYY-MM-DD", "") for part in wording.FRAME]
    if language == "zh":  # but for X rays, the weeks of ISO, and the library of a table
        letters = {word for text in texts for word in re.findall("[A-Za-z]+", text)}
        assert letters - {"first", "last"} == {"X", "ISO", "Python", "hijridate"}
        assert not any(" " in text.replace("ISO 8601", "") for text in texts if "答案" not in text)
        return
    english = r"\b(?:the|of|and|or|from|with|which|first|last|day|year|month|answer|none)\b"
    texts = [re.sub(r"\{\w+\}", "", text) for text in texts]
    assert [text for text in texts if re.search(english, text)] == []


@each("language", OTHERS)
def test_sentences_are_well_formed(language: str) -> None:
    end = "。" if language == "zh" else "."
    for text in (*sentences(language), *of(language).words["notes"].values()):
        assert text.endswith(end)
        assert not re.search(r"  |\.\.|。。| [.,]|[{}]|: \.", text)
        assert text.count("(") == text.count(")")
        assert text.count("（") == text.count("）")
        assert text.count("《") == text.count("》")


@each("language", OTHERS)
def test_a_phrase_fits_its_frame(language: str) -> None:
    """An event of one day is a subject, a longer one says whose first day it is."""
    words = of(language).words["events"]
    begins = {"de": ("der ", "des "), "es": ("de ", "del ")}.get(language, ("",))
    alone = {"de": ("der ", "die ", "das "), "es": ("el ", "la ", "los ")}.get(language, ("",))
    for event in facts.builtin().events:
        assert words[event.name].startswith(begins if event.end else alone), event.name
        assert not re.search(r"[12][0-9]{3}", words[event.name].replace("2000", "")), event.name


# ------------------------------------------------------------------------------------- settings


@each(
    ("config", "why"),
    [
        ({"language": "xx"}, "language=xx: 'xx' is not one of"),
        ({"language": "de", "task": "convert"}, "task=convert takes no language="),
        ({"language": "de", "facts": True}, "language=de takes no facts="),
    ],
)
def test_what_a_language_does_not_go_with_is_said_in_one_line(
    config: dict[str, Any], why: str, tmp_path: Path
) -> None:
    file = tmp_path / "facts.csv"
    file.write_text("kind,name,start\nevent,the opening of our museum,1950-06-01\n")
    if "facts" in config:
        config = {**config, "facts": str(file)}
    with pytest.raises(HarnessError) as error:
        list(fresh.items(PLUGIN, make(PLUGIN, {"n": 1, **config})))
    assert str(error.value).startswith(why)
    assert "\n" not in str(error.value)


def test_a_fact_without_words_is_an_error_of_one_line() -> None:
    problem = {
        "range": ["1800-01-01", "2050-12-31"],
        "clues": [{"type": "alive", "name": "Nobody", "born": "1900-01-01", "died": "1950-01-01"}],
    }
    with pytest.raises(LanguageError, match=r"^language=de has no words for 'Nobody'$"):
        write(problem, "de")


@each("language", OTHERS)
def test_what_is_english_only_is_left_out(language: str) -> None:
    for item in generated(3, language=language):
        assert PLUGIN.call("trace", item=item) is None
        record = PLUGIN.call("publish", item=item, format="timepuzzles_json", record={})
        assert record is None
        assert PLUGIN.call("explain", item=item)


# -------------------------------------------------------------------------------------- answers

A, B = "1969-03-03", "1969-04-12"
GOOD = {
    "de": (
        ("Antwort: 1969-03-03, 1969-04-12", [A, B]),
        ("**Antwort:** 3. März 1969", [A]),
        ("Antwort: Montag, 3. März 1969 und Samstag, 12. April 1969", [A, B]),
        ("Die Antwort lautet: der 3. März 1969", [A]),
        ("Antwort: 03.03.1969, 12.04.1969", [A, B]),
        ("Antwort: 1969-03-03 bis 1969-03-05", [A, "1969-03-04", "1969-03-05"]),
        ("Antwort: 1969-03-03\n\nKein anderes Datum erfüllt alle Hinweise.", [A]),
        ("Antwort: keine", []),
        ("Antwort: kein Tag", []),
    ),
    "es": (
        ("Respuesta: 1969-03-03, 1969-04-12", [A, B]),
        ("**Respuesta:** 3 de marzo de 1969", [A]),
        ("Respuesta: lunes, 3 de marzo de 1969 y sábado, 12 de abril de 1969", [A, B]),
        ("La respuesta es: 3 de marzo de 1969", [A]),
        ("Respuesta: del 3 al 5 de marzo de 1969", [A, "1969-03-04", "1969-03-05"]),
        ("Respuesta: 1969-03-03\n\nNinguna otra fecha cumple todas las pistas.", [A]),
        ("Respuesta: ninguna", []),
        ("Respuesta: ninguna fecha", []),
    ),
    "zh": (
        ("答案：1969-03-03, 1969-04-12", [A, B]),
        ("答案：1969年3月3日", [A]),
        ("**答案：** 1969年3月3日、1969年4月12日", [A, B]),
        ("答案：1969-03-03（星期一），1969-04-12（星期六）", [A, B]),
        ("答案：1969-03-03至1969-03-05", [A, "1969-03-04", "1969-03-05"]),
        ("答案：1969-03-03\n\n没有其他日期满足所有线索。", [A]),
        ("答案：无", []),
        ("答案：没有", []),
    ),
}  # fmt: skip
HEDGED = {
    "de": (
        "Antwort: 1969-03-03 oder 1969-04-12", "Antwort: vielleicht 1969-03-03", "Antwort: nicht 1969-03-03",
        "Antwort: keine außer 1969-03-03", "Antwort: keine Ahnung", "Antwort: 1969-03-03 (oder 1969-04-12)",
        "Antwort: 1969-03-03\n\nIch bin mir nicht sicher.", "Antwort: 1969-03-03\nKorrektur: doch 1969-04-12",
        "Antwort: 1969-03-03\n\nVielleicht ist es ein anderer.", "Antwort: 1969-03-03 usw.",
        "Antwort: 1969-03-03\n\nEs gibt weitere Tage.", "Antwort: YYYY-MM-DD",
    ),
    "es": (
        "Respuesta: 1969-03-03 o 1969-04-12", "Respuesta: quizás 1969-03-03", "Respuesta: no 1969-03-03",
        "Respuesta: ninguna salvo 1969-03-03", "Respuesta: no lo sé", "Respuesta: 1969-03-03 (o 1969-04-12)",
        "Respuesta: 1969-03-03\n\nNo estoy seguro.", "Respuesta: 1969-03-03\nCorrección: 1969-04-12",
        "Respuesta: 1969-03-03\n\nTal vez sea otra.", "Respuesta: 1969-03-03, etc.",
        "Respuesta: 1969-03-03\n\nPuede haber otras fechas.", "Respuesta: YYYY-MM-DD",
    ),
    "zh": (
        "答案：1969-03-03或1969-04-12", "答案：可能是1969-03-03", "答案：不是1969-03-03", "答案：除1969-03-03外无",
        "答案：无法确定", "答案：1969-03-03（或1969-04-12）", "答案：1969-03-03\n\n但我不确定。",
        "答案：1969-03-03\n更正：1969-04-12", "答案：1969-03-03\n\n也许是另一天。", "答案：1969-03-03等",
        "答案：1969-03-03\n\n还有其他日期。", "答案：YYYY-MM-DD",
    ),
}  # fmt: skip


@each(
    ("language", "reply", "dates"),
    [(name, *case) for name, cases in GOOD.items() for case in cases],
)
def test_an_answer_in_the_language_is_read(language: str, reply: str, dates: list[str]) -> None:
    prompt = write(problems("implicit")[0], language)
    for text in (reply, f"…\n\n{reply}", f"{prompt}\n\n{reply}"):
        answer = extract(text, prompt)
        assert isinstance(answer, Answer), text
        assert sorted(answer.dates) == dates


@each(
    ("language", "reply"), [(name, reply) for name, replies in HEDGED.items() for reply in replies]
)
def test_a_hedged_answer_is_none(language: str, reply: str) -> None:
    assert isinstance(extract(reply, write(problems("implicit")[0], language)), str)


@each("language", OTHERS)
def test_items_are_scored_in_their_language(language: str) -> None:
    mark = {"de": "Antwort: ", "es": "Respuesta: ", "zh": "答案："}[language]
    none = {"de": "keine", "es": "ninguna", "zh": "无"}[language]
    items = [
        *generated(6, language=language),
        *generated(3, language=language, solutions="0", clues="4"),
    ]
    assert {item.target == "none" for item in items} == {True, False}
    for item in items:
        right = mark + (none if item.target == "none" else item.target)
        wrong = mark + ("1801-01-01" if item.target == "none" else none)
        assert mark + none in item.prompt
        assert PLUGIN.call("score", item=item, completion=right).value["exact"] == 1
        assert PLUGIN.call("score", item=item, completion=wrong).value["exact"] == 0
        either = PLUGIN.call("score", item=item, completion=f"{right}\n{wrong}")
        assert either.value["exact"] == 0


@each("language", OTHERS)
def test_an_echoed_prompt_answers_nothing(language: str) -> None:
    prompt = write(problems("implicit")[0], language)
    assert [extract(prompt, known) for known in (prompt, "")] == ["no answer is stated"] * 2
