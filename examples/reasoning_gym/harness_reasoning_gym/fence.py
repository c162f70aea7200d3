"""What keeps answers away from verifiers that would run them as Python.

Nine verifiers of reasoning-gym 0.1.25 evaluate the model's answer: four with ``eval``, five with SymPy's
``parse_expr``, which is ``eval`` as well. An answer could delete files, or say ``oracle_answer`` and be told that
it is nearly right. Such a verifier is only given the gold answer itself, what is no Python at all (``eval`` fails on
it as it does here), and what can do nothing but compute: literals, or arithmetic over a few names. Anything
else is an answer that is not right, and the verifier is not asked.
"""

from __future__ import annotations

import ast
import warnings

EVALUATED = frozenset(("binary_matrix", "n_queens", "spiral_matrix", "string_insertion"))
PARSED = frozenset(
    (
        "countdown",
        "intermediate_integration",
        "polynomial_multiplication",
        "puzzle24",
        "simple_integration",
    )
)

MAX_LENGTH = 5_000
MAX_EXPONENT = 50
MAX_NUMBER = 10**12

_FUNCTIONS = frozenset("sin cos tan asin acos atan sinh cosh tanh exp log ln sqrt".split())  # noqa: SIM905 (one line)
_NAMES = frozenset(("pi", "E", "C"))


def allows(task: str, answer: str) -> bool:
    """Return whether a verifier may be given an answer that is not the gold one."""
    if task not in EVALUATED | PARSED:
        return True
    if len(answer) > MAX_LENGTH:
        return False
    # SymPy reads ^ as a power only where it is told to; either way it is an operator.
    try:
        tree = _tree(answer.replace("^", "**") if task in PARSED else answer)
    except (RecursionError, MemoryError):  # eval may get farther than we do
        return False
    if tree is None:
        return task in EVALUATED  # SymPy reads more than Python does
    return _literal(answer) if task in EVALUATED else _arithmetic(tree)


def _tree(text: str) -> ast.expr | None:
    """Return an expression as Python reads it, None where it is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd literals, which a model may well write
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None


def _literal(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.literal_eval(text.strip())
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return False
    return True


def _arithmetic(tree: ast.expr) -> bool:
    """Return whether an expression is numbers, single letters and known functions, with small powers."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.BinOp) and isinstance(
            node.op, ast.Add | ast.Sub | ast.Mult | ast.Div | ast.Pow
        ):
            if isinstance(node.op, ast.Pow) and not _small(node.right):
                return False
            pending += [node.left, node.right]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
            pending.append(node.operand)
        elif isinstance(node, ast.Call):
            named = isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS
            if not named or len(node.args) != 1 or node.keywords:
                return False
            pending.append(node.args[0])
        elif not _leaf(node):
            return False
    return True


def _leaf(node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        return node.id in _NAMES or (len(node.id) == 1 and node.id.isalpha())
    return _number(node, MAX_NUMBER)


def _number(node: ast.AST, most: int) -> bool:
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= most


def _small(exponent: ast.expr) -> bool:
    """Return whether an exponent cannot blow up: a few letters, at most two small numbers, no power in it."""
    nodes = list(ast.walk(exponent))
    numbers = [node for node in nodes if isinstance(node, ast.Constant)]
    if len(numbers) > 2 or any(isinstance(node, ast.Pow) for node in nodes):
        return False
    return all(_number(node, MAX_EXPONENT) for node in numbers)
