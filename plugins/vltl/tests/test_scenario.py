import contextlib
import itertools
import os
import random
import re

import jsonschema
import pytest
from cases import each, some
from harness_vltl.scenarios import clash, model, reader, scenario, schema
from hypothesis import given, settings
from hypothesis import strategies as st

from harness import HarnessError

KITCHEN = """\
name: kitchen
agents: [cook, waiter]
types:
  item:
    article: the
    values:
      cup: [cup, mug]
      flat_plate:
        - plate
        - flat dish
  lane:
    article: none
    combine: [[north, south, east], [1st, 2nd, 3rd], [street, avenue]]
actions:
  idle:
    arguments: []
    phrases: [wait, stand still]
  put:
    arguments: [item, lane]
    phrases:
      - put {item} on {lane}
      - {phrase: "log {item} at {lane}", ing: logging, s: logs}
  swap:
    arguments: [item, item]
    phrases:
      - swap {item} for {item2}
      - exchange {item2} against {item}
"""


def line_of(text, part):
    return text[: text.index(part)].count("\n") + 1


def parse(text):
    return reader.parse(text.encode() if isinstance(text, str) else text, "my.yaml")


def fault(text):
    """The line and the message; the form of every message is checked here."""
    with pytest.raises(model.ScenarioError) as caught:
        parse(text)
    message = str(caught.value)
    found = re.fullmatch(r"my\.yaml, line (\d+): ([^\n]{5,400}; [^\n]{5,200})", message)
    assert found, message
    return int(found[1]), found[2]


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    monkeypatch.setenv(scenario.FILES, "")
    monkeypatch.setattr(scenario, "_loaded", {})


@pytest.fixture
def kitchen():
    return parse(KITCHEN)


def test_a_scenario_is_read(kitchen):
    assert kitchen.name == "kitchen"
    assert kitchen.agents == ("cook", "waiter")
    assert kitchen.types["item"].values == {
        "cup": ("cup", "mug"),
        "flat_plate": ("plate", "flat dish"),
    }
    assert kitchen.types["lane"].values["north_1st_street"] == ("north 1st street",)
    assert len(kitchen.types["lane"].values) == 18
    log = kitchen.actions["put"].phrases[1]
    assert (log.base, log.ing, log.s) == (
        "log the {0} at {1}",
        "logging the {0} at {1}",
        "logs the {0} at {1}",
    )
    assert kitchen.actions["swap"].phrases[1].ing == "exchanging the {1} against the {0}"
    assert scenario.capacity(kitchen) == 1 + 2 * 18 + 4


# What is replaced, by what, a part of the line at fault, a part of the message.
FAULTS = [
    # YAML
    ("[cook, waiter]", "[cook, waiter", "types:", "this is no YAML"),
    ("name: kitchen", "name: kitchen: x", "name:", "this is no YAML"),
    ("- put {item} on {lane}", "- [put {item} on {lane}]", "- [put", "this is no YAML"),
    ("cup: [cup, mug]", "\tcup: [cup, mug]", "\tcup", "this is no YAML"),
    ("article: none", "article: none\n    article: the", "    article: the\n    comb", "again, after line 12"),
    ("  swap:", "  put:", "  put:\n    arguments: [item, item]", "'put' stands here again, after line 18"),
    ("[cup, mug]", "&a [cup, mug]", "&a", "an anchor (&) or an alias (*)"),
    ("[cup, mug]", "*a", "*a", "an anchor (&) or an alias (*)"),
    ("[cup, mug]", "!!python/object:os.system [x]", "!!", "tag"),
    ("[cup, mug]", "[cup, !x mug]", "!x", "tag"),
    ("[cup, mug]", "[cup, no]", "[cup, no]", "'no' is a truth value to YAML; put it into quotes: \"no\""),
    ("[cup, mug]", "[cup, 7]", "[cup, 7]", 'a number to YAML; put it into quotes: "7"'),
    ("[cup, mug]", "[cup, 7.5]", "[cup, 7.5]", "a number to YAML"),
    ("[cup, mug]", "[cup, 12:30]", "12:30", "a number to YAML"),
    ("[cup, mug]", "[cup, 2001-01-01]", "2001", "a date to YAML"),
    ("cup: [cup, mug]", "on: [cup, mug]", "on: [", "'on' is a truth value"),
    ("[cup, mug]", "", "cup:", "nothing stands here"),
    ("[cup, mug]", "~", "cup:", "nothing stands here"),
    ("cup: [cup, mug]", "<<: {a: [b]}", "<<", "not text to YAML"),
    ("cup: [cup, mug]", "? [cup]\n      : [mug]", "? [cup]", "a key that is a list or mapping"),
    ("[cup, mug]", "[[[[[[[cup]]]]]]]", "[[[[", "nested more than 8 deep"),
    ("[cup, mug]", "[cup, \x00]", "\x00", "control character"),
    ("[cup, mug]", "[cup, \x1b]", "\x1b", "control character"),
    ("[cup, mug]", "[cup, \u2028]", "\u2028", "control character"),
    ("name: kitchen", "--- 1\n---\nname: kitchen", "--- 1", "a number"),
    ("name: kitchen", "--- a\n---\nname: kitchen", "name:", "second document"),
    # The schema
    ("name: kitchen\n", "", "agents:", "the key 'name' is missing; write name, agents, types and"),
    ("name: kitchen", "name: Kitchen", "name:", "in name: 'Kitchen' does not fit; write a lower"),
    ("name: kitchen", "name: kitchen\nnmae: x", "nmae", "there is no key 'nmae' here"),
    ("name: kitchen", "name: [kitchen]", "name:", "a list does not belong here"),
    ("name: kitchen", f"name: {'k' * 32}", "name:", "does not fit"),
    ("[cook, waiter]", "[]", "agents:", "too short; write a list of 1 to 50 nouns"),
    ("[cook, waiter]", "[cook, Waiter]", "agents:", "in agents.2: 'Waiter' does not fit"),
    ("[cook, waiter]", "cook", "agents:", "a text does not belong here"),
    ("article: none", "article: a", "article: a", "write the or none"),
    ("article: none\n", "artikel: none\n", "artikel", "there is no key 'artikel' here"),
    ("[cup, mug]", "[]", "cup:", "too short"),
    ("[cup, mug]", "[Cup]", "[Cup]", "lower case letters, digits, - and '"),
    ("[cup, mug]", "['']", "['']", "does not fit"),
    ("[cup, mug]", "[cup  mug]", "[cup  mug]", "single blanks"),
    ("[cup, mug]", "[' cup']", "[' cup']", "single blanks"),
    ("[cup, mug]", '["cup\\n"]', "cup:", "does not fit"),
    ("[cup, mug]", "[tasse_à]", "tasse", "does not fit"),
    ("[cup, mug]", "[cup-]", "cup-", "does not fit"),
    ("[cup, mug]", f"[{'c' * 90}]", "ccc", "does not fit"),
    ("[cup, mug]", "{cup: mug}", "{cup", "a mapping does not belong here"),
    ("cup: [cup, mug]", "Cup: [cup]", "Cup:", "'Cup' is no name for this"),
    ("cup: [cup, mug]", "7th: [cup]", "7th:", "'7th' is no name for this"),
    ("    combine", "    values: {a: [b]}\n    combine", "article: none", "exclude each other"),
    ("combine:", "combined:", "combined", "there is no key 'combined' here"),
    ("  item:\n", "  item2:\n", "item2:", "'item2' is no name for this"),
    ("    arguments: []\n", "", "phrases: [wait", "the key 'arguments' is missing"),
    ("[wait, stand still]", "[]", "phrases: []", "too short"),
    ("[wait, stand still]", "[Wait]", "[Wait]", "a verb in its base form"),
    ("put {item} on {lane}", "'{item} is put on {lane}'", "is put", "a verb in its base form"),
    ("put {item} on {lane}", "put {item}, on {lane}", "put {item},", "does not fit"),
    ("put {item} on {lane}", "put {item on {lane}", "put {item on", "does not fit"),
    ("put {item} on {lane}", "put {0.__class__} on {lane}", "__class__", "does not fit"),
    ("ing: logging", "gerund: logging", "gerund", "there is no key 'gerund' here"),
    ("ing: logging", "ing: keep logging", "keep", "one verb in lower case"),
    ('phrase: "log {item} at {lane}", ', "", "{ing", "the key 'phrase' is missing"),
    # What a schema cannot say
    ("[cook, waiter]", "[cook, cook]", "agents:", "an agent stands here twice"),
    ("[cook, waiter]", "[the cook]", "agents:", "leave 'the' out"),
    ("[cook, waiter]", "[cook, step]", "agents:", "the word 'step', which sentences are built from"),
    ("[item, lane]", "[item, road]", "road", "there is no type 'road'; write one of item, lane"),
    ("put {item} on {lane}", "put {item}", "put {item}\n", "{lane} is missing in 'put {item}'"),
    ("put {item} on {lane}", "put {item} on {lane} of {item}", "of {item}", "{item} stands twice"),
    ("put {item} on {lane}", "put {item} on {road}", "{road}", "no argument of 'put'; write {item} and {lane}"),
    ("swap {item} for {item2}", "swap {item} for {item3}", "{item3}", "is no argument of 'swap'"),
    ("stand still", "'stand on {lane}'", "stand on", "is no argument of 'idle'; write no argument"),
    ("put {item} on", "put the {item} on", "put the", "an article before {item}"),
    ("put {item} on", "put {item} once on", "once on", "has the word 'once'"),
    ("stand still", "'hold'", "'hold'", "has the word 'holds'"),
    ("[cup, mug]", "[cup, time machine]", "time", "has the word 'time'"),
    ("[cup, mug]", "[the cup]", "the cup", "begins with an article"),
    ("[cup, mug]", "[cup, plate]", "        - plate", "of 'cup' (line 7) and of 'flat_plate'"),
    ("[cup, mug]", "[cup, cup]", "[cup, cup]", "of 'cup' (line 7) and of 'cup'"),
    ("[cup, mug]", "[cup, plates]", "        - plate", "'plates' of 'cup' (line 7) differ only"),
    ("[cup, mug]", "[cup, flat-dish]", "- flat dish", "differ only in 'the', a hyphen or a plural"),
    ("[1st, 2nd, 3rd]", "[1st, 2nd, 1st]", "combine", "two combinations give 'north_1st_street'"),
    ("[[north, south, east], ", "[", "combine", "begin with a letter"),
    ("[street, avenue]", "[street, next]", "combine", "has the word 'next'"),
    ("swap:", "until:", "until:", "'until' means something else in formulas"),
    ("swap:", "prop_1:", "prop_1:", "'prop_1' means something else in formulas"),
    ("swap:", "g:", "  g:", "'g' means something else in formulas"),
    ("cup: [", "or: [", "or: [", "has the word 'or'"),
    # Clashes
    ("stand still", "wait", "[wait, wait]", "'wait' would be 'idle' here and 'idle' in line 17"),
    ("swap {item} for {item2}", "put {item} on {item2}", "", None),
    ("swap {item} for {item2}", "exchange {item} against {item2}", "- exchange {item2}", "'swap' in line"),
    ("stand still", "put the cup on north 1st street", "- put", "'put cup on north 1st street' would be"),
    ("stand still", "log-out the cup", "", None),
    ("cup: [cup, mug]", "cup: [cup, cup on lid]\n      lid: [lid]", "- swap", None),
    ("swap {item} for {item2}", "swap {item} {item2}", "", None),
]  # fmt: skip


@each(("old", "new", "place", "message"), FAULTS)
def test_every_fault_is_named_with_its_line(old, new, place, message):
    assert KITCHEN.count(old) >= 1
    text = KITCHEN.replace(old, new, 1)
    if message is None:
        parse(text)
        return
    line, said = fault(text)
    assert message in said
    assert line == line_of(text, place)


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"", 1, "the file is empty"),
        (b"# nothing\n\n", 1, "the file is empty"),
        (b"\xef\xbb\xbf", 1, "the file is empty"),
        (b"word", 1, "a text does not belong here"),
        (b"[a, b]", 1, "a list does not belong here"),
        (b"name: a\nagents: [\xe9]\n", 2, "not UTF-8"),
        (b"name: a\n\xff\xfe", 2, "not UTF-8"),
        (b"[" * 100_000, 1, "nested more than 8 deep"),
        (b"{a: " * 100_000, 1, "nested more than 8 deep"),
        (b"- " * 100_000, 1, "nested more than 8 deep"),
        (b"a: &a [x]\nb: &b [*a, *a]\n", 1, "an anchor (&) or an alias (*)"),
        (b"x,[" * 20, 1, "a text does not belong here"),
        (b"[" + b"a," * 60_000 + b"]", 1, "more than 50,000 entries"),
    ],
)
def test_hostile_bytes(data, line, message):
    assert fault(data)[0] == line
    assert message in fault(data)[1]


def test_too_many_combinations_are_refused_before_they_are_made():
    words = "[" + ", ".join(f"a{number}" for number in range(200)) + "]"
    text = KITCHEN.replace("[north, south, east]", ", ".join([words] * 3))
    assert "combined values, more than 20,000" in fault(text)[1]


@settings(max_examples=max(some(150), 40), deadline=None)
@given(st.data())
def test_any_damage_is_one_line_or_none(data):
    text = bytearray(KITCHEN.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 2))] = data.draw(
            st.sampled_from(
                [b"", b" ", b"\n", b":", b"-", b"{", b"}", b"[", b"'", b'"', b"the ", b"\xff"]
            )
        )
    with contextlib.suppress(model.ScenarioError):
        parse(bytes(text))
        return
    fault(bytes(text))


# Files


def write(folder, text=KITCHEN, name="my.yaml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_file_is_read_once_and_again_when_it_changed(tmp_path):
    path = write(tmp_path)
    first = scenario.load(path)
    assert scenario.load(path) is first
    write(tmp_path, KITCHEN.replace("mug", "beaker"))
    assert scenario.load(path).types["item"].values["cup"] == ("cup", "beaker")
    assert scenario.known("kitchen") is scenario.load(path)


def test_a_loaded_scenario_is_known_here_and_to_workers(tmp_path, monkeypatch):
    assert scenario.known("kitchen") is None
    scenario.load(write(tmp_path, KITCHEN.replace("name: kitchen", "name: bistro"), "other.yaml"))
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    scenario.load("my.yaml")
    named = os.environ[scenario.FILES].split("\n")
    assert named == [str(tmp_path / "other.yaml"), str(tmp_path / "my.yaml")]
    monkeypatch.setattr(scenario, "_loaded", {})  # as in a worker
    monkeypatch.chdir("/")
    assert scenario.known("kitchen").name == "kitchen"
    assert scenario.known("bistro").name == "bistro"


def test_a_file_that_is_gone_or_spoilt_makes_nothing_known(tmp_path, monkeypatch):
    named = [str(tmp_path / "gone.yaml"), write(tmp_path, "name: [")]
    monkeypatch.setenv(scenario.FILES, "\n".join(named))
    assert scenario.known("kitchen") is None


@pytest.mark.parametrize("name", scenario.NAMES)
def test_no_file_takes_a_built_in_name(tmp_path, name):
    path = write(tmp_path, KITCHEN.replace("name: kitchen", f"name: {name}"))
    with pytest.raises(
        model.ScenarioError, match=f"my.yaml, line 1: '{name}' is the name of a built-in"
    ):
        scenario.load(path)
    assert os.environ[scenario.FILES] == ""


def test_what_is_no_file(tmp_path):
    def message(path):
        with pytest.raises(HarnessError) as caught:
            scenario.load(path)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    assert "write one of warehouse, traffic_light" in message("warehose")
    assert "does not exist" in message(str(tmp_path / "gone.yaml"))
    assert "is no regular file" in message(str(tmp_path))
    os.mkfifo(tmp_path / "pipe.yaml")
    assert "is no regular file" in message(str(tmp_path / "pipe.yaml"))
    assert message("a\0b.yaml")
    assert message("")
    assert message("x" * 5000 + ".yaml")
    (tmp_path / "big.yaml").write_bytes(b"# " + b"x" * 1_000_000)
    assert "more than 1,000,000 bytes" in message(str(tmp_path / "big.yaml"))


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(schema.SCHEMA)


# Clashes, against filling everything

WORDS = st.sampled_from(["a", "b", "c", "a b", "b c", "a b c", "c a", "a-b"])


@st.composite
def small(draw):
    types = {}
    for name in ("x", "y"):
        surfaces = draw(st.lists(WORDS, min_size=1, max_size=4, unique_by=reader.key))
        types[name] = model.Type(
            draw(st.sampled_from(["", "the"])),
            {f"v{i}": (form,) for i, form in enumerate(surfaces)},
        )
    actions = {}
    for name in ("p", "q")[: draw(st.integers(1, 2))]:
        arguments = draw(st.lists(st.sampled_from(["x", "y"]), max_size=2))
        phrases = []
        for _ in range(draw(st.integers(1, 2))):
            slots = draw(st.permutations([f"{{{i}}}" for i in range(len(arguments))]))
            fixed = draw(
                st.lists(st.sampled_from(["", "a", "b", "the", "a b"]), min_size=3, max_size=3)
            )
            parts = [
                "go",
                *itertools.chain.from_iterable(zip(fixed, [*slots, "", "", ""], strict=False)),
            ]
            text = " ".join(part for part in parts if part)
            phrases.append(model.Phrase(text, text, text))
        actions[name] = model.Action(name, tuple(arguments), tuple(phrases))
    return model.Scenario("s", ("robot",), types, actions)


def ambiguous(world):
    """Whether some text is that of two fillings; the same one filled alike by swapped slots is left open."""
    seen, same = {}, False
    for action in world.actions.values():
        kinds = [world.types[name].values for name in action.arguments]
        for number, phrase in enumerate(action.phrases):
            for values in itertools.product(*(kind.items() for kind in kinds)):
                text = phrase.base.format(*(forms[0] for _, forms in values))
                text = " ".join(w for w in text.replace("-", " ").split() if w != "the")
                filling = (action.name, number, tuple(value for value, _ in values))
                same |= seen.setdefault(text, filling) != filling
    return same


@settings(max_examples=max(some(150), 40), deadline=None)
@given(small())
def test_a_clash_is_found_exactly_where_filling_finds_one(world):
    lines = {
        (name, number): 1
        for name, action in world.actions.items()
        for number in range(len(action.phrases))
    }
    try:
        clash.check(world, "my.yaml", lines)
        found = False
    except model.ScenarioError:
        found = True
    assert found == ambiguous(world)


def test_a_large_scenario_is_checked_in_a_moment():
    words = ["[" + ", ".join(f"{letter}{n}" for n in range(25)) + "]" for letter in "abc"]
    text = KITCHEN.replace(
        "[north, south, east], [1st, 2nd, 3rd], [street, avenue]", ", ".join(words)
    )
    assert scenario.capacity(parse(text)) == 1 + 2 * 25**3 + 4


def test_too_many_phrases_with_one_verb_are_refused_before_they_are_compared():
    actions = ""
    for n in range(6):
        listed = "".join(f"      - go a{n}b{i} {{item}}\n" for i in range(40))
        actions += f"  act{n}:\n    arguments: [item]\n    phrases:\n{listed}"
    line, said = fault(KITCHEN + actions)
    assert "more than 200 phrases begin with 'go'" in said
    assert line == line_of(KITCHEN + actions, "a5b0")


# Prompts and chance


def test_descriptions_are_complete(kitchen):
    short, full = scenario.describe(kitchen, False), scenario.describe(kitchen, True)
    assert short.splitlines() == [
        "Agents: the cook, the waiter.",
        "Actions:",
        "- idle",
        "- put(item,lane)",
        "- swap(item,item2) (item2 is another item)",
        "Values of item: cup, flat_plate",
        "Values of lane: one word of each list, joined by _, as in north_1st_street: "
        "(north, south, east); (1st, 2nd, 3rd); (street, avenue)",
    ]
    for part in (
        "- flat_plate: plate, flat dish",
        "put the {item} on {lane}",
        'for "north 1st street"',
    ):
        assert part in full


@pytest.mark.parametrize("name", scenario.NAMES)
def test_built_in_descriptions_name_every_value(name):
    world = scenario.load(name)
    for full in (False, True):
        text = scenario.describe(world, full)
        assert all(f"- {action}" in text for action in world.actions)
        for kind in world.types.values():
            if not kind.combine:
                assert all(re.search(rf"\b{value}\b", text) for value in kind.values)
            for word in itertools.chain.from_iterable(kind.combine):
                assert reader.canonical_part(word) in text
        if full:
            assert all(
                form in text
                for kind in world.types.values()
                if not kind.combine
                for forms in kind.values.values()
                for form in forms
            )


def test_draws_are_even_and_depend_on_the_seed_alone(kitchen):
    rng = random.Random(3)
    drawn = [scenario.draw(kitchen, rng) for _ in range(3000)]
    again = random.Random(3)
    assert drawn == [scenario.draw(kitchen, again) for _ in range(3000)]
    counts = {name: sum(c.action == name for c in drawn) for name in kitchen.actions}
    assert all(850 < count < 1150 for count in counts.values())
    assert len({c.canonical for c in drawn}) == scenario.capacity(kitchen)


def test_the_warehouse_has_the_classes_and_their_names():
    items = scenario.load("warehouse").types["item"].values
    assert len(items) == 80
    assert sum(map(len, items.values())) >= 450


@pytest.mark.parametrize("name", scenario.NAMES)
def test_the_built_in_scenarios_load_and_are_themselves(name):
    world = scenario.load(name)
    assert world.name == name
    assert scenario.known(name) is world
    assert scenario.load(name) is world
    assert scenario.capacity(world) > 50
