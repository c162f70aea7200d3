"""Records of sentences with one thing changed: label, certificate or prompt, in ways that a slip could take."""

import json
import re

from harness_vltl import reading
from harness_vltl.engines import solve
from harness_vltl.engines.equivalence import compare
from harness_vltl.formulas import syntax
from harness_vltl.problem import TRANSLATED, is_finite

from harness import HarnessError


def right(record):
    """Return whether our reader and engines give a record's label, or the same formula; None: not read."""
    problem = reading.read(record["prompt"])
    if problem is None:
        return None
    try:
        answer = solve(problem, "spot").answer
        if answer == record["target"] or problem["task"] not in TRANSLATED:
            return answer == record["target"]
        finite = problem.get("semantics") == "ltlf"
        gold, label = (syntax.parse(text, finite=finite) for text in (answer, record["target"]))
        return compare(gold, label, finite=is_finite(problem)).equivalent
    except HarnessError:
        return None


def changes(record, other, rng):
    """Yield the kind of each change with the record that it gives; ``other`` is another item of the same kind."""
    for kind, changed in [
        *_labels(record, other, rng),
        *_proofs(record, rng),
        *_prompts(record, other, rng),
    ]:
        if changed != record:
            yield kind, changed


def _labels(record, other, rng):
    label = record["target"]
    named = re.findall(r"prop_\d|[a-z_]+\([a-z_0-9,]+\)", label)
    for kind, target in (
        ("label of another item", other["target"]),
        ("label negated", f"!({label})"),
        ("label weakened", re.sub(r"\bU\b", "W", label)),
        ("label strengthened", re.sub(r"\bW\b", "U", label)),
        ("label's operators exchanged", re.sub("[FG]", lambda sign: {"F": "G", "G": "F"}[sign[0]], label)),
        ("label with another value", re.sub(r"\(\w+", "(bench", label, count=1)),
        ("label renumbered", re.sub(r"prop_(\d)", lambda n: f"prop_{int(n[1]) % 3 + 1}", label)),
        ("label with one name throughout", re.sub(r"prop_\d", "prop_1", label)),
        ("label without a word", _without(label, rng)),
        ("label with a step more", f"X ({label})"),
    ):  # fmt: skip
        yield kind, {**record, "target": target}
    if len({*named}) > 1:
        one, two = rng.sample(sorted({*named}), 2)
        yield "label with names swapped", {**record, "target": _swapped(label, one, two)}


def _proofs(record, rng):
    proof = record["proof"]
    for agent in ("agent", "bus", "robot or the robot", "first", "step", "robot " + "x" * 9):
        yield "another agent", {**record, "proof": {**proof, "agent": agent}}
    yield "another scenario", {**record, "proof": {**proof, "scenario": "nowhere"}}
    words = proof.get("words", {})
    names = [*words]
    if not names:
        return
    one = rng.choice(names)
    rest = {name: words[name] for name in names if name != one}
    start = record["prompt"].rfind(one)
    longer = re.match(re.escape(one) + r"[^.]*? [a-z]+", record["prompt"][start:])
    for kind, changed in (
        ("words left out", rest),
        ("words with another action", {**words, one: ["pickup(bench)", ""]}),
        ("words cut behind", {**rest, one.rpartition(" ")[0] or "x": words[one]}),
        ("words cut before", {**rest, one.partition(" ")[2] or "x": words[one]}),
        ("words with those behind", {**rest, longer[0] if longer else "x": words[one]}),
        ("words with who acts", {**rest, f"the {proof['agent']} {one}": words[one]}),
        ("no words", {}),
    ):  # fmt: skip
        claim = {**record, "proof": {**proof, "words": changed}}
        yield kind, claim
        if record["prompt"].startswith("Task: mark") and changed:
            yield (
                f"{kind}, and the label so",
                {**claim, "target": _lifted(record["prompt"], changed)},
            )
    if len(names) > 1:
        two = rng.choice([name for name in names if name != one])
        swapped = {**words, one: words[two], two: words[one]}
        yield "words with actions swapped", {**record, "proof": {**proof, "words": swapped}}
        same = {**words, one: words[two]}
        yield "words with one action", {**record, "proof": {**proof, "words": same}}


def _lifted(prompt, words):
    """Return the requirement with propositions in place of words, by first mention."""
    said = re.search("^Requirement: (.*)$", prompt, re.MULTILINE)[1]
    numbers = {}
    either = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.sub(
        either,
        lambda found: f"prop_{numbers.setdefault(words[found[0]][0], len(numbers) + 1)}",
        said,
    )


def _prompts(record, other, rng):
    """Yield prompts with another requirement, or with something else changed."""
    prompt = record["prompt"]
    said = re.search("^Requirement: (.*)$", prompt, re.MULTILINE)[1]
    others = re.search("^Requirement: (.*)$", other["prompt"], re.MULTILINE)[1]
    words = said.split(" ")
    at = rng.randrange(len(words))
    pieces = re.split(r"(?<=\.) (?=[A-Z] means: )", said)
    for kind, requirement in (
        ("another requirement", others),
        ("a word left out", _without(said, rng)),
        ("a word twice", " ".join([*words[: at + 1], *words[at:]])),
        ("a word of another item", " ".join([*words[:at], rng.choice(others.split(" ")), *words[at + 1 :]])),
        ("words swapped", " ".join(words[:at] + words[at : at + 2][::-1] + words[at + 2 :])),
        ("no condition", pieces[0]),
        ("conditions in another order", " ".join([pieces[0], *pieces[:0:-1]])),
        ("a condition twice", " ".join([*pieces, pieces[-1]])),
        ("a condition of another name", re.sub("[A-Z] holds", "B holds", said)),
        ("not", re.sub(r" (is|in|a) ", r" \1 not ", said, count=1)),
        ("never for always", said.replace("lways", "ever").replace("very", "ome")),
        ("next for later", said.replace("later", "next").replace("eventually", "never")),
        ("whenever for if", said.replace("Whenever", "If").replace("Eventually", "Always")),
        ("another number", re.sub(r"prop_\d", lambda _: f"prop_{rng.randint(1, 3)}", said)),
    ):  # fmt: skip
        yield kind, {**record, "prompt": prompt.replace(said, requirement, 1)}
    for kind, changed in (
        ("another scenario said", prompt.replace("warehouse", "office", 1)),
        ("lifted otherwise", re.sub("(?m)^(Lifted: .*)prop_1", r"\1prop_2", prompt)),
        ("an action not listed", re.sub(r"(?m)^- (idle|pickup\(item\))$", "- rest", prompt)),
        ("a value not listed", re.sub(rf"\b{rng.choice(_values(record))}, ", "", prompt, count=1)),
        ("a task of another header", re.sub("^Task: .*", other["prompt"].split("\n")[0], prompt)),
        ("a line left out", _lines(prompt, rng)),
        ("until otherwise meant", prompt.replace("B does happen", "B may happen", 1)),
        ("later otherwise meant", prompt.replace("in some step after that one", "in any step", 1)),
        ("precedence otherwise", prompt.replace("then U W R M, then &", "then &, then U W R M", 1)),
        ("time otherwise", prompt.replace("never ends", "ends", 1)),
    ):  # fmt: skip
        yield kind, {**record, "prompt": changed}


def _values(record):
    """Return the values of the certificate's actions."""
    actions = [action for action, _ in record["proof"].get("words", {}).values()]
    return re.findall(r"[(,]([a-z_]+)", json.dumps(actions)) or ["bench"]


def _without(text, rng):
    words = text.split(" ")
    at = rng.randrange(len(words))
    return " ".join(words[:at] + words[at + 1 :])


def _lines(text, rng):
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    return "\n".join(lines[:at] + lines[at + 1 :])


def _swapped(text, one, two):
    both = f"{re.escape(one)}|{re.escape(two)}"
    return re.sub(both, lambda name: two if name[0] == one else one, text)
