"""Random formulas for the tests, drawn in two ways.

Nothing here is imported from what is tested: the generator's distribution is checked against
the paper by counting, never by comparing with this copy.
"""

UNARY = ("X", "F", "G", "!")
BINARY = ("&", "|", "->", "U", "R", "W", "M")

ALL = UNARY + BINARY
PAPER = ("X", "F", "G", "&", "|", "->")
TEMPORAL = ("X", "F", "G", "F", "G", "U", "R", "W", "M", "&", "|")  # seldom trivial


def by_levels(rng, events, operators, known=ALL):
    """The paper's generator: one formula per level, operands from the levels below."""
    levels = [None]

    def pick(level):
        return rng.randint(1, events) if level == 0 else levels[level]

    for level in range(1, operators + 1):
        operator = rng.choice(known)
        if operator in UNARY:
            levels.append([operator, pick(level - 1)])
        else:
            left = rng.randrange(level)
            levels.append([operator, pick(left), pick(level - 1 - left)])
    return pick(operators)


def any_shape(rng, events, operators, known=ALL):
    """Not the paper's generator: every part is drawn for itself, so that any shape may come."""
    if operators == 0:
        return rng.randint(1, events)
    operator = rng.choice(known)
    if operator in UNARY:
        return [operator, any_shape(rng, events, operators - 1, known)]
    left = rng.randrange(operators)
    sizes = left, operators - 1 - left
    return [operator, *(any_shape(rng, events, size, known) for size in sizes)]


def count(formula):
    """The number of operators."""
    return 0 if isinstance(formula, int) else 1 + sum(map(count, formula[1:]))
