"""Templates and the sentences that they make: what is said, who reads it back, and whether it is English."""

import random
import re
from collections import Counter
from itertools import combinations, permutations
from pathlib import Path

import harness_proof
import pytest
from cases import SHARE, each, slow
from harness_proof import vltl
from harness_vltl import templates
from harness_vltl.engines import (
    equivalence,
    forms_reader,
    second_reader,
    spot,
)
from harness_vltl.engines.evaluator import freeze, verdicts
from harness_vltl.formulas import formula, syntax
from harness_vltl.formulas.formula import operators, propositions, substitute, validate
from harness_vltl.scenarios import scenario
from harness_vltl.templates import Slot, families, skeletons
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import within
from vltl_random import random_trace
from vltl_sentences import WORLDS, compositions, every_form

from harness import Abstained, EngineError, HarnessError

# The skeletons of the published benchmark: those in its data, then those in its generator only.
LISTED = [
    "F !a", "G !a", "F G !a", "G a", "!(G !(a & X a))", "X a",
    "a & G (a -> (X !a & X X !a & X X X !a & X X X X !a & X X X X X a))",
    "G (a -> (X !a | X X !a | X X X a))",
    "F (a & b)", "G (a & b)", "F (a | b)", "G (a | b)", "a U b", "G (a -> F b)", "G !(a & b)",
    "G (a -> X X X b)", "a U (G F b)", "F b -> (!b U (a & !b))", "G (a -> b)", "G F a -> G F b",
    "(G F a) | (G F b)", "G !(a & b) & G (a | b)", "!a U b", "G (a -> X G !b)", "G (a -> X F b)",
    "(G F a) | (X b)", "G (a -> (b | X b))", "G (a -> X b)", "F a & F b", "G (a <-> X b)",
    "(a U b) | (G a)", "(b U (b & !a)) | (G b)",
    "G (a -> F b) -> G F c", "G (!(a & b) -> F c)", "G ((a <-> b) -> (b <-> c))",
    "G ((a & X b) -> X X c)", "b -> X ((c U a) | (G c))", "G a & G (b -> !c)", "G (a | b | c)",
]  # fmt: skip


TWICE = [
    ("not_until", "strong_precedence"),
    ("until_or_always", "weak_until"),
    ("infinitely_often_but_never", "never_but_infinitely_often"),
]


def same(one, other):
    return one == other or spot.difference(one, other) is None


# ---------------------------------------------------------------------------------- templates


def test_every_published_skeleton_is_there():
    assert len(LISTED) == 39
    for listed in LISTED:
        formula = syntax.parse(listed, "abc")
        names = sorted(propositions(formula))
        assert any(
            skeleton.arity == len(names) and same(skeleton.formula, formula)
            for skeleton in skeletons()
        ), listed


def test_skeletons_are_many_different_and_of_every_arity():
    assert len(skeletons()) >= 100
    assert len({one.id for one in skeletons()}) == len(skeletons())
    assert Counter(skeleton.arity for skeleton in skeletons()).keys() == {1, 2, 3}
    assert len(families()) >= 10
    assert {skeleton.family for skeleton in skeletons()} == set(families())
    for skeleton in skeletons():
        validate(skeleton.formula)
        assert re.fullmatch(r"[a-z][a-z0-9_]*", skeleton.id)
        assert re.fullmatch(r"[a-z][a-z0-9_]*", skeleton.family)


def test_no_skeleton_is_another_one_under_other_letters():
    """But for three pairs, which differ in how they are said."""
    pairs = combinations(skeletons(), 2)
    twice = [
        (one.id, other.id)
        for one, other in pairs
        if one.arity == other.arity and any(quick_same(one.formula, way) for way in ways(other))
    ]
    assert twice == TWICE


def ways(skeleton):
    for order in permutations("abc"[: skeleton.arity]):
        yield substitute(skeleton.formula, dict(zip("abc", order, strict=False)))


def quick_same(one, other):
    if one == other:
        return True
    return equivalence.refuted(freeze(one), freeze(other)) is None and same(one, other)


def test_every_skeleton_has_forms_enough_and_one_for_conditions():
    for skeleton in (*skeletons("plain"), *skeletons("exact"), *skeletons("timed")):
        assert len(skeleton.forms) >= (4 if skeleton.style == "exact" else 6), skeleton.id
        assert skeleton.clausal, skeleton.id
        assert set(propositions(skeleton.formula)) == set("abc"[: skeleton.arity])


def test_slots_are_the_letters_of_the_formula():
    for skeleton, form in templates.every_form():
        slots = [piece for piece in form.pieces if isinstance(piece, Slot)]
        assert {slot.letter for slot in slots} == set(propositions(skeleton.formula))
        fixed = "".join(piece for piece in form.pieces if isinstance(piece, str))
        assert not re.search(r"[{}\[\]<>\t\n\"]", fixed), form.text


def test_no_two_forms_are_the_same_text():
    texts = Counter(form.text for _, form in templates.every_form())
    assert max(texts.values()) == 1
    assert sum(texts.values()) >= 10 * len(skeletons())
    # nor when slots are all alike: then one sentence would have two meanings
    keys = Counter(key_of(form)[0] for _, form in templates.every_form())
    assert [key for key, count in keys.items() if count > 1] == []


@pytest.mark.parametrize("text", ["{d:clause} now.", "{a:past}.", "{x} and {a}."])
def test_slots_that_are_none_are_refused(text):
    with pytest.raises(AssertionError):
        templates.form(text)


# ----------------------------------------------------------------- readings of the second reader


def key_of(form):
    """The sentence with letters in order of mention, as the blind readers saw it, and who is who."""
    order, said = {}, ""
    for piece in form.pieces:
        if piece is None:
            said += "The agent" if not said or said.endswith(". ") else "the agent"
        elif isinstance(piece, str):
            said += piece
        else:
            if piece.letter not in order:
                order[piece.letter] = "pqr"[len(order)]
            said += f"[{order[piece.letter].upper()}]"
    return re.sub(r"\b[Tt]he agent (?=\[)", "", said), {own: slot for slot, own in order.items()}


ENGINES = Path(second_reader.__file__).parent
PROMPTS = Path(harness_proof.__file__).parent / "prompts"


def read(*files, finite=False):
    """What a reader wrote down: sentence and formula, with "The agent [P]" said as "[P]"."""
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    rows = [re.split("[\t=]", line) for line in lines if not line.startswith("#")]
    said = [re.sub(r"\b[Tt]he agent (?=\[)", "", row[0]) for row in rows]
    assert len(said) == len(set(said))
    return {
        sentence: syntax.parse(row[1], "pqr", finite=finite)
        for sentence, row in zip(said, rows, strict=True)
    }


@pytest.mark.parametrize(
    ("files", "styles"),
    [
        ([ENGINES / "readings.tsv", ENGINES / "readings_timed.tsv"], ["plain", "exact", "timed"]),
        ([PROMPTS / "vltl_forms.txt"], ["plain"]),
        ([PROMPTS / "vltl_forms_timed.txt"], ["timed"]),
    ],
)
def test_every_form_was_read_as_its_formula_by_who_had_not_seen_it(files, styles):
    meant = read(*files)
    forms = [
        (skeleton, *key_of(form))
        for skeleton, form in templates.every_form()
        if skeleton.style in styles
    ]
    assert meant.keys() == {said for _, said, _ in forms}  # each has a reading, and none is stale
    for skeleton, said, letters in forms:
        formula = substitute(meant[said], letters)
        assert same(formula, skeleton.formula), said


@pytest.mark.parametrize(
    "file", [ENGINES / "readings_finite.tsv", PROMPTS / "vltl_forms_finite.txt"]
)
def test_so_was_every_form_that_speaks_of_a_next_step_of_finite_traces(file):
    meant = read(file, finite=True)
    forms = [
        (skeleton, *key_of(form))
        for skeleton, form in templates.every_form(finite=True)
        if not operators(skeleton.formula).isdisjoint("XN")
    ]
    assert meant.keys() == {said for _, said, _ in forms}
    for skeleton, said, letters in forms:
        formula = substitute(meant[said], letters)
        assert equivalence.compare(skeleton.formula, formula, finite=True).equivalent, said


@pytest.mark.parametrize("like", [("fixed",), ("fixed", "timed"), ("fixed", "finite")])
def test_the_checker_of_proofs_knows_each_form_as_its_template_writes_it(like):
    """What it takes a form to mean stands last in its line: as the template does, or so that it reads the same."""
    known, finite, seen = vltl.forms(*like), "finite" in like, set()
    style = "timed" if "timed" in like else "plain"
    listed = templates.every_form(finite)
    for skeleton, form in listed:
        said, letters = key_of(form)
        if skeleton.style != style and not finite:
            continue
        seen.add(said)
        inverse = {own: letter for letter, own in letters.items()}
        reader = vltl.Reader(finite)
        written = formula.text(substitute(skeleton.formula, inverse))
        assert reader.read(known[said]) == reader.read(written), said
    assert seen == known.keys() if like == ("fixed",) else seen <= known.keys()


# ------------------------------------------------------------------------- reading sentences back


def agree(one, other):
    """Equivalent, or where Spot declines (nested ones may be large), alike on random traces."""
    try:
        return same(one, other)
    except Abstained:
        rng = random.Random("agree")
        names = propositions(one)
        drawn = [random_trace(rng, names, longest=9) for _ in range(200)]
        return verdicts(one, drawn) == verdicts(other, drawn)


def read_by_both(made, world):
    """Both readers, of the sentence and of the lifted one, against what it was made from."""
    for reader in (forms_reader, second_reader):
        found = reader.read(made.sentence, scenario.load(world))
        assert found.names == made.names, (reader, made.sentence)
        assert found.lifted == made.lifted, (reader, made.sentence)
        assert agree(found.formula, made.formula), (reader, made.sentence)
        again = reader.read(made.lifted, None)
        assert agree(again.formula, made.formula), (reader, made.lifted)
        assert again.lifted == made.lifted


@slow
@pytest.mark.parametrize("world", WORLDS)
def test_every_form_reads_back(world):
    own = [one for one in every_form() if one[2] == world]
    assert len(own) > 100
    for _, _, _, made in own[::SHARE]:
        read_by_both(made, world)


@slow
@pytest.mark.parametrize("depth", [2, 3])
def test_nested_compositions_read_back(depth):
    for at, (skeleton, _, world, made) in enumerate(compositions(depth, 1)):
        validate(made.formula)
        conditions = [node["condition"] for node in made.derivation[1:]]
        assert [name for name, _ in templates.definitions(made.sentence)] == ["", *conditions]
        assert len(conditions) >= depth - 1
        assert made.derivation[0]["skeleton"] == skeleton.id
        assert len(propositions(made.formula)) <= 4
        if at % SHARE == 0:
            read_by_both(made, world)


def test_what_a_requirement_says_of_itself_fits_together():
    for _, _, _, made in (*every_form(), *compositions(2, 1), *compositions(3, 1)):
        assert len(made.ids) == len(made.tokens)
        assert " ".join(made.tokens) == made.sentence
        assert set(made.ids) - {0} == set(range(1, len(made.choices) + 1))
        assert propositions(made.grounded) == [
            made.names[name] for name in propositions(made.formula)
        ]
        assert sorted(propositions(made.formula)) == sorted(made.names)
        # each run of numbered words is one mention
        runs = re.findall(r"prop_[0-9]+", made.lifted)
        first = list(dict.fromkeys(runs))
        assert first == [f"prop_{i}" for i in range(1, len(first) + 1)]
        for number, text in enumerate(made.texts, 1):
            at = made.ids.index(number)
            words = made.tokens[at : at + len(text.split(" "))]
            assert " ".join(words).rstrip(",.;:") == text
            assert set(made.ids[at : at + len(words)]) == {number}


# ------------------------------------------------------------------------------ altered sentences


def read_or_none(reader, sentence, world):
    try:
        return reader.read(sentence, scenario.load(world))
    except HarnessError as error:
        fault = error
    assert isinstance(fault, EngineError)
    assert "\n" not in str(fault)
    return None


def meaning(found):
    return substitute(found.formula, found.names)


def check_altered(sentence, made, world):
    """Both refuse, both agree, or one reads it as the sentence that it was before: say how many read it.

    -1: one reads it otherwise. The second reader does not mind a verb of another form.
    """
    first, second = (read_or_none(r, sentence, world) for r in (forms_reader, second_reader))
    if first and second:
        assert first.names == second.names, sentence
        assert first.lifted == second.lifted, sentence
        assert same(first.formula, second.formula), sentence
    elif (first or second) and not same(meaning(first or second), made.grounded):
        return -1
    return (first is not None) + (second is not None)


TELLING = {
    "not": "", "never": "always", "and": "or", "or": "and", "next": "first", "now": "then",
    "first": "second", "two": "three", "three": "four", "later": "earlier", "after": "before",
    "every": "some", "each": "no", "some": "every", "at": "in", "is": "was", "present": "next",
    "until": "unless", "finitely": "infinitely", "infinitely": "finitely", "both": "neither",
    "neither": "both", "exactly": "least", "least": "most", "more": "fewer", "no": "a",
}  # fmt: skip


def alterations(made, rng):
    tokens = made.sentence.split(" ")
    at = rng.randrange(len(tokens))
    yield [*tokens[:at], *tokens[at + 1 :]]
    yield [*tokens[:at], tokens[at], *tokens[at:]]
    yield [*tokens[:at], rng.choice(tokens), *tokens[at + 1 :]]
    yield [*tokens[:at], "not", *tokens[at:]]
    yield [*tokens[:at], *tokens[at : at + 2][::-1], *tokens[at + 2 :]]
    telling = [i for i, token in enumerate(tokens) if token.rstrip(",.;:").lower() in TELLING]
    for i in telling[:4]:
        bare = tokens[i].rstrip(",.;:")
        other = TELLING[bare.lower()] + tokens[i][len(bare) :]
        yield [*tokens[:i], *([other] if other else []), *tokens[i + 1 :]]


@slow
def test_sentences_with_a_word_altered_are_refused_or_read_alike():
    rng = random.Random("altered")
    readers = Counter()
    # of each template every other form, which is two of them at least
    for _, _, world, made in (*every_form()[:: 2 * SHARE], *compositions(2, 1)[:: 6 * SHARE]):
        for tokens in alterations(made, rng):
            sentence = " ".join(tokens)
            if sentence != made.sentence:
                readers[check_altered(sentence, made, world)] += 1
    assert readers[0] > 0.9 * readers.total()
    assert readers[1] < 0.02 * readers.total()
    assert readers[-1] <= max(0.0005 * readers.total(), 1)  # none of 7,495


def test_punctuation_belongs_to_the_sentence():
    for _, _, world, made in every_form()[:: 9 * SHARE]:
        for sentence in (
            made.sentence[:-1],
            made.sentence + ".",
            made.sentence + " ",
            " " + made.sentence,
            made.sentence + "\n",
            made.sentence.replace(" ", "  ", 1),
            made.sentence + " " + made.sentence,
        ):
            for reader in (forms_reader, second_reader):
                assert read_or_none(reader, sentence, world) is None, sentence


def test_another_scenario_has_other_words():
    """But for a few words for calling help and the like that two of them share."""
    readers = Counter()
    for at, (_, _, world, made) in enumerate(every_form()[::SHARE]):
        other = WORLDS[(WORLDS.index(world) + 1 + at % 2) % 3]
        readers[check_altered(made.sentence, made, other)] += 1
    assert readers[1] == readers[-1] == 0
    assert readers[0] > 0.9 * readers.total()


HEAD = "At some point, now or later, condition R1 holds."
LOOSE = "In every step, from now on, "
DEFINES = templates.defining("R1").removeprefix(" Condition R1")


def defined(name, clause):
    return f" Condition {name}{DEFINES}{LOOSE}{clause}."


BROKEN = {
    "missing": HEAD,
    "missing inside": HEAD + defined("R1", "condition R2 holds"),
    "another one defined": HEAD + defined("R2", "the robot prop_1"),
    "doubled": HEAD + defined("R1", "the robot prop_1") * 2,
    "doubled, different": HEAD + defined("R1", "the robot prop_1") + defined("R1", "the robot prop_2"),
    "by itself": HEAD + defined("R1", "condition R1 holds"),
    "circular": HEAD + defined("R1", "condition R2 holds") + defined("R2", "condition R1 holds"),
    "definition only": defined("R1", "the robot prop_1"),
    "definition only, no blank": defined("R1", "the robot prop_1")[1:],
    "empty definition": HEAD + f" Condition R1{DEFINES}",
    "no number": HEAD.replace("R1", "R") + defined("R", "the robot prop_1"),
    "small letter": HEAD + defined("R1", "the robot prop_1").replace("Condition", "condition"),
}  # fmt: skip


@each("reader", [forms_reader, second_reader])
@each("sentence", BROKEN.values())
def test_conditions_that_are_not_defined_once_are_refused(reader, sentence):
    with within(1):
        with pytest.raises(EngineError) as caught:
            reader.read(sentence, None)
        assert "\n" not in str(caught.value)


def test_the_definitions_above_would_be_read_if_they_were_whole():
    for reader in (forms_reader, second_reader):
        found = reader.read(HEAD + defined("R1", "the robot prop_1"), None)
        assert found.formula == ["F", ["G", "prop_1"]]
        found = reader.read(
            HEAD + defined("R1", "condition R2 holds") + defined("R2", "the robot prop_1"), None
        )
        assert same(found.formula, ["F", ["G", "prop_1"]])


RESPONSE = next(one for one in skeletons("exact") if one.id == "response").clausal[0].text


def tower(high, second):
    """Conditions each of which names the next one, and a further one, in its two slots."""
    said = HEAD
    for i in range(1, high):
        one, other = f"condition R{i + 1} holds", f"condition R{min(i + second, high)} holds"
        words = RESPONSE.replace("{a:clause}", one).replace("{b:clause}", other)
        said += f" Condition R{i}{DEFINES}{words}"
    return said + defined(f"R{high}", "the robot prop_1")


HOSTILE = {
    "empty": "",
    "blank": " ",
    "dot": ".",
    "null": "\0" * 5000,
    "long": "In the next step, the robot prop_1." + " x" * 10_000,
    "the": "the " * 2400,
    "The": "The robot " * 900,
    "commas": "In every step, from now on, " * 300,
    "conditions": "condition R1 holds " * 500,
    "definitions": f"Condition R1{DEFINES}" * 100,
    "props": " ".join(f"prop_{i}" for i in range(1100)),
    "whenever": "Whenever " + "the robot prop_1, " * 500,
    "digits": "condition R" + "9" * 9000 + " holds",
    "unicode": "In the next step, the robot ｐｒｏｐ_1.",
    "tower": tower(50, 1),
    "fibonacci": tower(50, 2),
    "verbs": "In the next step, the robot " + "waits idly " * 800 + ".",
    "arguments": "In the next step, the robot picks up " + "the dining table " * 500 + ".",
}


@each("reader", [forms_reader, second_reader])
@each("sentence", HOSTILE.values())
def test_hostile_sentences_end_soon(reader, sentence):
    for world in (None, scenario.load("warehouse")):
        with within(2), pytest.raises(HarnessError) as caught:
            reader.read(sentence, world)
        assert len(str(caught.value)) < 2000


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_refused_by_both(text):
    for reader in (forms_reader, second_reader):
        assert read_or_none(reader, text, "warehouse") is None


# ----------------------------------------------------------------------------------- English


def slips(text):
    """What no good English text has."""
    found = re.findall(r"  | [,.;:]|[,.;:]{2}|[,;:][A-Za-z]|\.[A-Za-z]|[^ -~]|[{}\[\]]", text)
    found += [m[0] for m in re.finditer(r"\b([a-z]+) \1\b", text, re.IGNORECASE)]
    found += re.findall(r"\b[Aa] (?=[aeio])\w+", text)
    found += [m for m in re.findall(r"\b[Aa]n [^aeiou ]\w*", text) if not m[3:].startswith("hour")]
    found += re.findall(r"\w*(?:singing|inging ing|eding|esing|nsing|sings)\b", text)
    found += re.findall(r"\b[Nn]ot not\b|\b(?:the|a|an|of|at)[.,;]", text)
    found += re.findall(r"\b(?:does|must|does not|must not) (?!bring)\w+(?:sses|ches|ings)\b", text)
    found += re.findall(r"(?<!so )\b(?:does|must|does not|must not) (?!bring)\w+ing\b", text)
    found += re.findall(r"(?:\. |^)(?=[a-z])\w+", text)
    return found


FINE = {"it it"}  # in "if in it it is not the case that"


def test_every_sentence_is_clean_english():
    for _, _, _, made in (*every_form(), *compositions(2, 1), *compositions(3, 1)):
        assert made.sentence.endswith(".")
        assert made.sentence[0].isupper()
        found = [slip for slip in slips(made.sentence) if slip not in FINE]
        assert found == [], made.sentence


def test_the_check_of_english_finds_slips():
    for text in (
        "The  robot waits.", "The robot waits .", "The robot waits..", "The the robot waits.",
        "In a own step.", "An step.", "the robot happensing.", "One. two.", "Waits,now.",
        "It must waiting now.", "It goes at.", "all is true: one.", "the robot waits {a}.",
    ):  # fmt: skip
        assert slips(text), text


def test_clauses_have_verbs_that_fit():
    """After "the robot" stands the third person, after "must" the base form: no verb in -ing or plain."""
    for _, form, world, made in every_form():
        agents = "|".join(map(re.escape, scenario.load(world).agents))
        for slot in form.pieces:
            assert not isinstance(slot, Slot) or slot.kind in ("base", "ing", "s", "clause")
        text = re.sub(r"prop_[0-9]+", "P", made.lifted)
        assert not re.search(rf"[Tt]he (?:{agents}) (?:the|a|an) ", text), text
        for slot, said in zip(
            [piece for piece in form.pieces if isinstance(piece, Slot)],
            mentions(made),
            strict=True,
        ):
            head = said.split(" ")[0].lower()
            assert head.endswith("ing") is (slot.words == "ing" or head == "bring"), said
            assert head.endswith("s") is (slot.words == "s" or head.endswith("ss")), said


def mentions(made):
    """The words of every mention, in order."""
    found, last = [], 0
    pattern = "(.*?)".join(re.escape(part) for part in re.split(r"prop_[0-9]+", made.lifted))
    match = re.fullmatch(pattern, made.sentence)
    assert match, last
    return [*found, *match.groups()]
