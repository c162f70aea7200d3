"""Published records: taken over with their labels, or refused with a reason."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from cases import each, some
from harness_ltlbench.published.adopt import MAX_TEXT, adopt
from harness_ltlbench.reading import read
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import within

from harness import DatasetError, Item

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "ltlbench"

RECORD = {
    "id": "7",
    "context": "Initially, event1 happened. …",
    "query": "C1: Event3 eventually happens. …",
    "question": (
        "=== Context ===\n\nInitially, event1 happened. After event1, either event2, or event3 "
        "must happen. After event2, event1 must happen. After event3, no other events can happen."
        "\n\n=== Hypothesis ===\n\nC1: Event3 eventually happens.\nC2: If event1 happens, then C1 "
        "holds.\n\nC2 is True or False?\n"
    ),
    "code": (
        "MODULE main\nVAR\n    state : {event1, event2, event3};\nASSIGN\n"
        "    init(state) := event1;\n    next(state) := case\n"
        "        state = event1 : {event2, event3};\n\t\tstate = event2 : event1;\n"
        "\t\tstate = event3 : event3;\n    esac;\n"
        "LTLSPEC ((state=event1) -> (F (state=event3)))\n"
    ),
    "formula": "(event1 -> (F event3))",
    "answer": "False",
    "graph": (
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        '  <graph edgedefault="directed">\n    <node id="event1" />\n    <node id="event2" />\n'
        '    <node id="event3" />\n    <edge source="event1" target="event2" />\n'
        '    <edge source="event1" target="event3" />\n'
        '    <edge source="event2" target="event1" />\n  </graph>\n</graphml>'
    ),
}
PROBLEM = {
    "task": "decide",
    "events": 3,
    "initial": 1,
    "edges": [[1, 2], [1, 3], [2, 1]],
    "formula": ["->", 1, ["F", 3]],
}


def changed(column, old, new):
    assert old in RECORD[column]
    return RECORD | {column: RECORD[column].replace(old, new)}


def refusal(record):
    with pytest.raises(DatasetError) as caught:
        adopt(record)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200
    return str(caught.value)


def test_a_record_becomes_an_item():
    item = adopt(RECORD)
    assert item.prompt == RECORD["question"]
    assert item.target == "False"
    assert item.problem == PROBLEM
    assert item.features == {"events": 3, "operators": 2}
    assert item.notes == {"source_id": "7", "format": "ltlbench_csv"}
    assert (item.plugin, item.version, item.split) == ("ltlbench", "published", "published")
    assert Item.from_dict(json.loads(json.dumps(item.to_dict()))) == item


def test_a_record_without_an_id_or_with_more_columns_is_taken():
    record = {key: value for key, value in RECORD.items() if key != "id"}
    assert adopt(record).notes["source_id"] == ""
    assert adopt(RECORD | {"prediction": "True", None: ["x"]}).problem == PROBLEM


def test_a_record_of_something_else_is_none():
    assert adopt({}) is None
    assert adopt({"id": "1", "answer": "True", "graph": "<graphml/>"}) is None


TWO_ARMS = RECORD["code"].replace(
    "event1 : {event2, event3};", "event1 : event2;\n\t\tstate = event1 : event3;"
)


@each(
    ("column", "value", "line"),
    [
        ("question", None, "column 'question' is empty or not text"),
        ("answer", "yes", "answer 'yes' is neither True nor False"),
        ("graph", "digraph { event1 -> event2 }", "graph is not directed GraphML of the published form"),
        ("graph", RECORD["graph"].replace('"event3" />', '"event4" />'),
         "graph has nodes other than event1 to event3"),
        ("formula", "(event1 -> (F event3)", "formula ends too early"),
        ("formula", "(event1 -> (F event7))", "formula names event7, but there are 3 events"),
        ("formula", "(event1 -> (G event3))", "formula and LTLSPEC in code differ"),
        ("code", "MODULE other", "code is not a NuSMV module of the published form"),
        ("code", TWO_ARMS, "code has two case arms for event1; NuSMV takes the first"),
        ("code", RECORD["code"].replace("state = event2 : event1", "state = event2 : event3"),
         "graph and code have different transitions"),
        ("code", RECORD["code"].replace("init(state) := event1", "init(state) := event4"),
         "code starts with the unknown event4"),
    ],
)  # fmt: skip
def test_ten_kinds_of_malformed_records_with_their_lines(column, value, line):
    for form in ("", "ltlbench_csv"):
        with pytest.raises(DatasetError) as caught:
            adopt(RECORD | {column: value}, form)
        assert str(caught.value) == line


def test_a_record_said_to_be_of_the_format_is_refused_where_it_is_not():
    with pytest.raises(DatasetError, match=r"^column 'question' is missing$"):
        adopt({"tl": "p", "grounded_tl": "q"}, "ltlbench_csv")
    assert adopt(RECORD, "vltl_jsonl") is None


def test_an_edge_to_itself_alone_is_kept():
    record = changed("graph", "  </graph>", '<edge source="event3" target="event3" />\n</graph>')
    record["question"] = RECORD["question"].replace("no other events can", "event3 must")
    item = adopt(record)
    assert item.problem["edges"] == [*PROBLEM["edges"], [3, 3]]
    assert "findings" not in item.notes


@each("answer", ["Maybe", "true", "FALSE", "True.", "1", "True False"])
def test_an_unknown_label_is_refused(answer):
    assert refusal(RECORD | {"answer": answer}) == f"answer '{answer}' is neither True nor False"


def test_a_label_with_white_space_is_taken():
    assert adopt(RECORD | {"answer": " True\r\n"}).target == "True"


@each("column", ["question", "code", "formula", "answer", "graph"])
def test_a_column_that_is_missing_or_empty_is_refused(column):
    assert refusal({k: v for k, v in RECORD.items() if k != column}) == (
        f"column '{column}' is missing"
    )
    for empty in ("", "  \n", None, 3):
        assert refusal(RECORD | {column: empty}) == f"column '{column}' is empty or not text"
    assert f"more than {MAX_TEXT}" in refusal(RECORD | {column: "x" * (MAX_TEXT + 1)})


@each(
    ("formula", "reason"),
    [
        ("(event1 -> (F event3)", "ends too early"),
        ("(event1 -> (F event3)))", "goes on after its end"),
        ("(event1 -> F event3)", "where an event or a parenthesis is due"),
        ("(event1 => (F event3))", "formula has '=> "),
        ("(event1 event3)", "where a binary operator is due"),
        ("(event1 -> event3 & event2)", "where it should close"),
        ("()", "where an event or a parenthesis is due"),
        ("(F)", "where an event or a parenthesis is due"),
        ("(event1 -> (F event4))", "event4"),
        ("(event1 -> (F event0))", "formula has 'event0"),
        ("(event1 -> (G event3))", "formula and LTLSPEC in code differ"),
        ("__import__('os').system('false')", "formula has .__import__"),
        ("(event1 -> (F event3))\x00", "formula has '"),
        ("(" * 1000, "more than 200 operators|nested too deeply"),
        ("(X " * 300 + "event1" + ")" * 300, "nested too deeply"),
        ("(" * 500_000, "more than 200 operators"),
    ],
)
def test_a_formula_that_does_not_fit_is_refused(formula, reason):
    with pytest.raises(DatasetError, match=reason):
        adopt(RECORD | {"formula": formula})


def test_all_operators_are_understood():
    for word, spec in {"U": "U", "R": "V", "&": "&", "|": "|"}.items():
        record = changed("formula", "->", word)
        record["code"] = RECORD["code"].replace("->", spec)
        assert adopt(record).problem["formula"] == [word, 1, ["F", 3]]


@each(
    ("column", "old", "new", "reason"),
    [
        ("graph", 'source="event2"', 'source="event3"', "different transitions"),
        ("graph", '<edge source="event2" target="event1" />', "", "different transitions"),
        ("graph", 'target="event1"', 'target="event4"', "unknown event4"),
        ("graph", 'target="event3"', 'target="event2"', "an edge twice"),
        ("graph", '<node id="event2" />', '<node id="event5" />', "nodes other than"),
        ("graph", '<node id="event2" />', '<node id="event1" />', "nodes other than"),
        ("graph", '<node id="event2" />', "", "nodes other than"),
        ("graph", '<node id="event3" />', '<node id="event3" /><node id="event4" />', "4 events"),
        ("graph", '<node id="event2" />', '<data key="d0">x</data>', "graph has '<data"),
        ("graph", '"directed"', '"undirected"', "not directed"),
        ("graph", "</graphml>", "", "not directed GraphML"),
        ("graph", "</graphml>", "</graphml><a/>", "not directed GraphML"),
        ("code", "init(state) := event1", "init(state) := event9", "unknown event9"),
        ("code", "state = event2 : event1", "state = event2 : event3", "different transitions"),
        ("code", "state = event1 : {event2, event3}", "state = event1 : event2", "transitions"),
        ("code", "state = event3", "state = event1", "two case arms"),
        ("code", "(F (state=event3))", "(F (state=event2))", "LTLSPEC in code differ"),
    ],
)
def test_contradictions_between_the_formal_columns_are_refused(column, old, new, reason):
    assert reason in refusal(changed(column, old, new))


LAUGHS = (
    '<?xml version="1.0"?>\n<!DOCTYPE lolz [\n <!ENTITY lol "lol">\n'
    + "".join(f' <!ENTITY lol{k} "{f"&lol{k - 1};" * 10}">\n' for k in range(1, 10))
    + "]>\n"
)
EXTERNAL = '<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n'


@each(
    "graph",
    [
        LAUGHS + RECORD["graph"].replace("event3", "&lol9;"),
        EXTERNAL + RECORD["graph"].replace("event3", "&e;"),
        RECORD["graph"].replace("event3", "&e;"),
        RECORD["graph"].replace("  <node", "<!-- c --><node"),
        RECORD["graph"].replace("  <node", "<![CDATA[x]]><node"),
    ],
)
def test_graphs_with_entities_or_declarations_are_refused(graph):
    assert "declaration, comment or entity" in refusal(RECORD | {"graph": graph})


def test_an_xml_header_is_harmless():
    header = "<?xml version='1.0' encoding='utf-8'?>\n"
    assert adopt(RECORD | {"graph": header + RECORD["graph"]}).problem == PROBLEM


def _sized(unit, head="", tail=""):
    return head + unit * ((MAX_TEXT - len(head) - len(tail)) // len(unit)) + tail


@each(
    "graph",
    [
        _sized("<"),
        _sized("<?xml "),
        _sized("<graphml "),
        _sized(" ", "<graphml><graph x>", "x"),
        _sized(" ", RECORD["graph"].split("<node")[0], "x</graph></graphml>"),
        _sized("</graph> ", RECORD["graph"]),
        _sized('<node id="event1" />', RECORD["graph"].split("<node")[0], "</graph></graphml>"),
    ],
)
def test_a_megabyte_of_graph_is_refused_at_once(graph):
    with within(2):
        refusal(RECORD | {"graph": graph})


@each(
    ("old", "new", "finding"),
    [
        ("Initially, event1", "Initially, event2", "prompt and formal problem differ: initial"),
        ("event2, event1 must", "event2, event3 must", "prompt and formal problem differ: edges"),
        ("C1: Event3", "C1: Event2", "prompt and formal problem differ: formula"),
        ("eventually", "always", "prompt and formal problem differ: formula"),
        ("eventually", "never", "prompt cannot be read as a problem"),
        ("After event3, no", "After event4, no", "prompt cannot be read as a problem"),
    ],
)
def test_words_that_say_something_else_are_noted(old, new, finding):
    record = changed("question", old, new)
    item = adopt(record)
    assert item.notes["findings"] == [finding]
    assert item.problem == PROBLEM
    assert item.prompt == record["question"]


@settings(max_examples=some(500), deadline=None, derandomize=True, database=None)
@given(
    st.sampled_from(["question", "code", "formula", "answer", "graph"]),
    st.text(max_size=20) | st.sampled_from(["event1", "(", ")", "<", "{", "->", "X "]),
    st.floats(0, 1),
    st.integers(0, 20),
)
def test_any_damage_is_an_item_or_one_line(column, text, where, length):
    value = RECORD[column]
    at = int(where * len(value))
    result = outcome(RECORD | {column: value[:at] + text + value[at + length :]})
    if isinstance(result, str):
        assert "\n" not in result
    else:
        assert result.target in ("True", "False")
        assert result.problem == read(result.prompt) or result.notes["findings"]


def outcome(record):
    try:
        return adopt(record)
    except DatasetError as error:
        return str(error)


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the published data is not at {DATA}")
def test_every_published_record_is_adopted_with_its_label():
    labels = Counter()
    for path in sorted(DATA.glob("*.csv")):
        events, operators = map(int, path.stem.split("_")[1::2][:2])
        with path.open(newline="", encoding="utf-8") as file:
            for record in csv.DictReader(file):
                item = adopt(record)
                assert item.target == record["answer"]
                assert item.prompt == record["question"]
                assert read(record["question"]) == item.problem
                assert "findings" not in item.notes
                assert item.notes["source_id"] == record["id"]
                assert item.features == {"events": events, "operators": operators}
                labels[item.target] += 1
    assert labels == {"True": 600, "False": 600}
