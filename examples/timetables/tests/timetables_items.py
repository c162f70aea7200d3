"""Items and timetables for the tests; items are made by the hook itself, as the core calls it."""

from harness_timetables import plugin
from harness_timetables.config import CONFIG, NAME, VERSION
from hypothesis import strategies as st

from harness import canonical_json, rng_for

DEFAULTS = {key: schema["default"] for key, schema in CONFIG["properties"].items()}


def item_of(index=0, seed=0, **config):
    config = DEFAULTS | config
    rng = rng_for(NAME, VERSION, canonical_json(config), "test", seed, index)
    return plugin.generate(config, index, rng, f"{seed}")


def train(number, *stops):
    """A train from stops like (0, 600) and (1, 620, 625)."""
    return {"number": number, "stops": [[stop[0], stop[1], stop[-1]] for stop in stops]}


def problem(
    *trains, names=("Alder", "Brook", "Cairn", "Dover"), start=0, goal=3, leave=600, change=5
):
    return {
        "stations": list(names),
        "trains": list(trains),
        "change": change,
        "from": start,
        "to": goal,
        "leave": leave,
    }


@st.composite
def timetables(draw):
    """Any small timetable: trains that meet, miss each other by a minute, overtake, turn round."""
    count = draw(st.integers(2, 5))
    trains = []
    for number in range(1, draw(st.integers(0, 6)) + 1):
        places = draw(st.permutations(range(count)))[: draw(st.integers(2, count))]
        time, stops = draw(st.integers(590, 640)), []
        for place in places:
            wait = draw(st.integers(0, 4)) if 0 < len(stops) < len(places) - 1 else 0
            stops.append([place, time, time + wait])
            time += wait + draw(st.integers(1, 12))
        trains.append({"number": number, "stops": stops})
    start, goal = draw(st.permutations(range(count)))[:2]
    names = ["Alder", "Brook", "Cairn", "Dover", "Elmsby"][:count]
    change = draw(st.integers(0, 6))
    return problem(*trains, names=names, start=start, goal=goal, change=change)
