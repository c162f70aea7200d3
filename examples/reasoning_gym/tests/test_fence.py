"""No verifier gets an answer that would do anything but compute."""

import builtins

import pytest
from gym_items import item_of, judged
from harness_reasoning_gym import fence

HOSTILE = [
    "__import__('os').system('true')", "open('/etc/passwd').read()", "().__class__.__base__.__subclasses__()",
    "(lambda: 1)()", "[x for x in ().__class__.__mro__]", "exec('1')", "eval('1')", "oracle_answer",
    "entry['answer']",
    "self", "answer", "f'{self}'", "[*entry]", "9**9**9**9", "9**(9**9)", "10**(x+99)", "9**(5*5*5*5)",
    "[0]*10**9", "1 if 1 else 2",
    "x.free_symbols", "x.__class__", "Symbol('x')", "sympify('1')", "integrate(x)", "print(1)", "x=1", "(x:=1)",
    "lambda: 1",
    "sin(x, x)", "sin(*x)", "sin(x=1)", "10000000000000", "True", "'x'",
    "x" * 5_001, "(" * 3_000 + ")" * 3_000, "1j", "~1", "x @ x",
    "-" * 4_900 + "f()", "~" * 2_000 + "f()", "not " * 1_000 + "f()",
    "(" * 150 + "f()" + ")" * 150, "\n\tf()", "f()\x0c",
    "__builtins__", "xx", "_", "sin", "1_000_000_000_000_0",
]  # fmt: skip
PLAIN = [
    "1",
    "x",
    "2*x + 3",
    "(3+4)*7 - 2/3",
    "x**2/2 + C",
    "-sin(2*x)*exp(x)",
    "x^3",
    "3*E + pi",
    "x**(-2)",
    "log(x)**2",
]


@pytest.mark.parametrize("task", sorted(fence.PARSED))
def test_arithmetic_passes_and_programs_do_not(task):
    assert [text for text in PLAIN if not fence.allows(task, text)] == []
    assert [text for text in HOSTILE if fence.allows(task, text)] == []


@pytest.mark.parametrize("task", sorted(fence.EVALUATED))
def test_literals_pass_and_names_do_not(task):
    literals = [
        "[1, 2, 3]",
        "[['Q', '_'], ['_', 'Q']]",
        "1 2 3",
        "_ Q _\n_ _ Q",
        "'abc'",
        "(1, 2)",
        "",
        "]",
        "I think [1, 2]",
    ]
    assert [text for text in literals if not fence.allows(task, text)] == []
    computing = {
        "1j",
        "True",
        "10000000000000",
        "'x'",
        "~1",
        "1_000_000_000_000_0",
    }  # literals, or no Python
    assert {text for text in HOSTILE if fence.allows(task, text)} <= computing | {
        "x=1",
        "(" * 3_000 + ")" * 3_000,
    }


@pytest.mark.parametrize("task", sorted(fence.EVALUATED | fence.PARSED))
def test_hostile_answers_never_reach_eval(task, monkeypatch):
    from harness_reasoning_gym import grading, library

    # In this process, where it can be seen what is evaluated.
    monkeypatch.setattr(grading, "call", lambda name, *words, seconds: library.grade(*words))
    item = item_of(task)
    seen = []
    own = builtins.eval

    def noting(source, *rest):
        seen.append(source)
        return own(source, *rest)

    monkeypatch.setattr(builtins, "eval", noting)
    for text in HOSTILE:
        found = judged(item, f"Answer: {text}")
        assert found.value["correct"] == 0
    evaluated = [text for text in seen if isinstance(text, str) and not text.strip().isalnum()]
    assert not [
        text
        for text in evaluated
        for word in ("__", "oracle", "entry", "import", "lambda", "exec")
        if word in text
    ]


def test_what_the_bare_verifier_gives_for_naming_its_variable():
    """Why there is a fence at all: an answer that names the gold one is nearly right."""
    from harness_reasoning_gym import library

    item = item_of("string_insertion")
    assert library.grade("string_insertion", {}, item.problem["seed"], "oracle_answer") == 0.1
    assert judged(item, "Answer: oracle_answer").value == {"correct": 0, "score": 0}


def test_other_verifiers_get_everything():
    assert fence.allows("gcd", HOSTILE[0])
