"""A solver of vltl that knows the prompts only: traces and requirements in; words, formulas, actions out.

What a sentence means is looked up in tables that independent readers wrote, which the checker of proofs has, too:
`vltl_forms.txt`, for style=timed `vltl_forms_timed.txt`, for next steps on finite traces `vltl_forms_finite.txt`:
`sentence=formula`, [P], [Q], [R] for propositions in the order of first mention; what stands behind is not read.
Formulas count as equal if they agree on all words of `words`: each one up to a size, random ones beyond. That is no
proof.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path

from blind_kit import UnreadError

Formula = tuple["str | Formula", ...]  # an operator and its operands, or "atom" and its name
Answer = str | dict[str, str] | Formula
Row = list[int]  # for each step, a number whose bits are the truth in so many words
Nodes = dict[tuple[str | int, ...], int]  # an operator and the numbers of its operands, or an atom
Values = dict[str, set[str]]  # what some words stand for
Phrase = tuple[str, list[str], re.Pattern[str]]  # an action, its slots in order, a way to say it

FINITE = "LTL on finite traces (LTLf)"
FINITE_NEXT = "there is no next step, or p holds in it"
READINGS = ("vltl_forms.txt", "vltl_forms_timed.txt")
FINITE_READINGS = "vltl_forms_finite.txt"
TABLES = Path(__file__).parent.parent / "libs" / "proof" / "harness_proof" / "prompts"
PRECEDENCE = (
    "The operators with one operand bind most, then U W R M, then &, then |, then -> and <->;"
)
TOKEN = re.compile(r"<->|->|[()!&|]|\b[A-Z]\b|\b[a-z]\w*(?:\([^()\s]*\))?")
LEVELS = (("->", "<->"), ("|",), ("&",), ("U", "W", "R", "M"))  # from what binds least
BOOLEAN: dict[str, Callable[[int, int, int], int]] = {
    "!": lambda a, _, full: full ^ a,
    "&": lambda a, b, _: a & b,
    "|": lambda a, b, _: a | b,
    "->": lambda a, b, full: full ^ a | b,
    "<->": lambda a, b, full: full ^ a ^ b,
}
SHAPES = sorted(
    {*product(range(6), range(1, 7)), (0, 10), (5, 10), (9, 1), (10, 5)}
)  # stem and loop
BLOCKS, BLOCK = 64, 64  # random words of each shape: so many blocks of so many words
EXHAUSTED = 12  # propositions times steps, up to which all words are made


def parse(text: str) -> Formula:
    """Return a formula; operators of one level in a row, other than & and |, are not read."""
    tokens = TOKEN.findall(text)[::-1]  # the next one last
    if "".join(tokens[::-1]) != re.sub(r"\s", "", text):
        raise UnreadError(f"formula {text!r}")
    formula = _binary(tokens, 0)
    if tokens:
        raise UnreadError(f"formula {text!r}: {tokens[-1]!r} is too much")
    return formula


def _binary(tokens: list[str], level: int) -> Formula:
    if level == len(LEVELS):
        return _unary(tokens)
    formula = _binary(tokens, level + 1)
    seen = ""
    while tokens and tokens[-1] in LEVELS[level]:
        if seen and tokens[-1] not in "&|":
            raise UnreadError(f"{seen} and {tokens[-1]} in a row: which binds more is not said")
        seen = tokens.pop()
        formula = (seen, formula, _binary(tokens, level + 1))
    return formula


def _unary(tokens: list[str]) -> Formula:
    token = tokens.pop() if tokens else "the end"
    if token in ("!", "X", "N", "F", "G"):
        return (token, _unary(tokens))
    if token == "(":
        formula = _binary(tokens, 0)
        if not tokens or tokens.pop() != ")":
            raise UnreadError("a parenthesis is not closed")
        return formula
    if not token[0].islower() or token in ("true", "false", "the end"):
        raise UnreadError(f"{token} where an operand should be")
    return ("atom", token)


def substitute(formula: Formula, parts: Mapping[str, Formula]) -> Formula:
    """Return a formula with other formulas for its atoms."""
    if formula[0] == "atom":
        return parts[str(formula[1])]
    return (
        formula[0],
        *(substitute(part, parts) for part in formula[1:] if isinstance(part, tuple)),
    )


def number(formula: Formula, nodes: Nodes) -> int:
    """Return the number of a formula among nodes, to which what is new is added, operands first."""
    operands = (number(part, nodes) if isinstance(part, tuple) else part for part in formula[1:])
    return nodes.setdefault((str(formula[0]), *operands), len(nodes))


def atoms_of(nodes: Nodes) -> list[str]:
    """Return the propositions among nodes, in order."""
    return sorted(str(node[1]) for node in nodes if node[0] == "atom")


def truth(nodes: Nodes, atoms: Mapping[str, Row], back: int | None, count: int) -> list[Row]:
    """Return where each node is true, in words whose last step is followed by step `back`, from 0, or none."""
    rows: list[Row] = []
    for kind, *operands in nodes:
        if kind == "atom":
            rows.append(atoms[str(operands[0])])
        else:
            rows.append(
                _row(str(kind), [rows[int(each)] for each in operands], back, (1 << count) - 1)
            )
    return rows


def _row(kind: str, operands: Sequence[Row], back: int | None, full: int) -> Row:
    pairs = list(zip(operands[0], operands[-1], strict=True))
    ended = full if kind in "GWRN" else 0  # what is so where there is no step
    if kind in "XN":
        return [*operands[0][1:], ended if back is None else operands[0][back]]
    if kind in BOOLEAN:
        return [BOOLEAN[kind](a, b, full) for a, b in pairs]
    # Least rows that fit themselves start from false, greatest from true; going round twice is enough.
    row = [ended] * len(pairs)
    for place in [*reversed(range(len(pairs)))] * 2:
        (a, b), after = pairs[place], place + 1 if place + 1 < len(pairs) else back
        then = ended if after is None else row[after]
        if kind in "FG":
            row[place] = a | then if kind == "F" else a & then
        else:
            row[place] = b | a & then if kind in "UW" else b & (a | then)
    return row


@lru_cache(maxsize=32)
def words(atoms: int) -> tuple[tuple[list[Row], int, int], ...]:
    """Return the words of each shape: rows of so many propositions, the step to go back to, how many."""
    made = []
    for stem, loop in SHAPES:
        size, bits = stem + loop, atoms * (stem + loop)
        if bits > EXHAUSTED:
            rng = random.Random(f"{atoms} {stem} {loop}")
            made.append((_random_rows(atoms, stem, size, rng), stem, BLOCKS * BLOCK))
            continue
        columns = [
            int("".join(str(word >> bit & 1) for word in range(1 << bits)), 2)
            for bit in range(bits)
        ]
        made.append(
            ([columns[place : place + size] for place in range(0, bits, size)], stem, 1 << bits)
        )
    return tuple(made)


def _random_rows(atoms: int, stem: int, size: int, rng: random.Random) -> list[Row]:
    full = (1 << BLOCK) - 1
    rows = [[0] * size for _ in range(atoms)]
    for block in range(BLOCKS):
        earlier: list[Row] = []
        for row in rows:
            style, place = rng.randrange(8), rng.randrange(size)
            if style == 0:  # true in one step only
                new = [full if step == place else 0 for step in range(size)]
            elif (
                style == 1 and earlier
            ):  # nearly like another proposition, perhaps some steps later
                other, shift = rng.choice(earlier), rng.randrange(3)
                new = [other[max(step - shift, 0)] ^ _sparse(rng, 5) for step in range(size)]
            else:  # with some density in the stem, and another in the loop
                densities = rng.randrange(7), rng.randrange(7)
                new = [_sparse(rng, densities[step >= stem]) for step in range(size)]
            earlier.append([full ^ value for value in new] if rng.random() < 0.5 else new)
            for step, value in enumerate(earlier[-1]):
                row[step] |= value << block * BLOCK
    return rows


def _sparse(rng: random.Random, halvings: int) -> int:
    """Return bits of a block, each true with probability 1 / 2**halvings; 6 stands for never."""
    value = 0 if halvings == 6 else (1 << BLOCK) - 1
    for _ in range(halvings % 6):
        value &= rng.getrandbits(BLOCK)
    return value


def equal(first: Formula, second: Formula, *, finite: bool) -> bool:
    """Return whether two formulas agree at the first step of all words; `finite`: of those that end."""
    nodes: Nodes = {}
    one, two = number(first, nodes), number(second, nodes)
    atoms = atoms_of(nodes)
    for rows, back, count in words(len(atoms)) if one != two else ():
        after = None if finite else back
        values = truth(nodes, dict(zip(atoms, rows, strict=True)), after, count)
        if values[one][0] != values[two][0]:
            return False
    return True


@lru_cache(maxsize=2)
def readings(finite: bool) -> dict[str, Formula]:
    """Return what each sentence means, by its words in small letters."""
    meant = {key: formula for name in READINGS for key, formula in _table(name)}
    if not finite:
        return meant
    anyway = {key: formula for key, formula in meant.items() if not _has_next(formula)}
    return anyway | dict(_table(FINITE_READINGS))


def _table(name: str) -> Iterator[tuple[str, Formula]]:
    text = (TABLES / name).read_text(encoding="utf-8")
    for sentence, formula in (line.split("=")[:2] for line in text.splitlines()):
        yield sentence.lower(), parse(formula)


def _has_next(formula: Formula) -> bool:
    return formula[0] == "X" or any(isinstance(part, tuple) and _has_next(part) for part in formula)


def requirement(text: str, agents: Sequence[str], finite: bool) -> Formula:
    """Return what a requirement means, its actions written as <action>, for the agent that gives it sense."""
    main, *rest = re.split(r" ([A-Z]) means: ", text)
    conditions = dict(zip(rest[::2], rest[1::2], strict=True))
    if len(conditions) * 2 != len(rest):
        raise UnreadError(f"a condition is explained twice: {text}")
    found = {_meaning(main, conditions, agent, finite) for agent in agents} - {None}
    if len(found) == 1 and (formula := found.pop()):
        return formula
    raise UnreadError(f"{len(found)} readings of: {text}")


def _meaning(text: str, conditions: Mapping[str, str], agent: str, finite: bool) -> Formula | None:
    """Return what a sentence means if the agent is called so; None if it is not among the readings."""
    names: list[str] = []

    def slot(match: re.Match[str]) -> str:
        names.extend({match["action"] or match["condition"]} - {*names})
        return f"[{'pqrstuvwxyz'[names.index(match['action'] or match['condition'])]}]"

    mention = rf"(?:(?i:{agent}) )?<(?P<action>[^<>]*)>|\b(?P<condition>{'|'.join(conditions) or '<'}) holds\b"
    sentence = re.sub(rf"\b{agent}\b", "the agent", re.sub(mention, slot, text), flags=re.I)
    reading = readings(finite).get(sentence.lower())
    parts: dict[str, Formula] = {}
    for letter, name in zip("pqr", names, strict=False):
        part: Formula | None = ("atom", name)
        if name in conditions:  # not to be explained by itself
            others = {other: what for other, what in conditions.items() if other != name}
            part = _meaning(conditions[name], others, agent, finite)
        if part is None:
            return None
        parts[letter] = part
    return substitute(reading, parts) if reading else None


@lru_cache(maxsize=8)
def vocabulary(text: str) -> tuple[list[str], list[Phrase], dict[str, Values]]:
    """Return the agents, the ways to say actions, and the values of slots that a prompt gives."""
    values: dict[str, Values] = {}
    ways: list[tuple[str, list[str], str]] = []
    agents: list[str] = []
    slot = ""
    for line in text.splitlines():
        if found := re.fullmatch(r"Agents: (.*)\.", line):
            agents = found[1].split(", ")
        elif found := re.fullmatch(
            r"Values of (\w+):(?: one word of each list, joined by _, (.*))?", line
        ):
            slot = found[1]
            lists = [
                words_of.split(", ") for words_of in re.findall(r"\(([^()]*)\)", found[2] or "")
            ]
            values[slot] = {" ".join(each): {"_".join(each)} for each in product(*lists) if each}
        elif slot and (found := re.fullmatch(r"- (\w+): (.*)", line)):
            for word in found[2].lower().split(", "):
                values[slot].setdefault(word, set()).add(found[1])
        elif found := re.fullmatch(r"- (\w+)(?:\((\w+(?:,\w+)*)\))?: (.*)", line):
            slots = found[2].split(",") if found[2] else []
            ways += [(found[1], slots, way) for way in found[3].split("; ")]
        elif not re.fullmatch(r"Scenario: \w+|Actions:", line):
            raise UnreadError(f"vocabulary: {line}")
    return agents, [(name, slots, _pattern(way, values)) for name, slots, way in ways], values


def _pattern(way: str, values: Mapping[str, Values]) -> re.Pattern[str]:
    """Return a pattern of a phrase, with its verb in any form and the longest words for its slots."""
    verb, space, rest = way.partition(" ")
    text = f"(?:{'|'.join(_forms(verb))}){space}"
    for piece in re.split(r"(\{\w+\})", rest):
        slot = piece.strip("{}")
        longest = sorted(values.get(slot, ()), key=len, reverse=True)
        slotted = rf"(?P<{slot}>{'|'.join(map(re.escape, longest))})(?![\w-])"
        text += slotted if piece.startswith("{") else re.escape(piece)
    return re.compile(rf"(?<![\w-]){text}(?![\w-])", re.I)


def _forms(verb: str) -> Iterator[str]:
    """Yield forms that a verb may have, the plain one last."""
    yield from (f"{verb}{verb[-1]}ing", f"{verb}ing", f"{verb}es", f"{verb}s")
    yield (
        f"{verb[:-2]}ying"
        if verb.endswith("ie")
        else f"{verb[:-1]}ing"
        if verb.endswith("e")
        else verb
    )
    yield from (f"{verb[:-1]}ies", verb) if verb.endswith("y") else (verb,)


def marked(prompt: str) -> tuple[str, list[str]]:
    """Return a prompt's requirement, each action in it written as <action>, and who may act."""
    given = re.search(r"^Scenario: .*\nAgents: (?:.*\n)*?(?=Requirement: )", prompt, re.M)
    if given is None:
        raise UnreadError("not read: no vocabulary")
    agents, phrases, values = vocabulary(given[0])
    text, done, place = _line(prompt, "Requirement"), "", 0
    while place < len(text):
        found = [
            (*phrase[:2], match) for phrase in phrases if (match := phrase[2].match(text, place))
        ]
        end = max((match.end() for *_, match in found), default=place + 1)
        meant: set[str] = set()
        for action, slots, match in (each for each in found if each[2].end() == end):
            for chosen in product(*(values[slot][match[slot].lower()] for slot in slots)):
                meant.add(f"{action}({','.join(chosen)})" if chosen else action)
        if len(meant) > 1:
            raise UnreadError(f"{text[place:end]!r} stands for {sorted(meant)}")
        done += f"<{meant.pop()}>" if meant else text[place]
        place = end
    return done, agents


def _line(prompt: str, name: str) -> str:
    found = re.findall(rf"^{name}: (.*)$", prompt, re.M)
    if len(found) != 1:
        raise UnreadError(f"{len(found)} lines {name}")
    return str(found[0])


def _verify(prompt: str) -> str:
    steps = re.findall(r"^Step (\d+): (.*)$", prompt, re.M)
    end = re.search(
        r"^From step (\d+) on, the state stays as it is forever\.$", prompt, re.M
    ) or re.search(
        r"^After step (\d+) it goes back to step (\d+), again and again forever\.$", prompt, re.M
    )
    if FINITE in prompt:
        end = re.search(r"^The trace has (\d+) steps? and ends after the last one;", prompt, re.M)
    if end is None or [int(step) for step, _ in steps] != [*range(1, int(end[1]) + 1)]:
        raise UnreadError("a trace without its end")
    nodes: Nodes = {}
    asked = number(parse(_line(prompt, "Formula")), nodes)
    rows = {atom: [int(atom in what.split(", ")) for _, what in steps] for atom in atoms_of(nodes)}
    back = None if FINITE in prompt else int(end.groups()[-1]) - 1
    return "satisfied" if truth(nodes, rows, back, 1)[asked][0] else "violated"


def _translate(prompt: str) -> Formula:
    text = _line(prompt, "Requirement")
    agents = re.findall(
        r"(?=\b(the \w+)( \w+)?)", text.lower()
    )  # what may be one, of two words or three
    agents = sorted(
        {"the agent", *(first for first, _ in agents), *(first + rest for first, rest in agents)}
    )
    return requirement(re.sub(r"\b(prop_\d+)\b", r"<\1>", text), agents, FINITE in prompt)


def _ground(prompt: str) -> dict[str, str]:
    text, _ = marked(prompt)
    actions, names = re.findall(r"<(.*?)>", text), re.findall(r"prop_\d+", _line(prompt, "Lifted"))
    pairs = dict(zip(names, actions, strict=False))
    numbers = {action: name for name, action in pairs.items()}
    if re.sub(r"<(.*?)>", lambda match: numbers.get(match[1], ""), text) != _line(prompt, "Lifted"):
        raise UnreadError(f"the lifted form is not that of {text}")
    return pairs


def solve(prompt: str) -> Answer:
    """Return the answer to a prompt: a word, a formula, or the actions that propositions stand for."""
    task = _line(prompt, "Task")
    if (FINITE in prompt) is not (FINITE_NEXT in prompt):
        raise UnreadError("whether traces end is not said, or twice")
    if "Operators: " in prompt and PRECEDENCE not in prompt:
        raise UnreadError("operators bind otherwise")
    kind = task.replace("linear temporal logic (LTL).", "LTL").replace(f"{FINITE}.", "LTL")
    if (
        kind.replace("a finite trace", "a trace")
        == "decide whether a trace satisfies a formula of LTL"
    ):
        return _verify(prompt)
    if kind == "translate a requirement into LTL":
        return _translate(prompt)
    if kind == "translate a requirement about actions into LTL":
        return requirement(*marked(prompt), FINITE in prompt)
    if task == "find the action that each proposition of a requirement stands for.":
        return _ground(prompt)
    raise UnreadError(f"not read: {task}")


def agrees(answer: Answer, target: str, prompt: str) -> bool:
    """Return whether a target says the same; formulas are compared on many words."""
    if isinstance(answer, str):
        return answer == target
    if isinstance(answer, dict):
        return bool(answer == json.loads(target))
    return equal(answer, parse(target), finite=FINITE in prompt)
