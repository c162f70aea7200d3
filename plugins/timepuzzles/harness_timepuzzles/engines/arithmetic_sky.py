"""Phases of the Moon, equinoxes and solstices from series, without an ephemeris.

The method and its numbers are those of Jean Meeus, Astronomical Algorithms (2nd edition,
1998): chapter 49 for the phases, chapter 27 for the equinoxes. The difference between
dynamical and universal time is the polynomial of Espenak and Meeus (NASA, 2006). All
moments are days since 1700-01-01, 0h Universal Time, so that their whole part is a day
number of `harness_timepuzzles.engines.arithmetic_days`.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]

EPOCH_JD = 2341972.5
"""Julian date of day 0, 1700-01-01 0h."""

PHASES = {"new": 0.0, "first_quarter": 0.25, "full": 0.5, "last_quarter": 0.75}
"""Phase to the part of the lunation that has gone by then."""

MOMENT_MARGIN = 3 / 1440
"""Days: a moment nearer than this to midnight or to sunset is too close to call."""

POINTS = ("march", "june", "september", "december")

_J2000 = 2451545.0
_FIRST_LUNATION, _END_LUNATION = -3712, 1252  # counted from that of January 2000: 1699 to 2101

_FILE = resources.files(__package__).joinpath("series.json")
SERIES = {name: np.array(rows) for name, rows in json.loads(_FILE.read_text("utf-8")).items()}
"""The terms of each series, a row a term; what its columns are is said where it is used."""

# Rows: multiples of Sun's anomaly M, Moon's anomaly M', latitude argument F, node; power of the
# eccentricity E; then the sine's factor in days for a new and for a full moon.
_SYZYGY = SERIES["syzygies"]
_QUARTER = SERIES["quarters"]
# Planets: argument at lunation 0 and its motion per lunation in degrees, factor in days.
_PLANETS = SERIES["planets"]
# Mean equinoxes and solstices: powers of the millennia since 2000, in days.
_MEAN_POINTS = {
    "march": (2451623.80984, 365242.37404, 0.05169, -0.00411, -0.00057),
    "june": (2451716.56767, 365241.62603, 0.00325, 0.00888, -0.00030),
    "september": (2451810.21715, 365242.01767, -0.11575, 0.00337, 0.00078),
    "december": (2451900.05952, 365242.74049, -0.06223, -0.00823, 0.00032),
}
# Their periodic terms: factor in 0.00001 days, phase and motion per century in degrees.
_POINT_TERMS = SERIES["points"]
# Delta T in seconds: valid up to the year; zero of the variable; coefficients, lowest first.
_DELTA_T: tuple[tuple[float, float, tuple[float, ...]], ...] = (
    (1800, 1700, (8.83, 0.1603, -0.0059285, 0.00013336, -1 / 1174000)),
    (
        1860,
        1800,
        (13.72, -0.332447, 0.0068612, 0.0041116, -0.00037436, 1.21272e-5, -1.699e-7, 8.75e-10),
    ),
    (1900, 1860, (7.62, 0.5737, -0.251754, 0.01680668, -0.0004473624, 1 / 233174)),
    (1920, 1900, (-2.79, 1.494119, -0.0598939, 0.0061966, -0.000197)),
    (1941, 1920, (21.20, 0.84493, -0.076100, 0.0020936)),
    (1961, 1950, (29.07, 0.407, -1 / 233, 1 / 2547)),
    (1986, 1975, (45.45, 1.067, -1 / 260, -1 / 718)),
    (2005, 2000, (63.86, 0.3345, -0.060374, 0.0017275, 0.000651814, 2.373599e-5)),
    (2050, 2000, (62.92, 0.32217, 0.005589)),
    (np.inf, 1820, (-205.724, 0.5628, 0.0032)),
)


def delta_t(julian: Floats) -> Floats:
    """Return dynamical minus universal time, in days, at Julian dates from 1700 to 2150."""
    year = 2000 + (julian - _J2000) / 365.25
    seconds = np.empty_like(year)
    earlier = -np.inf
    for until, zero, factors in _DELTA_T:
        here = (year >= earlier) & (year < until)
        seconds[here] = _power_series(year[here] - zero, factors)
        earlier = until
    return seconds / 86400


def phase_moments(phase: str) -> Floats:
    """Return the moments from 1699 to 2101, ascending, at which the Moon reaches a phase.

    Args:
        phase: a key of `PHASES`.
    """
    k = np.arange(_FIRST_LUNATION, _END_LUNATION) + PHASES[phase]
    t = k / 1236.85
    mean = 2451550.09766 + 29.530588861 * k
    mean += _power_series(t, (0, 0, 0.00015437, -0.00000015, 0.00000000073))
    arguments = np.stack(_arguments(k, t))
    eccentricity = 1 - 0.002516 * t - 0.0000074 * t**2
    if phase in ("new", "full"):
        factors = _SYZYGY[:, 5 if phase == "new" else 6]
        periodic = _sines(_SYZYGY, factors, arguments, eccentricity)
    else:
        periodic = _sines(_QUARTER, _QUARTER[:, 5], arguments, eccentricity)
        sign = 1 if phase == "first_quarter" else -1
        periodic += sign * _quarter_shift(arguments, eccentricity)
    return _universal(mean + periodic + _planets(k, t))


def point_moments(point: str) -> Floats:
    """Return the moments of an equinox or solstice, one for every year from 1700 to 2100.

    Args:
        point: one of `POINTS`.
    """
    mean = _power_series((np.arange(1700, 2101) - 2000) / 1000, _MEAN_POINTS[point])
    t = (mean - _J2000) / 36525
    w = np.radians(35999.373 * t - 2.47)
    speed = 1 + 0.0334 * np.cos(w) + 0.0007 * np.cos(2 * w)
    factor, phase, motion = _POINT_TERMS.T
    periodic = factor @ np.cos(np.radians(phase[:, None] + motion[:, None] * t))
    return _universal(mean + 0.00001 * periodic / speed)


def _arguments(k: Floats, t: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Sun's anomaly, Moon's anomaly, argument of latitude, node: in radians."""
    sun = 2.5534 + 29.10535670 * k + _power_series(t, (0, 0, -0.0000014, -0.00000011))
    moon = 201.5643 + 385.81693528 * k
    moon += _power_series(t, (0, 0, 0.0107582, 0.00001238, -0.000000058))
    latitude = 160.7108 + 390.67050284 * k
    latitude += _power_series(t, (0, 0, -0.0016118, -0.00000227, 0.000000011))
    node = 124.7746 - 1.56375588 * k + _power_series(t, (0, 0, 0.0020672, 0.00000215))
    return np.radians(sun), np.radians(moon), np.radians(latitude), np.radians(node)


def _sines(terms: Floats, factors: Floats, arguments: Floats, eccentricity: Floats) -> Floats:
    angles = terms[:, :4] @ arguments
    weights = factors[:, None] * eccentricity[None, :] ** terms[:, 4:5]
    total: Floats = (weights * np.sin(angles)).sum(axis=0)
    return total


def _quarter_shift(arguments: Floats, eccentricity: Floats) -> Floats:
    """Days by which a first quarter comes later, and a last quarter earlier."""
    sun, moon, latitude, _ = arguments
    shift: Floats = 0.00306 - 0.00038 * eccentricity * np.cos(sun) + 0.00026 * np.cos(moon)
    shift += 0.00002 * (np.cos(moon + sun) - np.cos(moon - sun) + np.cos(2 * latitude))
    return shift


def _planets(k: Floats, t: Floats) -> Floats:
    start, motion, factor = _PLANETS.T
    angles = start[:, None] + motion[:, None] * k
    angles[0] -= 0.009173 * t**2
    total: Floats = factor @ np.sin(np.radians(angles))
    return total


def _power_series(x: Floats, factors: tuple[float, ...]) -> Floats:
    total = np.zeros_like(x)
    for factor in reversed(factors):
        total = total * x + factor
    return total


def _universal(dynamical: Floats) -> Floats:
    return dynamical - delta_t(dynamical) - EPOCH_JD
