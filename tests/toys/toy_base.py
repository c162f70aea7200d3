"""The good toy benchmark: a plus b modulo 7, in words; toy_defects.py spoils it rule by rule.

A toy is one object whose bound methods are the hooks of a module of its own (see the
fixture `toys`), so that a defect overrides a line and inherits the rest.
"""

import re
from types import MappingProxyType

from harness import (
    Benchmark,
    DatasetError,
    Item,
    Metric,
    PluginError,
    Solution,
    Verdict,
    hookimpl,
)

WORDS = ("zero", "one", "two", "three", "four", "five", "six")
HOOKS = (
    *("describe", "generate", "solve", "read", "score", "check"),
    *("adopt", "capacity", "explain", "render"),
)


def accuracy(rows):
    return sum(row.value["correct"] for row in rows) / len(rows)


class Toy:
    version = "0.1"
    engines = ("arithmetic", "digits")
    presets = MappingProxyType({"small": {"top": 9, "n": 5}, "sizes": {"top": (9, 99)}})
    metrics = (
        Metric("correct", "share of right answers"),
        Metric("accuracy", "the same, computed over the whole run", compute=accuracy),
    )
    headline = "correct"
    installed = False  # whether the environment's own registry finds it

    def __init__(self, name):
        self.name = name

    def hooks(self):
        return {hook: getattr(self, hook) for hook in HOOKS}

    @hookimpl
    def describe(self):
        return Benchmark(
            name=self.name,
            version=self.version,
            summary="sums modulo 7, in words",
            config_schema={
                "type": "object",
                "properties": {
                    "top": {"type": "integer", "minimum": 1, "maximum": 10**9, "default": 99_999},
                    "style": {"type": "string", "enum": ["plain", "polite"], "default": "plain"},
                },
                "additionalProperties": False,
            },
            engines=self.engines,
            values=("correct",),
            metrics=self.metrics,
            headline=self.headline,
            choices=WORDS,
            problem_schema={
                "type": "object",
                "properties": {key: {"type": "integer", "minimum": 0} for key in "ab"},
                "required": ["a", "b"],
                "additionalProperties": False,
            },
            answer_schema=self.answers(),
            presets=self.presets,
            groups=("digits",),
            formats=("sum",),
            citation="nobody",
            licence="CC0-1.0",
        )

    def answers(self):
        return {"enum": list(WORDS)}

    @hookimpl
    def generate(self, config, index, rng, salt):
        return self.item(self.draw(config["top"], index, rng), config["style"])

    def draw(self, top, index, rng):
        return {"a": rng.randint(0, top), "b": rng.randint(0, top)}

    def item(self, problem, style="plain", notes=()):
        total = problem["a"] + problem["b"]
        return Item(
            plugin=self.name,
            version=self.version,
            prompt=self.prompt(problem, style),
            target=self.label(total),
            problem=problem,
            certificate={"sum": total},
            features=self.features(total),
            notes=dict(notes),
        )

    def prompt(self, problem, style):
        please = "Please tell me: " if style == "polite" else ""
        return (
            f"[{self.name}] {please}What is {problem['a']} plus {problem['b']} modulo 7?\n"
            "Give the number as a word, on a line like 'Answer: WORD'."
        )

    def label(self, total):
        return WORDS[total % 7]

    def features(self, total):
        return {"digits": len(str(total))}

    @hookimpl
    def solve(self, problem, engine):
        answer = {"arithmetic": self.arithmetic, "digits": self.digits}[engine](problem)
        return Solution(answer, engine)

    def arithmetic(self, problem):
        return WORDS[(problem["a"] + problem["b"]) % 7]

    def digits(self, problem):
        """Read both numbers digit by digit, as by hand: no sum, no modulo of a large number."""
        rest = 0
        for number in problem.values():
            part = 0
            for digit in str(number):
                part = (part * 3 + int(digit)) % 7
            rest = (rest + part) % 7
        return WORDS[rest]

    @hookimpl
    def read(self, prompt):
        found = re.search(
            rf"\[{self.name}\] (?:Please tell me: )?What is (\d+) plus (\d+) modulo 7\?", prompt
        )
        return {"a": int(found[1]), "b": int(found[2])} if found else None

    @hookimpl
    def score(self, item, completion):
        word = self.answer_in(completion, item)
        if word is None:
            return Verdict("unparsed", {"correct": 0.0}, explanation="No number word was given.")
        return Verdict("scored", self.value(word, item), word, f"{word}, it is {item.target}.")

    def answer_in(self, text, item):
        """Return the one word the text gives, as a whole or on lines 'Answer: …' that agree."""
        marked = [line for line in text.splitlines() if line.startswith("Answer:")]
        given = {line.removeprefix("Answer:").strip(" .") for line in marked or [text]}
        return given.pop() if len(given) == 1 and given <= set(WORDS) else None

    def value(self, word, item):
        return {"correct": float(word == item.target)}

    @hookimpl
    def check(self, item):
        total = item.problem["a"] + item.problem["b"]
        if item.certificate != {"sum": total}:
            return ["the certificate is not the sum of the problem's numbers"]
        return [] if item.target == WORDS[total % 7] else ["the sum proves another target"]

    @hookimpl
    def adopt(self, record, config):
        if set(record) != {"x", "y"}:
            return None
        if not all(str(value).isdecimal() for value in record.values()):
            raise DatasetError("x and y must be natural numbers")
        return self.item({"a": int(record["x"]), "b": int(record["y"])}, config["style"])

    @hookimpl
    def capacity(self, config):
        return (config["top"] + 1) ** 2

    @hookimpl
    def explain(self, item):
        return f"The sum is {item.certificate['sum']}."

    @hookimpl
    def render(self, item, format):  # noqa: A002 (the hook's own name)
        if format != "sum":
            raise PluginError(f"no format {format}")
        return f"{item.problem['a']} + {item.problem['b']}"
