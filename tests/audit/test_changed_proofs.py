"""Records of `harness prove` with one thing changed: what is still proved is what our engines say."""

from collections import Counter
from dataclasses import replace
from random import Random

from cases import slow, some
from harness_proof import PROVED, REFUTED, outcome
from proof_changes import ADDED, OTHERS, SETTINGS, changed, holds, records, tried

from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make

UNREAD = (
    "JSON Schema of",
    "Form of the object",
    "properties:",
    "[",
    "State: ",
    "--END--",
    "| ",
    "In state ",
)
"""Lines of tempobench in which our reader looks at what no label depends on."""


@slow
def test_no_changed_variant_is_proved_wrongly():
    counts = Counter()
    for record, what, new, found in tried(of=OTHERS):
        counts[what, found] += 1
        if found == PROVED and what != "proof":
            right = holds(new)
            lines = zip(record["prompt"].split("\n"), new["prompt"].split("\n"), strict=False)
            before, after = next(((a, b) for a, b in lines if a != b), ("", ""))
            # Our reader knows one order only of what is a set.
            unread = after.startswith(UNREAD) or sorted(before.split()) == sorted(after.split())
            assert right or (right is None and unread), new
    assert counts["proof", REFUTED] > some(100)
    assert counts["label", REFUTED] > some(300)
    assert counts.total() > some(1_000)


def test_no_other_walk_and_no_path_that_is_no_contrast_is_proved():
    """A weight may change if an event has no other entry, a contrast to another one; the chance never."""
    plugin, counts, rng = registry().get("ltlbench"), Counter(), Random(10)
    name, settings = SETTINGS[0]
    found = [*records(of=((name, settings),))]
    items = fresh.items(plugin, make(plugin, {**settings, "n": len(found)}))
    for item, record in zip(items, found, strict=True):
        proof = record["proof"]
        for what, new in changed(
            {**record, "proof": {k: proof[k] for k in {*ADDED} & {*proof}}}, rng
        ):
            claim = {**record, "proof": {**proof, **new["proof"]}}
            found = outcome(claim)[0]
            counts[what, found] += 1
            if what == "proof" and found == PROVED:
                stated = {**item.certificate, "contrast": claim["proof"]["contrast"]}
                assert plugin.call("check", item=replace(item, certificate=stated)) == []
                chances = [one.get("walk", {}).get("chance") for one in (proof, claim["proof"])]
                assert chances[0] == chances[1]
    assert counts["proof", REFUTED] > some(300)
    assert counts["proof", PROVED] > some(50)
