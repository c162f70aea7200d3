"""Toys that break one rule each; tests/kit/test_conformance.py says by which check each is caught."""

import re
import time
from dataclasses import replace
from itertools import count
from random import Random
from types import MappingProxyType

from toy_base import WORDS, Toy

from harness import (
    Abstained,
    DatasetError,
    Metric,
    Shortcut,
    Solution,
    SpecError,
    Strategy,
    Verdict,
    Weakness,
    hookimpl,
)


class Good(Toy):
    installed = True


class Slow(Toy):
    """Not a defect: its draws are its own, for tests to hold up."""

    installed = True

    def draw(self, top, index, rng):
        return super().draw(top, index, rng)


class Uncounted(Toy):
    """Not a defect: cannot say how many items there are."""

    @hookimpl
    def capacity(self, config):
        return None


class Staged(Toy):
    """Not a defect: asks in stages, says how records are adopted, lets its texts be pruned."""

    installed = True
    stages = ("first", "second", "total")

    @hookimpl
    def describe(self):
        plain = super().describe()
        properties = plain.config_schema["properties"]
        style = properties["style"] | {"x-adopt": True}
        return replace(
            plain,
            config_schema={**plain.config_schema, "properties": {**properties, "style": style}},
            strategies=(Strategy("parts", "number by number, then the sum", stages=self.stages),),
            formats=("sum", "text"),
            pruning="Does this read well, yes or no? {text} Say {one} word.",
        )

    def hooks(self):
        own = ("stage_prompt", "stage_gold", "stage_join")
        return super().hooks() | {hook: getattr(self, hook) for hook in own}

    @hookimpl
    def stage_prompt(self, item, stage, replies):
        return self.prompt(self.part(item, stage, replies), "plain")

    def part(self, item, stage, replies):
        if stage != "total":
            return {"a": item.problem["ab"[self.stages.index(stage)]], "b": 0}
        said = [self.answer_in(replies[stage], item) for stage in ("first", "second")]
        return {key: WORDS.index(word or "zero") for key, word in zip("ab", said, strict=True)}

    @hookimpl
    def stage_gold(self, item, stage):
        total = sum(
            item.problem["ab"[i]] for i, s in enumerate(self.stages[:2]) if stage in (s, "total")
        )
        return f"Answer: {WORDS[total % 7]}"

    @hookimpl
    def stage_join(self, item, replies):
        return f"{len(replies)} replies.\n{replies['total']}"

    @hookimpl
    def render(self, item, format):  # noqa: A002 (the hook's own name)
        return super().render(item, "sum") if format == "text" else super().render(item, format)


class Telling(Toy):
    """Not a defect: says what its datasets hold, and what form an answer has; reads that form."""

    installed = True
    said = MappingProxyType({"pool": 7, "warnings": ["two of the pool\nare \x1b[31mout"]})
    schema = MappingProxyType({
        "type": "object",
        "properties": {"word": {"type": "string", "enum": list(WORDS)}},
        "required": ["word"],
        "additionalProperties": False,
    })  # fmt: skip

    def hooks(self):
        return super().hooks() | {hook: getattr(self, hook) for hook in ("about", "structure")}

    @hookimpl
    def about(self, config, salt):
        return self.said and {"top": config["top"], "salt": salt, **self.said}

    @hookimpl
    def structure(self, item):
        return self.schema and dict(self.schema)

    def answer_in(self, text, item):
        found = re.fullmatch(r'\{"word": "(\w{3,5})"\}', text)
        return super().answer_in(found[1] if found else text, item)


class ListAbout(Telling):
    installed = False

    @hookimpl
    def about(self, config, salt):
        return ["two of the pool are out"]


class SetAbout(Telling):
    installed = False
    said = MappingProxyType({"pool": {1, 2}})


class ChangingAbout(Telling):
    installed = False
    calls = count()

    @hookimpl
    def about(self, config, salt):
        return {"pool": next(self.calls)}


class HashingAbout(Telling):
    installed = False

    @hookimpl
    def about(self, config, salt):
        return {"pool": hash("pool")}


class NoStructure(Telling):
    installed = False
    schema = MappingProxyType({"type": "objekt"})


class ForeignStructure(Telling):
    """A JSON Schema, and none that Inspect could hand on."""

    installed = False
    schema = MappingProxyType({"type": "array", "items": False})


class ChangingStructure(Telling):
    installed = False
    calls = count()

    @hookimpl
    def structure(self, item):
        return {"type": "string", "maxLength": next(self.calls)}


class WrongStage(Staged):
    installed = False

    @hookimpl
    def stage_gold(self, item, stage):
        return "Answer: six of one" if stage == "total" else super().stage_gold(item, stage)


class FragileStage(Staged):
    installed = False

    @hookimpl
    def stage_prompt(self, item, stage, replies):
        return super().stage_prompt(item, stage, replies) if stage == "first" else replies["gone"]


class SilentStage(Staged):
    installed = False

    @hookimpl
    def stage_prompt(self, item, stage, replies):
        return " "


class NoJoin(Staged):
    installed = False

    @hookimpl
    def stage_join(self, item, replies):
        return replies


class NotForThese(Staged):
    """Not a defect: its strategy in stages is for other items."""

    installed = False

    @hookimpl
    def stage_prompt(self, item, stage, replies):
        raise SpecError("strategy=parts is for bigger sums")


class TwoTasks(Toy):
    """Not a defect: the constants of its other task are no answers to these items."""

    @hookimpl
    def describe(self):
        plain = super().describe()
        return replace(plain, choices=("yes", "no"), choices_by_task={"sums": plain.choices})

    @hookimpl
    def generate(self, config, index, rng, salt):
        item = super().generate(config, index, rng, salt)
        return replace(item, features={**item.features, "task": "sums"}, id="")


class Cutting(Toy):
    """Not a defect: it names shortcuts; of these one fails, and one looks for the label, which is not there."""

    installed = True
    ways = ("first", "three", "peek", "broken", "other_task")

    @hookimpl
    def describe(self):
        return replace(
            super().describe(),
            shortcut_ceiling=0.9,
            levels=tuple({"top": top} for top in range(7, 17)),
        )

    def hooks(self):
        return super().hooks() | {hook: getattr(self, hook) for hook in ("shortcuts", "shortcut")}

    @hookimpl
    def shortcuts(self):
        return tuple(
            Shortcut(way, f"It does {way}.", "the rest", ("no",) if way == "other_task" else ())
            for way in self.ways
        )

    @hookimpl
    def shortcut(self, item, name, rng):
        if name == "broken":
            raise ZeroDivisionError("no way")
        words = {
            "first": self.label(item.problem["a"]),
            "three": self.label(sum(item.problem.values()) if rng.random() < 0.6 else 3),
            "peek": item.target or str(item.certificate),
        }
        return f"Answer: {words[name]}"


class Shortcutting(Toy):
    """Not a defect: two shortcuts, of which one is right now and then."""

    ceiling = 0.5

    @hookimpl
    def describe(self):
        return replace(
            super().describe(), shortcut_ceiling=self.ceiling, solution_features=("digits",)
        )

    def hooks(self):
        return super().hooks() | {hook: getattr(self, hook) for hook in ("shortcuts", "shortcut")}

    @hookimpl
    def shortcuts(self):
        return tuple(Shortcut(way, f"It does {way}.", "the rest") for way in ("first", "sum"))

    @hookimpl
    def shortcut(self, item, name, rng):
        return f"Answer: {self.first(item) if name == 'first' else self.sum(item, rng)}"

    def first(self, item):
        return self.label(item.problem["a"])

    def sum(self, item, rng):
        return self.label(sum(item.problem.values()) if rng.random() < 0.2 else 3)


class Particular(Shortcutting):
    """Not a defect: its scorer cannot judge without a label, which shortcuts never see."""

    @hookimpl
    def score(self, item, completion):
        return super().score(item, completion) if item.target else Verdict("unscored", {})


class Unlimited(Shortcutting):
    ceiling = None


class Won(Shortcutting):
    def sum(self, item, rng):
        return self.label(sum(item.problem.values()))


class Lucky(Shortcutting):
    """Not a defect: a shortcut wins the first ten items, and few of the others."""

    def sum(self, item, rng):
        return self.label(sum(item.problem.values()) if item.index < 10 else -1)


class Worded(Shortcutting):
    """Its prompts have a word for each answer, which nobody said."""

    def prompt(self, problem, style):
        said = ["sphinx", "of", "black", "quartz", "judge", "my", "vow"][sum(problem.values()) % 7]
        return f"{super().prompt(problem, style)} ({said})"


class Peeping(Shortcutting):
    def first(self, item):
        return item.target or "one"


class Certified(Shortcutting):
    """It knows the label by the certificate of another item, and does not show it with the item's own."""

    def first(self, item):
        own = (item.certificate or {}).get("sum", sum(item.problem.values()))
        return "one" if own == sum(item.problem.values()) else "two"


class Foretelling(Shortcutting):
    @hookimpl
    def generate(self, config, index, rng, salt):
        item = super().generate(config, index, rng, salt)
        return replace(item, features={"digits": WORDS.index(item.target)}, id="")

    def first(self, item):
        return WORDS[item.features["digits"]]


class Fickle(Shortcutting):
    asked = count()

    def first(self, item):
        return WORDS[next(self.asked) % 7]


class Halting(Shortcutting):
    def first(self, item):
        raise ZeroDivisionError


class NoConstants(TwoTasks):
    @hookimpl
    def describe(self):
        return replace(super().describe(), choices_by_task={"sums": ()})


class Raising(Toy):
    def draw(self, top, index, rng):
        if index == 3:
            raise ZeroDivisionError("no such sum")
        return super().draw(top, index, rng)


class NoItem(Toy):
    def item(self, problem, style="plain", notes=()):
        return problem


class OthersItem(Toy):
    def item(self, problem, style="plain", notes=()):
        return replace(super().item(problem, style, notes), plugin="somebody")


class NanProblem(Toy):
    def draw(self, top, index, rng):
        return super().draw(top, index, rng) | {"a": float("nan")}

    def item(self, problem, style="plain", notes=()):
        return replace(super().item({"a": 1, "b": 1}, style, notes), problem=problem)


class BadPreset(Toy):
    presets = MappingProxyType({"small": {"top": (9, 0)}})


class BadCorePreset(Toy):
    presets = MappingProxyType({"small": {"n": 0}})


class OneEngine(Toy):
    engines = ("arithmetic",)


class NoSchema(Toy):
    def answers(self):
        return {"enum": "zero"}


class OffSchema(Toy):
    def answers(self):
        return {"enum": list(WORDS[1:])}


class LacksGroup(Toy):
    def features(self, total):
        return {}


class NanFeature(Toy):
    def features(self, total):
        return {"digits": float("nan")}


class SetFeature(Toy):
    def features(self, total):
        return {"digits": 1, "kinds": {total}}


class TupleFeature(Toy):
    def features(self, total):
        return {"digits": (total,)}


class Counting(Toy):
    """Every other sum is one more, whoever asks."""

    calls = count()

    def draw(self, top, index, rng):
        problem = super().draw(top, index, rng)
        return problem | {"a": problem["a"] + next(self.calls)}


class Hashing(Toy):
    def draw(self, top, index, rng):
        problem = super().draw(top, index, rng)
        return problem | {"a": hash(str(problem)) % (top + 1)}


class SameSeeds(Toy):
    def draw(self, top, index, rng):
        return super().draw(top, index, Random(index))


class FewProblems(Toy):
    """Seeds share the problems that a small pool has, and `collision_rate` does not say so."""

    def draw(self, top, index, rng):
        return super().draw(min(top, 4), index, rng)


class Strict(Toy):
    """The form that the prompt asks for is not accepted after reasoning."""

    def answer_in(self, text, item):
        return super().answer_in(text, item) if len(text.splitlines()) == 1 else None


class Guessing(Toy):
    """What cannot be read counts as an answer."""

    def answer_in(self, text, item):
        return super().answer_in(text, item) or "zero"


class Generous(Toy):
    """What cannot be read counts in the model's favour."""

    @hookimpl
    def score(self, item, completion):
        word = self.answer_in(completion, item)
        return Verdict("scored", {"correct": float(word in (None, item.target))}, word)


class Blaming(Toy):
    """What cannot be read is called a failure of the harness."""

    @hookimpl
    def score(self, item, completion):
        word = self.answer_in(completion, item)
        if word is None:
            return Verdict("unscored", {}, explanation="cannot happen")
        return Verdict("scored", self.value(word, item), word)


class Fragile(Toy):
    def answer_in(self, text, item):
        text.encode("ascii")
        return super().answer_in(text, item)


class Sluggish(Toy):
    def answer_in(self, text, item):
        time.sleep(1.0 if len(text) > 100_000 else 0)
        return super().answer_in(text, item)


class Stuck(Toy):
    """Never comes back, and takes every exception for a reason to go on."""

    def answer_in(self, text, item):
        while len(text) > 100_000:
            try:
                time.sleep(0.01)
            except Exception:
                continue
        return super().answer_in(text, item)


class NanValue(Toy):
    def value(self, word, item):
        return {"correct": 1.0 if word == item.target else float("nan")}


class ForeignValue(Toy):
    def value(self, word, item):
        return super().value(word, item) | {"style": 1.0}


class NoValue(Toy):
    def value(self, word, item):
        return None


class WrongOutcome(Toy):
    @hookimpl
    def score(self, item, completion):
        found = super().score(item, completion)
        return replace(found, outcome="wrong" if found.outcome == "scored" else found.outcome)


class HastyJudge(Toy):
    @hookimpl
    def score(self, item, completion, explain):
        found = super().score(item, completion)
        return found if explain else replace(found, value={"correct": 0.0})


class PaysUnparsed(Toy):
    @hookimpl
    def score(self, item, completion):
        found = super().score(item, completion)
        return replace(found, value={"correct": 0.1}) if found.outcome == "unparsed" else found


class NumberAnswer(Toy):
    @hookimpl
    def score(self, item, completion):
        found = super().score(item, completion)
        return replace(found, answer=WORDS.index(found.answer) if found.answer else None)


class Overwriting(Toy):
    """Its extra facts would replace the outcome that the core records beside them."""

    @hookimpl
    def score(self, item, completion):
        return replace(super().score(item, completion), extra={"outcome": "scored"})


class NoVerdict(Toy):
    @hookimpl
    def score(self, item, completion):
        return self.answer_in(completion, item) == item.target


class Hedging(Toy):
    """Takes the target for given when it is named anywhere."""

    def answer_in(self, text, item):
        return item.target if item.target in text else super().answer_in(text, item)


class FirstWord(Toy):
    """Takes the first word after 'Answer:' and never looks at the rest."""

    def answer_in(self, text, item):
        words = text.partition("Answer:")[2].split() or text.split()
        return words[0] if words and words[0] in WORDS else None


class LastWord(Toy):
    def answer_in(self, text, item):
        words = text.replace("/", " ").split()
        return words[-1] if words and words[-1] in WORDS else None


class Synonyms(Toy):
    """Odd answers are all the same to it."""

    def value(self, word, item):
        odd = WORDS.index(word) % 2 and WORDS.index(item.target) % 2
        return {"correct": float(word == item.target or bool(odd))}


class Everywhere(Toy):
    """One target only."""

    def draw(self, top, index, rng):
        return {"a": 7 * rng.randint(0, top), "b": 0}


class Tolerant(Toy):
    def value(self, word, item):
        return {"correct": float(abs(WORDS.index(word) - WORDS.index(item.target)) <= 1)}


class PrefixTaker(Toy):
    def answer_in(self, text, item):
        given = text.splitlines()[-1].removeprefix("Answer:").strip() if text.strip() else ""
        return item.target if given and item.target.startswith(given) else given or None

    def value(self, word, item):
        return {"correct": float(word == item.target)}


class Leaking(Toy):
    def prompt(self, problem, style):
        hint = self.label(problem["a"] + problem["b"])
        return f"{super().prompt(problem, style)} Do not just say {hint}."


class MostlyLeaking(Leaking):
    def prompt(self, problem, style):
        return (Leaking if problem["a"] % 4 else Toy).prompt(self, problem, style)


class Echoing(Toy):
    """Finds the answer where the prompt names all of them."""

    def prompt(self, problem, style):
        return f"{super().prompt(problem, style)} The words are {', '.join(WORDS)}."

    def answer_in(self, text, item):
        return item.target if ", ".join(WORDS) in text else super().answer_in(text, item)


class Misreading(Toy):
    @hookimpl
    def read(self, prompt):
        found = super().read(prompt)
        return found and {"a": found["b"], "b": found["a"]}


class Unreading(Toy):
    """Does not know its own polite prompts."""

    def prompt(self, problem, style):
        return super().prompt(problem, style).replace("plus", "and" if problem["a"] % 3 else "plus")


class Greedy(Toy):
    @hookimpl
    def read(self, prompt):
        return super().read(prompt) or {"a": 0, "b": 0}


class FragileRead(Toy):
    @hookimpl
    def read(self, prompt):
        prompt.encode("ascii")
        return super().read(prompt)


class WrongEngine(Toy):
    """Loses a carry now and then."""

    def digits(self, problem):
        wrong = problem["a"] % 5 == 0
        return super().digits({**problem, "a": problem["a"] + 1} if wrong else problem)


class Drawing(Toy):
    """Draws its items; what it draws is spoilt below."""

    drawn = "<svg xmlns='http://www.w3.org/2000/svg'><title>a sum</title>{}</svg>"

    @hookimpl
    def describe(self):
        return replace(super().describe(), formats=("sum", "svg"))

    @hookimpl
    def render(self, item, format):  # noqa: A002 (the hook's own name)
        return self.drawn.format("") if format == "svg" else super().render(item, format)


class FragileDrawing(Drawing):
    @hookimpl
    def render(self, item, format):  # noqa: A002 (the hook's own name)
        return item.problem["nothing"]


class NumberDrawing(Drawing):
    @hookimpl
    def render(self, item, format):  # noqa: A002 (the hook's own name)
        return 7


class BrokenDrawing(Drawing):
    drawn = "<svg xmlns='http://www.w3.org/2000/svg'><title>a sum</title>"


class PageDrawing(Drawing):
    drawn = "<html><body/></html>"


class UntitledDrawing(Drawing):
    drawn = "<svg xmlns='http://www.w3.org/2000/svg'/>"


class ScriptDrawing(Drawing):
    drawn = Drawing.drawn.format("<SCRIPT>1</SCRIPT>")


class HandlerDrawing(Drawing):
    drawn = Drawing.drawn.format("<g onload='1'/>")


class LinkDrawing(Drawing):
    drawn = Drawing.drawn.format("<g xmlns:x='http://www.w3.org/1999/xlink' x:href='data:,'/>")


class EntityDrawing(Drawing):
    drawn = "<!DOCTYPE svg [<!ENTITY a 'b'>]>" + Drawing.drawn.format("")


class HugeDrawing(Drawing):
    drawn = Drawing.drawn.format(300_000 * " ")


class WrongLabel(Toy):
    def label(self, total):
        return WORDS[(total + (total % 5 == 0)) % 7]


class Abstaining(Toy):
    """Its second engine only decides small sums, so some labels rest on one engine."""

    def digits(self, problem):

        if problem["a"] > 50_000:
            raise Abstained("too large")
        return super().digits(problem)


class FailingEngine(Toy):
    def digits(self, problem):
        return [][problem["a"]]


class NoSolution(Toy):
    @hookimpl
    def solve(self, problem, engine):
        found = super().solve(problem, engine)
        return found if engine == "arithmetic" else Solution(None, engine)


class Unchecked(Toy):
    @hookimpl
    def check(self, item):
        return []


class NeverProven(Toy):
    @hookimpl
    def check(self, item):
        return ["no proof is good enough"]


class IgnoresTarget(Toy):
    @hookimpl
    def check(self, item):
        good = item.certificate == {"sum": item.problem["a"] + item.problem["b"]}
        return [] if good else ["not the sum"]


class IgnoresEvidence(Toy):
    """Works the answer out again and never looks at the certificate."""

    @hookimpl
    def check(self, item):
        total = item.problem["a"] + item.problem["b"]
        return [] if item.certificate and item.target == WORDS[total % 7] else ["wrong"]


class SameEvidence(Toy):
    """Not a defect: what proves an item may prove another one with another answer, too."""

    @hookimpl
    def generate(self, config, index, rng, salt):
        item = super().generate(config, index, rng, salt)
        return replace(item, certificate={"odd": sum(item.problem.values()) % 2}, id="")

    @hookimpl
    def check(self, item):
        total = sum(item.problem.values())
        good = item.certificate == {"odd": total % 2} and item.target == WORDS[total % 7]
        return [] if good else ["not the sum's parity, or not its word"]


class FragileCheck(Toy):
    @hookimpl
    def check(self, item):
        total = item.certificate["sum"]
        return [] if item.target == WORDS[total % 7] else ["the sum proves another target"]


class WrongHeadline(Toy):
    installed = True
    headline = "accuracy"
    metrics = (Metric("accuracy", "half of the truth", compute=lambda rows: 0.5),)


class FailingHeadline(Toy):
    installed = True
    headline = "accuracy"
    metrics = (Metric("accuracy", "an empty product", compute=lambda rows: [][0]),)


class Publishing(Toy):
    """Not a defect: reads and writes two published formats, and says what is weak and what is open."""

    installed = True
    known = MappingProxyType({"toy_csv": {"x", "y"}, "toy_json": {"sum", "word"}})
    weaknesses = MappingProxyType({"no_sum": Weakness("one of the numbers is zero", "note")})

    @hookimpl
    def describe(self):
        return replace(
            super().describe(), dataset_formats=tuple(self.known), weaknesses=self.weaknesses
        )

    def hooks(self):
        own = ("publish", "audit", "readings")
        return super().hooks() | {hook: getattr(self, hook) for hook in own}

    @hookimpl
    def adopt(self, record, config, format):  # noqa: A002 (the hook's own name)
        name = next((n for n, keys in self.known.items() if keys <= set(record)), None)
        if name is None or format not in ("", name):
            return None
        notes = {"format": name}
        if name == "toy_csv":
            if not all(str(record[key]).isdecimal() for key in "xy"):
                raise DatasetError("x and y must be natural numbers")
            return self.item({"a": int(record["x"]), "b": int(record["y"])}, notes=notes)
        return replace(self.item(dict(record["sum"]), notes=notes), target=record["word"], id="")

    @hookimpl
    def publish(self, item, format, record):  # noqa: A002 (the hook's own name)
        if format == "toy_json":
            return {"sum": item.problem, **record, "word": item.target}
        said = {"x": str(item.problem["a"]), "y": str(item.problem["b"])}
        # It has no place for a label of its own.
        return {**said, **record} if self.arithmetic(item.problem) == item.target else None

    @hookimpl
    def audit(self, item):
        return [
            {"kind": "no_sum", "message": f"{key} is zero"} for key in "ab" if not item.problem[key]
        ]

    @hookimpl
    def readings(self, item):
        right = {"modulo 7": self.arithmetic(item.problem) == item.target, "modulo 8": False}
        return {"modulus": right}


class TakesAll(Publishing):
    @hookimpl
    def adopt(self, record, config):
        return super().adopt(record, config, "") or self.item({"a": 0, "b": 0})


class Picky(Publishing):
    """Declines sums of large numbers; the ids of its records may repeat."""

    @hookimpl
    def adopt(self, record, config):
        item = super().adopt(record, config, "")
        if item is not None and item.problem["a"] > 5:
            raise Abstained("x is too large")
        notes = {"source_id": record["x"], "ids_repeat": True}
        return item and replace(item, notes={**item.notes, **notes})


class FragileAdopt(Publishing):
    @hookimpl
    def adopt(self, record, config):
        return self.item({"a": int(record["x"]), "b": int(record["y"])})


class Said(Publishing):
    """Publishes what `said` makes of the right record."""

    @hookimpl
    def publish(self, item, format, record):  # noqa: A002 (the hook's own name)
        return self.said(item, super().publish(item, format, record), record)


class MutePublish(Said):
    def said(self, item, right, record):
        return None


class FragilePublish(Said):
    def said(self, item, right, record):
        return right["nothing"]


class OtherProblem(Said):
    def said(self, item, right, record):
        return right and (right if "x" in right else right | {"sum": {"a": 0, "b": 10**6}})


class OtherTarget(Said):
    def said(self, item, right, record):
        return right and (right if "x" in right else right | {"word": "zero"})


class OwnNames(Said):
    def said(self, item, right, record):
        return {key.upper(): value for key, value in right.items()}


class Restless(Said):
    def said(self, item, right, record):
        return right | {"times": 1 + right.get("times", 0)}


class Forgetful(Said):
    def said(self, item, right, record):
        return right and {k: v for k, v in right.items() if k in ("sum", "word", "x", "y")}


class KeepsLabel(Said):
    def said(self, item, right, record):
        return record or right


class Nameless(Publishing):
    @hookimpl
    def adopt(self, record, config, format):  # noqa: A002 (the hook's own name)
        found = super().adopt(record, config, format)
        return found and replace(found, notes={})


class Audited(Publishing):
    """Finds what is given in every item."""

    found = ()

    @hookimpl
    def audit(self, item):
        return [dict(one) for one in self.found]


class UnknownKind(Audited):
    found = ({"kind": "dull", "message": "weak"},)


class LongWinded(Audited):
    found = ({"kind": "no_sum", "message": "in\nlines"},)


class NoKind(Audited):
    found = ({"message": "weak"},)


class NoList(Publishing):
    @hookimpl
    def audit(self, item):
        return None


class FragileAudit(Publishing):
    @hookimpl
    def audit(self, item):
        return item.problem["nothing"]


class ChangingAudit(Publishing):
    asked = count()

    @hookimpl
    def audit(self, item):
        return [{"kind": "no_sum", "message": str(next(self.asked))}]


class NoReading(Publishing):
    @hookimpl
    def readings(self, item):
        return {"modulus": {"modulo 8": False, "modulo 9": False}}


class OneReading(Publishing):
    @hookimpl
    def readings(self, item):
        return {"modulus": {"modulo 7": True}}


class VagueReading(Publishing):
    @hookimpl
    def readings(self, item):
        return {"modulus": {"modulo 7": True, "modulo 8": 0.5}}


class ListReadings(Publishing):
    @hookimpl
    def readings(self, item):
        return ["modulo 7"]


class FragileReadings(Publishing):
    @hookimpl
    def readings(self, item):
        return item.problem["nothing"]


class ChangingReadings(Publishing):
    asked = count()

    @hookimpl
    def readings(self, item):
        return {"modulus": {"modulo 7": True, "modulo 8": next(self.asked) % 2 == 0}}


class NumberExplain(Toy):
    @hookimpl
    def explain(self, item):
        return item.certificate["sum"]


class FragileExplain(Toy):
    @hookimpl
    def explain(self, item):
        return item.certificate["nothing"]


class EmptyExplain(Toy):
    @hookimpl
    def explain(self, item):
        return " "


class ChangingExplain(Toy):
    asked = count()

    @hookimpl
    def explain(self, item):
        return f"Said {next(self.asked)} times."


class ChangingProof(Toy):
    asked = count()

    def hooks(self):
        return super().hooks() | {"prove": self.prove}

    @hookimpl
    def prove(self, item):
        return {"asked": next(self.asked)}


class MisleadingExplain(Toy):
    """Its worked solutions end in an answer of their own, another one."""

    @hookimpl
    def explain(self, item):
        return f"It is easy.\nAnswer: {WORDS[(WORDS.index(item.target) + 1) % 7]}"


class Traced(Toy):
    """Not a defect: its worked solutions are traces, which are read back to the letter."""

    def hooks(self):
        return super().hooks() | {"reread": self.reread}

    @hookimpl
    def reread(self, item, text):
        right = f"{self.explain(item)}\nAnswer: {self.label(sum(item.problem.values()))}"
        return [] if text == right else [f"expected {right!r}"]


class WrongTrace(Traced):
    @hookimpl
    def explain(self, item):
        return f"The sum is {len(str(item.certificate))}."

    @hookimpl
    def reread(self, item, text):
        return [] if f"The sum is {item.certificate['sum']}." in text else ["the sum is wrong"]


class BlindTrace(Traced):
    @hookimpl
    def reread(self, item, text):
        return []


class FragileTrace(Traced):
    @hookimpl
    def reread(self, item, text):
        return item.problem["nothing"]
