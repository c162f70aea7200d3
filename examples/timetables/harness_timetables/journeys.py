"""Journeys with as few trains as possible among the earliest: evidence for a label, and its difficulty."""

from __future__ import annotations

from typing import Any

Leg = tuple[
    int, int, int
]  # number of the train, station where one boards, station where one leaves it


class Rounds:
    """Earliest arrivals with at most so many trains, round by round, from the start of a problem."""

    def __init__(self, problem: Any) -> None:
        self.problem = problem
        self.best: list[dict[int, int]] = [{problem["from"]: problem["leave"]}]
        self.legs: list[dict[int, Leg]] = [{}]
        while len(self.best) < 2 or self.best[-1] != self.best[-2]:
            self._round()

    def _round(self) -> None:
        before = self.best[-1]
        arrivals, legs = dict(before), {}
        for train in self.problem["trains"]:
            boarded: int | None = None
            for station, arrival, departure in train["stops"]:
                if boarded is not None and arrival < arrivals.get(station, arrival + 1):
                    arrivals[station] = arrival
                    legs[station] = (train["number"], boarded, station)
                if boarded is None and self._boards(before.get(station), station, departure):
                    boarded = station
        self.best.append(arrivals)
        self.legs.append(legs)

    def _boards(self, arrived: int | None, station: int, departure: int) -> bool:
        if arrived is None:
            return False
        first = station == self.problem["from"]
        return arrived + (0 if first else self.problem["change"]) <= departure

    def arrival(self, station: int) -> int | None:
        """Return the earliest arrival at a station, with any number of trains."""
        return self.best[-1].get(station)

    def journey(self, station: int) -> list[Leg] | None:
        """Return the legs of an earliest journey with the fewest trains; None if there is none."""
        earliest = self.arrival(station)
        if earliest is None:
            return None
        trains = next(k for k, best in enumerate(self.best) if best.get(station) == earliest)
        legs: list[Leg] = []
        while trains:
            leg = self.legs[trains].get(station)
            if leg is not None:
                legs.append(leg)
                station = leg[1]
            trains -= 1
        return legs[::-1]
