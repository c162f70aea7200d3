"""Toys for datasets in shards: features that differ from item to item, and faults at one index."""

import os
import signal

from toy_base import Toy

from harness.core.installed import GROUP


class Mixed(Toy):
    """A feature that is an integer in some items and a float in others, and one that few items have."""

    def generate_features(self, item, index):
        late = {"late": "yes"} if index >= 30 else {}
        number = index if index < 10 else index + 0.5
        return item | {"number": number} | late

    def item(self, problem, style="plain", notes=()):
        self.index = problem["b"] % 100
        return super().item(problem, style, notes)

    def draw(self, top, index, rng):
        return {"a": rng.randint(0, top), "b": index}

    def features(self, total):
        return self.generate_features(super().features(total), self.index)


class RaisingHere(Toy):
    def draw(self, top, index, rng):
        if index == 13:
            raise ZeroDivisionError("no such sum")
        return super().draw(top, index, rng)


class DyingHere(Toy):
    def draw(self, top, index, rng):
        if index == 13:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().draw(top, index, rng)


TOYS = {
    "toy_mixed": Mixed,
    "toy_raising_here": RaisingHere,
    "toy_dying_here": DyingHere,
}


def install(folder):
    """Make the toys of this module plugins of whoever has the folder, and this one, on the path."""
    for name, cls in TOYS.items():
        (folder / f"{name}.py").write_text(
            f"import toy_sharding\n\nglobals().update(toy_sharding.{cls.__name__}(__name__).hooks())\n"
        )
    info = folder / "sharding-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sharding\nVersion: 0.1\n")
    points = "".join(f"{name} = {name}\n" for name in TOYS)
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{points}")
