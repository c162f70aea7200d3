"""A naive evaluator for the tests: fixpoints written out state by state, over nothing but lists.

Nothing here is imported from what is tested.
"""

# What holds in a state by what holds in it and (n) what holds of the same formula one state on.
_STEP = {
    "F": lambda a, b, n: a or n,
    "G": lambda a, b, n: a and n,
    "U": lambda a, b, n: b or (a and n),
    "W": lambda a, b, n: b or (a and n),
    "R": lambda a, b, n: b and (a or n),
    "M": lambda a, b, n: b and (a or n),
}
_PLAIN = {
    "!": lambda a, b: not a,
    "&": lambda a, b: a and b,
    "|": lambda a, b: a or b,
    "->": lambda a, b: not a or b,
    "<->": lambda a, b: a == b,
}


def fixpoint(formula, trace):
    """The value in every state: F, U, M are least fixpoints, G, W, R greatest ones."""
    states = trace["states"]
    after = [*range(1, len(states)), trace["loop"]]
    if isinstance(formula, bool):
        return [formula] * len(states)
    if isinstance(formula, str):
        return [formula in state for state in states]
    operator = formula[0]
    left, right = fixpoint(formula[1], trace), fixpoint(formula[-1], trace)
    if operator == "X":
        return [left[i] for i in after]
    if operator in _PLAIN:
        return [_PLAIN[operator](a, b) for a, b in zip(left, right, strict=True)]
    old, new = None, [operator in "GWR"] * len(states)
    while new != old:
        following = [new[i] for i in after]
        old, new = new, [_STEP[operator](*x) for x in zip(left, right, following, strict=True)]
    return new


def naive(formula, trace):
    """Whether the formula holds on the trace."""
    return fixpoint(formula, trace)[0]
