"""An item as a drawing: the machine with the run of the trace, and the trace with its effect and cause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from harness_svg.drawing import Drawing
from harness_svg.graph import Edge, Graph, Node, fitting, spans
from harness_svg.text import EM, columns, shortened, wrapped
from harness_svg.timing import STEP, timing, timing_size

from harness import Item
from harness_tempobench import problem
from harness_tempobench.labels import cubes, literal_text
from harness_tempobench.machine import Machine, cells
from harness_tempobench.targets import effect_text

WIDTH, MARGIN = 880.0, 16.0  # units
ROOM, SMALL_ROOM = 100, 117  # columns of a line of text of size 14, of size 12
STATES, PAIRS = 16, 48  # states, and pairs of them, that are drawn at the most
LABELS = 16  # transitions up to which they have their labels,
LABELLED_INPUTS = 8  # and inputs
ROWS, NAME = 20, 24  # propositions that are drawn at the most, columns of a name
KEY_LINES = 3  # lines of a label that stands below the machine

EFFECT, CAUSE = "marked", "cause"  # how they look

Mark = tuple[int, str]  # a step and a proposition


@dataclass(frozen=True, slots=True)
class _Run:
    """A problem with the machine's run of its trace; ``fault``: the first step that cannot be taken."""

    case: problem.Case
    states: tuple[int, ...]
    fault: int | None

    @property
    def machine(self) -> Machine:
        return self.case.machine

    def taken(self) -> dict[tuple[int, int], list[int]]:
        """Return the steps at which the machine goes from a state to another."""
        steps: dict[tuple[int, int], list[int]] = {}
        for step, pair in enumerate(pairwise(self.states)):
            steps.setdefault(pair, []).append(step)
        return steps


@dataclass(frozen=True, slots=True)
class _Wave:
    """A timing diagram to draw under a line of words; ``signs``: the classes of its marks, and what they mean."""

    words: str
    signs: Mapping[str, str]
    names: list[str]
    values: list[list[bool]]
    marks: Mapping[Mark, str]
    strong: set[str]
    first: int
    states: tuple[int, ...]


def svg(item: Item) -> str:
    """Return an item as SVG; without a certificate, as published ones are, no cause is marked.

    Raises `TempobenchError`: the problem is malformed.
    """
    case = problem.plain(item.problem)
    states, accepted = case.run()
    run = _Run(case, states, None if accepted else len(states) - 1)
    nodes, edges = _graph(run)
    initial = str(run.machine.start)
    graph = Graph(nodes, edges, initial=initial, widest=WIDTH - 2 * MARGIN)
    head = wrapped(_title(item, run), ROOM, 2)
    remarks = wrapped(_remarks(run, len(nodes), edges), SMALL_ROOM, 2) + _key_lines(graph.keyed)
    waves = list(_timing_diagrams(item, run))
    half = WIDTH / 2 - MARGIN
    widths = [timing_size(wave.names, len(wave.values[0]))[0] for wave in waves]
    beside = len(waves) == 2 and max(widths) <= half
    room = ROOM // 2 - 2 if beside else ROOM
    heights = [_wave_height(wave, room) for wave in waves]
    height = 2 * MARGIN + len(head) * 19 + graph.height + len(remarks) * 17
    height += max(heights) if beside else sum(heights)
    drawing = Drawing(WIDTH, height, _title(item, run))
    y = MARGIN + 12
    for line in head:
        drawing.text(MARGIN, y, line, bold=True)
        y += 19
    graph.draw(drawing, max((WIDTH - graph.width) / 2, MARGIN), y - 8)
    y += graph.height + 8
    for line in remarks:
        drawing.text(MARGIN, y, line, "faint", size=12)
        y += 17
    for number, wave in enumerate(waves):
        _draw_wave(drawing, (MARGIN + number * beside * half, y), wave, room)
        y += 0 if beside else heights[number]
    return drawing.svg()


def _title(item: Item, run: _Run) -> str:
    """Say in words what the drawing shows."""
    count = len(run.machine.table)
    words = f"Mealy machine with {count} state{'s' * (count != 1)}"
    if item.problem["task"] in problem.EFFECTS:
        effect = item.problem["effect"]
        if "literals" in effect:
            return f"{words}; why does {shortened(effect['output'], 40)} hold?"
        value = "true" if effect["value"] else "false"
        return (
            f"{words}; why is {shortened(effect['output'], 40)} {value} at step {effect['step']}?"
        )
    if item.problem["task"] == "sim":
        return f"{words}; it runs on the inputs of {len(run.case.letters)} steps"
    if run.fault is None:
        return f"{words}; it accepts the trace of {len(run.case.letters)} steps"
    return f"{words}; it rejects the trace at step {run.fault}"


def _remarks(run: _Run, nodes: int, edges: Sequence[Edge]) -> str:
    """Say what the signs mean and what is left out."""
    signs = []
    if len(run.states) > 1:
        signs += ["Green: the run", "numbers: the steps at which a transition is taken"]
    if any(edge.label for edge in edges):
        signs.append("labels: inputs / outputs that are true")
    states = len(run.machine.table)
    if nodes < states:
        signs.append(f"{nodes} of {states} states are shown")
    if len(edges) < run.machine.transitions:
        signs.append(f"{len(edges)} of {run.machine.transitions} transitions are shown")
    return f"{'; '.join(signs)}." if signs else ""


def _key_lines(keyed: Sequence[tuple[str, Edge]]) -> list[str]:
    """Return the labels that found no room, each behind its letter, wrapped between words."""
    lines = []
    for key, edge in keyed:
        words = edge.label.replace("&", " & ").replace("\n", "; ")
        first, *others = wrapped(
            f"{key}: {edge.source} → {edge.target}: {words}", SMALL_ROOM - 4, KEY_LINES
        )
        lines += [first, *(f"    {line}" for line in others)]
    return lines


def _graph(run: _Run) -> tuple[list[Node], list[Edge]]:
    """Return what to draw of the machine: all of it if it is small, else what the run meets."""
    table, taken = run.machine.table, run.taken()
    met = list(dict.fromkeys(run.states))

    def following(state: int) -> list[int]:
        return sorted({cell[0] for cell in table[state]})

    near = list(dict.fromkeys([*met, *(t for state in met[:STATES] for t in following(state))]))

    def graphs() -> Iterator[tuple[list[Node], list[Edge]]]:
        for chosen, others in (
            (list(range(len(table))) if len(table) <= STATES else near, True),
            (near, True),
            (met, True),
            (met, False),
        ):
            known = set(chosen)
            pairs = [pair for pair in taken if known.issuperset(pair)]
            if others and len(chosen) <= 4 * STATES:
                pairs += [
                    (state, target)
                    for state in chosen
                    for target in following(state)
                    if target in known and (state, target) not in taken
                ]
            nodes = [Node(str(s), style="right" if s in met else "plain") for s in chosen]
            yield nodes, [_edge(pair, taken.get(pair, [])) for pair in pairs]

    nodes, edges = fitting(graphs(), STATES, PAIRS)
    if len(edges) <= LABELS and len(run.machine.inputs) <= LABELLED_INPUTS:
        edges = [_labelled(edge, run.machine) for edge in edges]
    return nodes, edges


def _edge(pair: tuple[int, int], steps: Sequence[int]) -> Edge:
    source, target = map(str, pair)
    if not steps:
        return Edge(source, target)
    return Edge(source, target, "", spans(steps), "good-line", "head-good", "right", "good", 3)


def _labelled(edge: Edge, machine: Machine) -> Edge:
    """Return the edge with a line for every combination of outputs: ``in&!x / found``."""
    groups = {
        mask: letters
        for (following, mask), letters in cells(machine.table[int(edge.source)]).items()
        if following == int(edge.target)
    }
    names = [shortened(name, NAME) for name in machine.inputs]
    lines = []
    for mask, letters in sorted(groups.items()):
        guards = cubes(letters, len(names))
        when = " | ".join(literal_text(cube, names) if cube else "any" for cube in guards)
        then = ", ".join(shortened(name, NAME) for name in problem.outputs(machine, mask)) or "–"
        lines.append(f"{when} / {then}")
    return replace(edge, label="\n".join(lines))


def _timing_diagrams(item: Item, run: _Run) -> Iterator[_Wave]:
    """Yield the trace with what is marked in it, and one counterfactual of the certificate."""
    if item.problem["task"] == "sim":
        yield _wave(
            run, "The inputs, and what the machine does.", {}, run.case.letters, run.case.masks, {},
            len(run.case.letters) - 1, set(),
        )  # fmt: skip
        return
    if item.problem["task"] == "tte":
        yield _trace_wave(run)
        return
    effect, machine = item.problem["effect"], run.machine
    certificate: Mapping[str, Any] = item.certificate or {}
    counterfactuals = certificate.get("counterfactuals")
    sets = [counterfactual["flips"] for counterfactual in counterfactuals or []]
    cause = {(step, name) for flips in sets for step, name in flips}
    words = "The trace with the effect"
    if counterfactuals is None:
        words += ". There is no certificate that shows its cause."
    elif counterfactuals:
        single = item.problem["task"] == "min"
        words += " and the inputs that it needed." if single else " and the inputs of its cause."
    else:
        words += ". No input could have prevented it: the cause is empty."
    literals = effect.get("literals", [(effect["step"], effect["output"], effect["value"])])
    mark = {(step, output): EFFECT for step, output, _ in literals}
    strong = {output for _, output, _ in literals}
    signs = {EFFECT: "effect", CAUSE: "cause"} if cause else {EFFECT: "effect"}
    yield _wave(
        run, words, signs, run.case.letters, run.case.masks, dict.fromkeys(cause, CAUSE) | mark,
        effect["step"], strong,
    )  # fmt: skip
    if counterfactuals:
        letters, masks = problem.steps(machine, counterfactuals[0]["trace"])
        flips = {(step, name) for step, name in sets[0]}
        changes = " and ".join(
            f"{shortened(name, NAME)} at step {step}" for step, name in sorted(flips)[:4]
        )
        more = " and more" if len(flips) > 4 else ""
        fails = effect_text(effect, False, shortened(effect["output"], NAME))
        first = f"1 of {len(sets)} " if len(sets) > 1 else ""
        words = f"Counterfactual {first}of the certificate: with {changes}{more} changed, {fails}."
        signs = {EFFECT: "effect gone", CAUSE: "input changed"}
        marks = dict.fromkeys(flips, CAUSE) | mark
        kept = {name for _, name in marks}
        yield _wave(run, words, signs, letters, masks, marks, effect["step"], strong, kept)


def _trace_wave(run: _Run) -> _Wave:
    """Return the timing diagram of a trace about which is asked whether it is accepted."""
    case, fault, machine = run.case, run.fault, run.machine
    if fault is None:
        words = "The trace; every step is one of the machine's: it is accepted."
        return _wave(run, words, {}, case.letters, case.masks, {}, len(case.letters) - 1, set())
    required = machine.table[run.states[-1]][case.letters[fault]][1]
    wrong = problem.outputs(machine, case.masks[fault] ^ required)
    expected, traced = (
        ", ".join(shortened(name, NAME) for name in problem.outputs(machine, mask)) or "no outputs"
        for mask in (required, case.masks[fault])
    )
    words = f"The trace; at step {fault} the machine would set {expected}, the trace has {traced}: it is rejected."
    marks = dict.fromkeys(((fault, name) for name in wrong), EFFECT)
    return _wave(run, words, {EFFECT: "difference"}, case.letters, case.masks, marks, fault, set())


def _wave(
    run: _Run, words: str, signs: Mapping[str, str], letters: Sequence[int], masks: Sequence[int],
    marks: Mapping[Mark, str], focus: int, strong: set[str], kept: set[str] | None = None,
) -> _Wave:  # fmt: skip
    """Cut a trace to the propositions and steps that fit: those marked first, the steps around ``focus``."""
    machine = run.machine
    names = _rows(machine, letters, masks, {name for _, name in marks}, kept)
    labels = _distinct_labels(names)
    width = _names_width(list(labels.values()))
    most = max(int((WIDTH - 2 * MARGIN - width) / STEP), 1)
    first = max(min(focus + 2, len(letters)) - most, 0)
    steps = range(first, min(first + most, len(letters)))
    place = {name: i for i, name in enumerate(machine.propositions)}
    inputs = len(machine.inputs)
    values = [
        [bool((letters[step] | masks[step] << inputs) >> place[name] & 1) for step in steps]
        for name in names
    ]
    if len(names) < len(place) and kept is None:
        words += f" {len(names)} of {len(place)} propositions are shown."
    if len(steps) < len(letters):
        words += f" Steps {steps[0]} to {steps[-1]} of {len(letters)} are shown."
    return _Wave(
        words, signs, list(labels.values()), values,
        {
            (step - first, labels[name]): style
            for (step, name), style in marks.items()
            if name in labels and step in steps
        },
        {labels[name] for name in strong}, first, run.states[first : steps[-1] + 1] if kept is None else (),
    )  # fmt: skip


def _rows(
    machine: Machine, letters: Sequence[int], masks: Sequence[int], marked: set[str], kept: set[str] | None
) -> list[str]:  # fmt: skip
    """Return propositions in their order: all if they are few, else those marked and then those that change."""
    names = [name for name in machine.propositions if kept is None or name in kept]
    if len(names) <= ROWS:
        return names
    inputs = len(machine.inputs)
    words = [letter | mask << inputs for letter, mask in zip(letters, masks, strict=True)]
    changing = 0
    for word in words:
        changing |= word ^ words[0]
    place = {name: i for i, name in enumerate(machine.propositions)}
    rank = sorted(names, key=lambda name: (name not in marked, not changing >> place[name] & 1))
    chosen = set(rank[:ROWS])
    return [name for name in names if name in chosen]


def _distinct_labels(names: Sequence[str]) -> dict[str, str]:
    """Return names cut to fit, so that no two become the same."""
    labels: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        short = shortened(name, NAME)
        taken = short in labels.values()
        labels[name] = f"{shortened(name, NAME - 5)} ({number})" if taken else short
    return labels


def _names_width(names: Sequence[str]) -> float:
    """Return the width that the names of a timing diagram take, in units."""
    return timing_size(names, 20)[0] - 20 * STEP


def _wave_height(wave: _Wave, room: int) -> float:
    size = timing_size(wave.names, len(wave.values[0]))[1]
    lines = len(wrapped(wave.words, room, 4)) + bool(wave.signs)
    return size + lines * 19 + 18 + (16 if wave.states else 0)


def _draw_wave(
    drawing: Drawing, corner: tuple[float, float], wave: _Wave, room: int
) -> None:  # fmt: skip
    """Draw words, the states of the run, and the diagram."""
    x, y = corner
    y += 12
    for line in wrapped(wave.words, room, 4):
        drawing.text(x, y, line)
        y += 19
    left = x + 2
    for style, words in wave.signs.items():
        drawing.rect(left, y - 11, 14, 14, style, 3)
        drawing.text(left + 20, y, words, "faint", size=12)
        left += 40 + columns(words) * EM * 12
    y += 11 if wave.signs else -8
    if wave.states:
        left = x + _names_width(wave.names)
        drawing.text(left - 10, y + 12, "state", "faint", "end", 11)
        for number, state in enumerate(wave.states[: len(wave.values[0])]):
            drawing.text(left + (number + 0.5) * STEP, y + 12, str(state), "good", "middle", 11)
            drawing.data(state=state, step=wave.first + number)
        y += 16
    timing(
        drawing, x, y, wave.names, wave.values, marks=wave.marks, strong=wave.strong, first=wave.first
    )  # fmt: skip
