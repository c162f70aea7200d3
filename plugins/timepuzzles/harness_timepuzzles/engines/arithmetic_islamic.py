"""The Umm al-Qura calendar by its rule, from our own positions of Sun and Moon at Mecca.

The rule (R. H. van Gent, The Umm al-Qura Calendar of Saudi Arabia, Utrecht University):

* from 1423 AH a month begins with the first evening on which, at Mecca, the conjunction is before
  sunset and the Moon sets after the Sun;
* from 1420 to 1422 AH with the first evening on which the Moon sets after the Sun there;
* before that, its first daylight is that of the day after the conjunction's date in Universal Time.
  The published calendar keeps to this from 1402 AH on, and not earlier: there we begin.

The positions are the larger terms of Jean Meeus, Astronomical Algorithms (2nd edition, 1998),
chapters 25 and 47. Where a margin below is not kept, the month's beginning is doubtful.
Moments are days since 1700-01-01, 0h Universal Time.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from harness_timepuzzles.engines import arithmetic_sky
from harness_timepuzzles.engines.arithmetic_days import DAYS, Days, day_number

Months = npt.NDArray[np.int8]

FIRST, LAST = "1981-10-28", "2077-11-16"
"""The confirmed range: 1 Muharram 1402 to the last day of 1500 AH."""
ALTITUDE_MARGIN = 0.1
"""Degrees: a Moon nearer than this to setting with the Sun is too close to call."""

_LATITUDE, _LONGITUDE = np.radians(21.4225), 39.8262  # the Kaaba, north and east
_REFRACTION, _SUN_RADIUS = 34 / 60, 16 / 60
_MOON_RADIUS = 0.2725  # of its parallax

# Rows: multiples of elongation D, Sun's anomaly M, Moon's anomaly M', latitude argument F; then
# the sine's factor for the longitude (10^-6 degrees) and the cosine's for the distance (metres).
_LONGITUDE_TERMS = arithmetic_sky.SERIES["moon_longitude_and_distance"]
_LATITUDE_TERMS = arithmetic_sky.SERIES["moon_latitude"]


class _Evenings(NamedTuple):
    """What the rule looks at, for each lunation and four evenings from the day before it on."""

    days: Days
    age: arithmetic_sky.Floats
    """Days from the conjunction to sunset; negative where it is still to come."""
    height: arithmetic_sky.Floats
    """Degrees by which the Moon is above its setting when the Sun sets."""


@lru_cache(maxsize=1)
def month_tables() -> tuple[Months, frozenset[int]]:
    """Return the month (1 to 12) of every day number, and the days on which it is doubtful.

    Outside `FIRST` to `LAST` the month is 0: there the rule is not confirmed.
    """
    conjunction = arithmetic_sky.phase_moments("new")
    anchor = int(np.searchsorted(conjunction, day_number("2002-03-14")))
    count = 12 * 1423 + np.arange(len(conjunction)) - anchor
    known = (count >= 12 * 1402 - 1) & (count <= 12 * 1501)
    count, conjunction = count[known], conjunction[known]
    evenings = _evenings(conjunction)
    early, likely, late = (
        _table(count, _beginnings(count, conjunction, evenings, strictness))
        for strictness in (-1, 0, 1)
    )
    return likely, frozenset(np.flatnonzero(early != late).tolist())


def _beginnings(
    count: Days, conjunction: arithmetic_sky.Floats, seen: _Evenings, strictness: int
) -> Days:
    """First day of each month if what is too close to call is taken as not so (1) or so (-1)."""
    late = strictness * arithmetic_sky.MOMENT_MARGIN
    high = seen.height > strictness * ALTITUDE_MARGIN
    born = (seen.age > late) | (count < 12 * 1423)
    evening = (high & born).argmax(axis=0)
    by_evening: Days = seen.days[0] + evening + 1
    by_midnight = np.floor(conjunction + late).astype(np.int64) + 1
    return np.where(count < 12 * 1420, by_midnight, by_evening)


def _table(count: Days, beginnings: Days) -> Months:
    table = np.zeros(DAYS, dtype=np.int8)
    first, last = day_number(FIRST), day_number(LAST)
    for month, begin, end in zip(count % 12 + 1, beginnings, beginnings[1:], strict=False):
        table[max(begin, first) : max(min(end, last + 1), first)] = month
    return table


def _evenings(conjunction: arithmetic_sky.Floats) -> _Evenings:
    days = np.floor(conjunction).astype(np.int64) + np.arange(-1, 3)[:, None]
    sunset = _sunset(days.ravel())
    height = _moon_above_setting(sunset).reshape(days.shape)
    return _Evenings(days, sunset.reshape(days.shape) - conjunction, height)


def _sunset(day: Days) -> arithmetic_sky.Floats:
    """Moment of sunset at Mecca on each day."""
    moment = day + 0.75 - _LONGITUDE / 360
    for _ in range(3):
        ascension, declination = _sun(moment)
        height = np.radians(-_REFRACTION - _SUN_RADIUS)
        cosine = np.sin(height) - np.sin(_LATITUDE) * np.sin(declination)
        angle = np.arccos(cosine / (np.cos(_LATITUDE) * np.cos(declination)))
        error = _hour_angle(moment, ascension) - angle
        moment = moment - (error + np.pi) % (2 * np.pi) / (2 * np.pi) + 0.5
    return moment


def _moon_above_setting(moment: arithmetic_sky.Floats) -> arithmetic_sky.Floats:
    """Degrees between the Moon's upper limb and the refracted horizon at Mecca."""
    ascension, declination, parallax = _moon(moment)
    angle = _hour_angle(moment, ascension)
    sine = np.sin(_LATITUDE) * np.sin(declination)
    sine += np.cos(_LATITUDE) * np.cos(declination) * np.cos(angle)
    setting = np.degrees(parallax) * (1 - _MOON_RADIUS) - _REFRACTION
    above: arithmetic_sky.Floats = np.degrees(np.arcsin(sine)) - setting
    return above


def _hour_angle(
    moment: arithmetic_sky.Floats, ascension: arithmetic_sky.Floats
) -> arithmetic_sky.Floats:
    sidereal = 280.46061837 + 360.98564736629 * (moment + arithmetic_sky.EPOCH_JD - 2451545.0)
    angle: arithmetic_sky.Floats = np.radians(sidereal + _LONGITUDE) - ascension
    return angle


def _centuries(moment: arithmetic_sky.Floats) -> arithmetic_sky.Floats:
    julian = moment + arithmetic_sky.EPOCH_JD
    return (julian + arithmetic_sky.delta_t(julian) - 2451545.0) / 36525


def _equatorial(
    longitude: arithmetic_sky.Floats, latitude: arithmetic_sky.Floats, t: arithmetic_sky.Floats
) -> tuple[arithmetic_sky.Floats, arithmetic_sky.Floats]:
    """Right ascension and declination; all in radians."""
    tilt = np.radians(23.439291 - 0.0130042 * t + 0.00256 * np.cos(_node(t)))
    east = np.sin(longitude) * np.cos(tilt) - np.tan(latitude) * np.sin(tilt)
    north = np.sin(latitude) * np.cos(tilt)
    north += np.cos(latitude) * np.sin(tilt) * np.sin(longitude)
    return np.arctan2(east, np.cos(longitude)), np.arcsin(north)


def _node(t: arithmetic_sky.Floats) -> arithmetic_sky.Floats:
    node: arithmetic_sky.Floats = np.radians(125.04 - 1934.136 * t)
    return node


def _sun(moment: arithmetic_sky.Floats) -> tuple[arithmetic_sky.Floats, arithmetic_sky.Floats]:
    t = _centuries(moment)
    anomaly = np.radians(357.52911 + 35999.05029 * t)
    longitude = 280.46646 + 36000.76983 * t + 0.0003032 * t**2
    longitude += (1.914602 - 0.004817 * t) * np.sin(anomaly)
    longitude += 0.019993 * np.sin(2 * anomaly) + 0.000289 * np.sin(3 * anomaly)
    longitude += -0.00569 - 0.00478 * np.sin(_node(t))
    return _equatorial(np.radians(longitude), np.zeros_like(t), t)


def _moon(
    moment: arithmetic_sky.Floats,
) -> tuple[arithmetic_sky.Floats, arithmetic_sky.Floats, arithmetic_sky.Floats]:
    """Right ascension, declination and horizontal parallax, in radians."""
    t = _centuries(moment)
    mean = 218.3164477 + 481267.88123421 * t - 0.0015786 * t**2
    arguments = np.radians(
        [
            297.8501921 + 445267.1114034 * t - 0.0018819 * t**2,
            357.5291092 + 35999.0502909 * t - 0.0001536 * t**2,
            134.9633964 + 477198.8675055 * t + 0.0087414 * t**2,
            93.2720950 + 483202.0175233 * t - 0.0036539 * t**2,
        ]
    )
    angles = _LONGITUDE_TERMS[:, :4] @ arguments
    longitude = mean + _LONGITUDE_TERMS[:, 4] @ np.sin(angles) / 1e6
    longitude += 0.003958 * np.sin(np.radians(119.75 + 131.849 * t))
    longitude += 0.001962 * np.sin(np.radians(mean) - arguments[3])
    longitude -= 0.00478 * np.sin(_node(t))
    distance = 385000.56 + _LONGITUDE_TERMS[:, 5] @ np.cos(angles) / 1e3
    latitude = _LATITUDE_TERMS[:, 4] @ np.sin(_LATITUDE_TERMS[:, :4] @ arguments) / 1e6
    latitude -= 0.002235 * np.sin(np.radians(mean))
    place = _equatorial(np.radians(longitude), np.radians(latitude), t)
    return *place, np.arcsin(6378.14 / distance)
