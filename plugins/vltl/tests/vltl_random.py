"""Random formulas and traces for the tests: drawn with `random.Random`, and as strategies.

Nothing here is imported from what is tested.
"""

from hypothesis import strategies as st

UNARY = ("!", "X", "F", "G")
BINARY = ("&", "|", "->", "<->", "U", "R", "W", "M")
ALL = UNARY + BINARY
TEMPORAL = ("X", "F", "G", "F", "G", "U", "R", "W", "M", "!", "&", "|", "->")  # seldom trivial
LIFTED = ("prop_1", "prop_2", "prop_3")


def random_formula(rng, operators, names=LIFTED, known=ALL, constants=0.05):
    """Every part is drawn for itself, so that any shape may come; exactly so many operators."""
    if operators == 0:
        return rng.random() < 0.5 if rng.random() < constants else rng.choice(names)
    operator = rng.choice(known)
    if operator in UNARY:
        return [operator, random_formula(rng, operators - 1, names, known, constants)]
    left = rng.randrange(operators)
    sizes = left, operators - 1 - left
    return [operator, *(random_formula(rng, size, names, known, constants) for size in sizes)]


def random_trace(rng, names=LIFTED, longest=6, finite=0.5):
    """With the chance ``finite`` the last state repeats; else any state may begin the loop."""
    length = rng.randint(1, longest)
    dense = rng.choice((0.2, 0.5, 0.8))
    states = [sorted(name for name in names if rng.random() < dense) for _ in range(length)]
    loop = length - 1 if rng.random() < finite else rng.randrange(length)
    return {"states": states, "loop": loop}


def formulas(names=LIFTED, known=ALL, max_leaves=12):
    """Formulas as a strategy; they shrink to a proposition."""
    leaves = st.sampled_from([*names, True, False])

    def extend(parts):
        return st.one_of(
            *(st.tuples(st.just(o), parts).map(list) for o in known if o in UNARY),
            *(st.tuples(st.just(o), parts, parts).map(list) for o in known if o in BINARY),
        )

    return st.recursive(leaves, extend, max_leaves=max_leaves)


@st.composite
def traces(draw, names=LIFTED, longest=6, finite=None):
    """Traces as a strategy; ``finite``: True or False asks for one sort, None for both."""
    state = st.lists(st.sampled_from(sorted(names)), unique=True).map(sorted)
    shortest = 2 if finite is False else 1
    states = draw(st.lists(state, min_size=shortest, max_size=longest))
    last = len(states) - 1
    lowest, highest = {None: (0, last), True: (last, last), False: (0, last - 1)}[finite]
    return {"states": states, "loop": draw(st.integers(lowest, highest))}


def lassos(names, longest):
    """Every trace of at most so many states: for brute force."""
    subsets = [
        [name for i, name in enumerate(sorted(names)) if mask >> i & 1]
        for mask in range(1 << len(names))
    ]

    def sequences(length):
        if length == 0:
            yield []
            return
        for states in sequences(length - 1):
            for subset in subsets:
                yield [*states, subset]

    for length in range(1, longest + 1):
        for states in sequences(length):
            for loop in range(length):
                yield {"states": states, "loop": loop}
