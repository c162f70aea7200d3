"""Items for the tests, made by the hook itself, as the core calls it."""

from harness import canonical_json, rng_for


def item_of(task, index=0, seed=0, **options):
    from harness_reasoning_gym import items

    config = {"task": task, "options": options}
    rng = rng_for(items.NAME, items.VERSION, canonical_json(config), "test", seed, index)
    return items.item(config, rng)


def judged(item, text):
    from harness_reasoning_gym.score import score

    found = score(item, text)
    assert found.problems(("correct", "score")) == []
    return found
