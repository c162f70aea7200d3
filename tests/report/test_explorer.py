"""Which items a page shows, what it shows of them, and explanations that can do nothing."""

import base64
import json
from dataclasses import replace
from html.parser import HTMLParser
from random import Random

import pytest
from cases import each, slow
from hypothesis import given, settings
from hypothesis import strategies as st
from inspect_ai.log import EvalError, read_eval_log, write_eval_log
from pace import within

from harness.cli.main import main
from harness.core.hookspecs import Row
from harness.core.plugins import registry
from harness.datasets import item_drawing
from harness.report import log_studies
from harness.report.model import Answer, Series, Study
from harness.report.page import explorer
from harness.report.page.explorer import CELLS, DEEP, LONG, explanation

ALLOWED = {
    *("p", "em", "strong", "code", "pre", "ul", "ol", "li", "hr", "br", "blockquote"),
    *("table", "thead", "tbody", "tr", "th", "td", "h1", "h2", "h3", "h4", "h5", "h6"),
}


class Strict(HTMLParser):
    """Collects what HTML does beyond the elements allowed, and the text that it shows."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.breaches, self.text, self.open, self.deepest = [], "", [], 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag not in ALLOWED or [
            key for key, value in attrs if not (key == "start" and value.isdigit())
        ]:
            self.breaches.append((tag, attrs))
        self.open.append(tag)
        self.deepest = max(self.deepest, len(self.open))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.breaches.append(("/", tag))

    def handle_data(self, data):
        self.text += data

    def handle_comment(self, data):
        self.breaches.append(("comment", data))

    handle_decl = handle_pi = unknown_decl = handle_comment


def parsed(text):
    html = explanation(text)
    found = Strict(html)
    assert found.breaches == []
    assert found.open == []
    assert found.deepest <= DEEP + 2
    assert len(html) <= 6 * LONG + 20 * CELLS
    return found


@each("text", [
    "<script>window.pwned=1</script>", "<img src=x onerror=alert(1)>", "a <b onclick=x()>b</b>",
    "[x](javascript:alert(1))", "![x](http://example.org/a.png)", "[x](data:text/html,<script>)",
    "<http://example.org>", "<svg onload=alert(1)><script>1</script></svg>", "[a]: javascript:x",
    "**Right**, [a][b]\n\n[b]: http://example.org", "<!-- a --> <?php ?> <![CDATA[x]]> <!DOCTYPE x>",
    "```js onload=x\n</code></pre><script>1</script>\n```", "`</code><script>`", "\0<\0script>",
    "| a | b |\n|:-:|--:|\n| <script> | [x](javascript:1) |", "<a\nhref='javascript:1'>x</a>",
    "\\<script>", "&#60;script&#62;window.pwned=1&#60;/script&#62;", "# <style>*{display:none}</style>",
])  # fmt: skip
def test_hostile_markdown_stays_text(text):
    found = parsed(text)
    kept = found.text.replace("\ufffd", "")
    for word in ("javascript:", "onerror=alert(1)", "http://example.org/a.png", "window.pwned=1"):
        assert (word in text) <= (word in kept)


@each("text", [
    "[" * 100_000, "![" * 50_000, "]" * 100_000, "[a](" * 30_000, "*" * 100_000, "*a " * 30_000 + "a*" * 30_000,
    "`" * 99_999 + "a", "> " * 10_000 + "a", "- " * 10_000 + "a", "1. " * 10_000 + "a", "<" * 100_000,
    "&" * 100_000, "|a" * 50_000 + "\n" + "|-" * 50_000, "|" + "a|" * 900 + "\n|" + "-|" * 900 + "\n" + "a\n" * 9_000,
    "\n".join("  " * i + "- a" for i in range(3_000)), "\\" * 100_000, "a\n" * 100_000, "_a_" * 30_000, "\t" * 99_999,
])  # fmt: skip
def test_any_length_and_depth_takes_bounded_time(text):
    with within(1):
        parsed(text)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([
    *"<>&\"'[]()!*_`#|-+\\:\n ~=/", "a", "1.", "\n\n", "    ", "```", "> ", "javascript:", "<script>", "</p>",
    "<img ", "onerror=", "http://a.b", "&lt;", "&#x3c;", "\0", "\u2028", "|-|", "<!--", "]]>", "\ud800",
]), max_size=60).map("".join))  # fmt: skip
def test_no_markdown_makes_anything_but_the_elements_allowed(text):
    parsed(text)


def test_explanations_of_scorers_are_formatted():
    html = explanation(
        "**Right**: `a < b`.\n\n- one\n- two\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n3. x"
    )
    for part in (
        "<strong>Right</strong>", "<code>a &lt; b</code>", "<li>two</li>", "<td>2</td>", '<ol start="3">',
    ):  # fmt: skip
        assert part in html
    assert explanation("") == ""
    assert explanation("a" * LONG + "b").count("… cut") == 1
    # A table's row of 60 cells, and 100 rows of one: as it is, not as 6,000 cells.
    wide = "|" + "a|" * 60 + "\n|" + "-|" * 60 + "\n" + "|b|\n" * 100
    assert "<td>" not in explanation(wide)
    deep = "> " * 50 + "kept"
    assert Strict(explanation(deep)).text == deep


# ------------------------------------------------------------------------------------ selection


LTL = registry().get("ltlbench").benchmark


def study_of(outcomes, kinds=("model", "model"), groups=(), features=None):
    """A study whose item ids are the keys; per series a letter: right, wrong, partly, unparsed; x: unscored."""
    words = {
        "r": ("scored", 1.0),
        "w": ("scored", 0.0),
        "p": ("scored", 0.5),
        "u": ("unparsed", 0.0),
    }
    series = []
    for at, kind in enumerate(kinds):
        answers = []
        for own in sorted(outcomes):
            letter = outcomes[own][at]
            if letter == "-":
                continue
            outcome, value = words.get(letter, ("unscored", None))
            values = {} if value is None else dict.fromkeys(LTL.values, value)
            row = Row("True", "True", outcome, values, (features or {}).get(own, {}))
            answers.append(Answer(row, own, own, 0))
        series.append(Series(f"s{at}", kind, f"s{at}", {}, (0,), answers))
    return Study(replace(LTL, groups=groups), (), tuple(series), {})


def chosen(study):
    return explorer._ordered_ids(study, explorer._answers(study))


def test_every_kind_of_item_comes_first_and_then_again():
    outcomes = {
        "a1": "rw",
        "a2": "wr",
        "b1": "ww",
        "b2": "pw",
        "c1": "uu",
        "d1": "xx",
        "e1": "rr",
        "e2": "rx",
        "e3": "rr",
    }
    first = chosen(study_of(outcomes))
    assert sorted(first) == sorted(outcomes)
    assert {own[0] for own in first[:5]} == set("abcde")
    assert first == chosen(study_of(dict(reversed(outcomes.items()))))


@each("letters, kinds, kind", [
    ("rw", ("model", "model"), "the series disagree"),
    ("rx", ("model", "model"), "unscored"),
    ("rp", ("model", "model"), "the series disagree"),
    ("rw", ("reference", "model"), "all wrong"),
    ("rw", ("reference", "baseline"), "the series disagree"),
    ("ru", ("model", "recorded"), "the series disagree"),
    ("wp", ("model", "recorded"), "all wrong"),
    ("rr", ("model", "model"), "all right"),
    ("r-", ("model", "model"), "all right"),
    ("wx", ("model", "model"), "unscored"),
    ("wu", ("model", "model"), "unparsed"),
])  # fmt: skip
def test_the_kind_of_an_item_is_what_the_models_made_of_it(letters, kinds, kind):
    study = study_of({"a": letters}, kinds)
    found = explorer._answers(study)["a"]
    told = {
        explorer.outcome(study.benchmark, found[at])
        for at in explorer._telling_series(study.series)
        if at in found
    }
    assert next(name for name, holds in explorer.KINDS.items() if holds(told)) == kind


def test_the_groups_take_turns():
    outcomes = {f"{size}{i}": "r" for size in "abc" for i in range(20 if size == "a" else 2)}
    features = {own: {"size": own[0]} for own in outcomes}
    first = chosen(study_of(outcomes, ("model",), ("size",), features))
    assert {own[0] for own in first[:3]} == {own[0] for own in first[3:6]} == set("abc")


def test_the_first_entries_that_fit_are_kept():
    found = [{"id": "a"}, {"id": "é" * 10}, {"id": "b"}]
    sizes = [len(json.dumps(one, ensure_ascii=False).encode()) + 2 for one in found]
    assert explorer.within_size(found, sum(sizes)) == found
    assert explorer.within_size(found, sum(sizes) - 1) == found[:2]
    assert explorer.within_size(found, sizes[0]) == found[:1]
    assert explorer.within_size(found, 0) == []


# ------------------------------------------------------------------------------------ real logs


SAID = (
    "Answer: True", "Answer: False", "I cannot tell.", "", "<script>window.pwned=1</script>\nAnswer: True",
    "so it goes. " * 3_000 + "\nAnswer: False",
)  # fmt: skip


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Six items of ltlbench, answered by hand and by the reference."""
    folder = tmp_path_factory.mktemp("explorer")
    items = folder / "items.jsonl"
    assert main(["generate", "plugin=ltlbench", "n=6", f"out={items}", "--json"]) == 0
    own = [json.loads(line)["id"] for line in items.read_text().splitlines()]
    answers = [{"id": one, "response": text} for one, text in zip(own, SAID, strict=True)]
    said = folder / "said.jsonl"
    said.write_text("".join(json.dumps(one) + "\n" for one in answers))
    score = ["score", "plugin=ltlbench", f"dataset={items}", f"responses={said}", "model=wise-1"]
    assert main([*score, f"log_dir={folder}", "--json"]) == 0
    run = [
        "run",
        "plugin=ltlbench",
        f"dataset={items}",
        "model=harness/reference",
        f"log_dir={folder}",
    ]
    assert main([*run, "--json"]) == 0
    return folder, dict(zip(own, SAID, strict=True))


def entries_of(folder, limit=100):
    (study,) = log_studies.load(log_studies.logs_of([str(folder)]), lambda line: None)
    return study, *explorer.entries(study, limit)


@slow
def test_an_entry_says_what_the_log_says(logs):
    folder, said = logs
    study, found, total = entries_of(folder)
    assert (total, {one["id"] for one in found}) == (6, set(said))
    wise = next(at for at, one in enumerate(study.series) if "wise-1" in one.label)
    for entry in found:
        assert entry["target"] in ("True", "False")
        assert "=== Context ===" in entry["prompt"]
        assert entry["features"]["events"] == 8
        assert [one["series"] for one in entry["answers"]] == [0, 1]
        answer, text = entry["answers"][wise], said[entry["id"]]
        assert answer["completion"] == (text if len(text) <= 20_000 else f"{text[:20_000]}… cut")
        right = "right" if answer["answer"] == entry["target"] else "wrong"
        assert answer["outcome"] == (right if "Answer:" in text else "unparsed")
        assert answer["values"]["accuracy"] == (answer["outcome"] == "right")
        assert Strict(answer["explanation"]).breaches == []
        assert answer["reason"] == ""
        assert entry["answers"][1 - wise]["outcome"] == "right"
    assert json.dumps(found) == json.dumps(entries_of(folder)[1])
    assert len(entries_of(folder, 2)[1]) == 2
    assert entries_of(folder, 0)[1:] == ([], 6)


@each("text, shown", [
    ("a\u202eb", "a⟦U+202E⟧b"), ("\u2066x\u2069", "⟦U+2066⟧x⟦U+2069⟧"), ("a\u200bb\ufeff", "a⟦U+200B⟧b⟦U+FEFF⟧"),
    ("\x00\x1b[31m\x7f\x85", "⟦U+0000⟧⟦U+001B⟧[31m⟦U+007F⟧⟦U+0085⟧"), ("a\r\nb\rc", "a\nb⟦U+000D⟧c"),
    ("\ud800", "⟦U+D800⟧"), ("\u2028\u3164\u2800", "⟦U+2028⟧⟦U+3164⟧⟦U+2800⟧"), ("\U000e0041", "⟦U+E0041⟧"),
    ("x\ufe0f\U000e0101", "x⟦U+FE0F⟧⟦U+E0101⟧"), ("", ""),
    ("a\n\tb é 模型 שלום \xa0e\u0301", "a\n\tb é 模型 שלום \xa0e\u0301"),
])  # fmt: skip
def test_what_would_not_be_seen_is_spelled_out(text, shown):
    assert explorer.visible(text) == shown


def test_what_is_cut_says_so_whatever_it_is_spelled_as():
    assert explorer._cut("ab", 2) == "ab"
    assert explorer._cut("a\r\nb", 3) == "a\n… cut"
    assert explorer._cut("\u202e" * 3, 8) == "⟦U+202E⟧… cut"


def test_nothing_of_a_log_hides_in_an_entry(logs, tmp_path):
    folder, _ = logs
    (path,) = [
        one for one in log_studies.logs_of([str(folder)]) if "wise" in read_eval_log(one).eval.model
    ]
    log = read_eval_log(path)
    for sample in log.samples:
        sample.input = f"\u202eprompt {sample.input}"
        sample.output.completion = "said \u2066hidden\x00"
        score = next(iter(sample.scores.values()))
        score.explanation = "told **b\u202e**"
    write_eval_log(log, str(tmp_path / "log.eval"))
    _, found, _ = entries_of(tmp_path)
    for entry in found:
        assert entry["prompt"].startswith("⟦U+202E⟧prompt ")
        assert entry["answers"][0]["completion"] == "said ⟦U+2066⟧hidden⟦U+0000⟧"
        assert "<strong>b⟦U+202E⟧</strong>" in entry["answers"][0]["explanation"]
    assert not set(json.dumps(found, ensure_ascii=False)) & set("\u202e\u2066\x00")


def test_an_unscored_answer_says_why_and_is_never_wrong(logs, tmp_path):
    folder, _ = logs
    (path,) = [
        path
        for path in folder.glob("*.eval")
        if "wise-1" in read_eval_log(path, header_only=True).eval.model
    ]
    log = read_eval_log(path)
    sample = log.samples[0]
    score = sample.scores["verdict"]
    sample.scores["verdict"] = score.model_copy(update={
        "value": dict.fromkeys(score.value, float("nan")), "answer": None,
        "explanation": "the engine said <b>no</b>", "metadata": score.metadata | {"outcome": "unscored"},
    })  # fmt: skip
    write_eval_log(log, tmp_path / path.name)
    _, found, _ = entries_of(tmp_path)
    (entry,) = [one for one in found if one["id"] == sample.id]
    (answer,) = entry["answers"]
    assert (answer["outcome"], answer["values"], answer["explanation"]) == ("unscored", {}, "")
    assert answer["reason"] == "the engine said <b>no</b>"


def test_an_item_that_cannot_be_rebuilt_has_no_drawing_and_all_the_rest(logs, tmp_path):
    path = next(logs[0].glob("*.eval"))
    log = read_eval_log(path)
    for sample, broken in zip(
        log.samples, ("{", "null", None, '{"events":"no"}', "[" * 9_999, "7"), strict=True
    ):
        sample.metadata["problem"] = broken
    write_eval_log(log, tmp_path / path.name)
    _, found, _ = entries_of(tmp_path)
    assert [one["drawing"] for one in found] == [None] * 6
    assert all(one["prompt"] and one["answers"] for one in found)


def test_a_drawing_is_an_svg_in_an_address_or_nothing():
    item = registry().get("ltlbench")
    keys = item.benchmark.config_schema["properties"].items()
    config = {key: schema["default"] for key, schema in keys}
    facts = item.call(
        "generate", config=config, index=0, rng=Random(1), salt="0", split="test", attempt=0
    ).to_dict()
    drawn = item_drawing.Draughtsman("ltlbench", 1).draw(facts)
    assert drawn.solution
    if "svg" in item.benchmark.formats:
        head, _, data = drawn.address.partition(",")
        assert head == "data:image/svg+xml;base64"
        assert base64.b64decode(data).startswith(b"<svg")
    else:
        assert drawn.address is None
    for wrong in ({}, {**facts, "id": "0"}, {**facts, "problem": None}):
        assert item_drawing.Draughtsman("ltlbench", 1).draw(wrong).address is None
    assert item_drawing.Draughtsman("no_such_plugin", 1).draw(facts) == item_drawing.Drawn()


@slow
def test_a_drawing_that_is_too_large_or_too_slow_is_left_out(logs, monkeypatch):
    (study,) = log_studies.load(log_studies.logs_of([str(logs[0])]), lambda line: None)
    _, sample = next(log_studies.contents(study, set(logs[1])))
    facts = explorer._item(sample)
    monkeypatch.setattr(item_drawing, "LARGEST", 10)
    assert item_drawing.Draughtsman("ltlbench", 1).draw(facts).address is None
    assert item_drawing.Draughtsman("ltlbench", 1).draw(facts).solution
    monkeypatch.setattr(item_drawing, "LONGEST", 0.01)
    call = item_drawing.harness_guard.call
    monkeypatch.setattr(
        item_drawing.harness_guard,
        "call",
        lambda function, *given, **limits: call("time:sleep", 600, **limits),
    )
    draughtsman = item_drawing.Draughtsman("ltlbench", 0)
    assert draughtsman.draw(facts) == item_drawing.Drawn()
    assert draughtsman._left <= 0
    assert draughtsman.draw(facts) == item_drawing.Drawn()


def test_a_sample_that_failed_says_so(logs, tmp_path):
    path = next(logs[0].glob("*.eval"))
    log = read_eval_log(path)
    log.samples[2].scores = None
    log.samples[2].error = EvalError(message="<b>rate</b> limit", traceback="", traceback_ansi="")
    write_eval_log(log, tmp_path / path.name)
    _, found, total = entries_of(tmp_path)
    (entry,) = [one for one in found if one["id"] == log.samples[2].id]
    (answer,) = entry["answers"]
    assert (answer["outcome"], answer["reason"]) == ("unscored", "<b>rate</b> limit")
    assert (answer["answer"], answer["values"], total) == (None, {}, 6)
