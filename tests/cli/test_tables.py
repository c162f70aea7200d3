"""Tables of groups: in the order of numbers, and no wider than a screen."""

from harness.cli import tables


def test_groups_stand_by_feature_and_number():
    labels = [
        "10 depth",
        "9 depth",
        "17 to 32 states size",
        "9 to 16 states size",
        "a kind",
        "A kind",
    ]
    lines = tables._groups({"groups": {f"m at {label}": 0.5 for label in labels}})[1].splitlines()
    assert [line.rsplit("  ", 1)[0].strip() for line in lines[2:]] == [
        "depth 9", "depth 10", "size 9 to 16 states", "size 17 to 32 states", "kind A", "kind a",
    ]  # fmt: skip


def test_a_table_of_groups_has_at_most_eight_metrics_and_always_the_count():
    groups = {f"m{i} at x": i for i in range(12)} | {"n at x": 4, "output_tokens at x": 3}
    head = tables._groups({"groups": groups})[1].splitlines()[0].split()
    assert head == ["group", *(f"m{i}" for i in range(8)), "n", "output_tokens"]
