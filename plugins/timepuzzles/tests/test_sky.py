"""Phases, equinoxes and the Moon at Mecca against ephem, which computes them another way."""

import numpy as np
import pytest
from cases import SHARE, each, slow
from harness_errors import Abstained
from harness_timepuzzles.engines import arithmetic_islamic, arithmetic_sky
from harness_timepuzzles.engines.arithmetic import doubtful, solutions
from harness_timepuzzles.engines.arithmetic_sky import PHASES, POINTS, phase_moments, point_moments

ephem = pytest.importorskip("ephem")

START = float(ephem.Date("1700/1/1"))
DAYS = 146463
TWO_MINUTES = 2 / 1440
NEXT = {
    "new": ephem.next_new_moon,
    "first_quarter": ephem.next_first_quarter_moon,
    "full": ephem.next_full_moon,
    "last_quarter": ephem.next_last_quarter_moon,
    "march": ephem.next_vernal_equinox,
    "june": ephem.next_summer_solstice,
    "september": ephem.next_autumn_equinox,
    "december": ephem.next_winter_solstice,
}


def largest_difference(moments, name):
    theirs = [float(NEXT[name](ephem.Date(START + moment - 2))) - START for moment in moments]
    return float(np.abs(moments - np.array(theirs)).max())


@pytest.mark.parametrize("phase", PHASES)
def test_phases_of_four_centuries(phase):
    moments = phase_moments(phase)
    moments = moments[(moments > 0) & (moments < DAYS)]
    assert 4959 <= len(moments) <= 4961
    # Ephem takes its time; every third or 24th is as good, for no phase has a number of its own.
    assert largest_difference(moments[:: 3 * SHARE], phase) < TWO_MINUTES / 2


@pytest.mark.parametrize("point", POINTS)
def test_every_equinox_of_four_centuries(point):
    moments = point_moments(point)
    assert len(moments) == 401
    assert largest_difference(moments, point) < TWO_MINUTES / 2


@pytest.mark.parametrize("phase", PHASES)
def test_the_moments_cover_the_span(phase):
    moments = phase_moments(phase)
    assert moments[0] < 0 < DAYS < moments[-1]
    assert (np.diff(moments) > 29.1).all()
    assert (np.diff(moments) < 30).all()


@slow
def test_dates_of_phases_and_equinoxes_are_those_of_ephem():
    for kind, key, names in (("moon", "phase", PHASES), ("equinox", "point", POINTS)):
        for name in names:
            clue = {"type": kind, key: name}
            unsure = doubtful(clue)
            theirs, moment = set(), ephem.Date("1990/1/1")
            while (moment := NEXT[name](ephem.Date(moment + 1))) < ephem.Date("2011/1/1"):
                theirs.add(moment.datetime().date().isoformat())
            theirs -= unsure
            assert len(theirs) > 15
            for date in sorted(theirs)[::SHARE]:
                assert solutions({"range": [date, date], "clues": [clue]}) == [date]


def test_known_moments():
    # Astronomical Algorithms, examples 49.a, 49.b and 27.a, in dynamical time
    for moments, expected in (
        (phase_moments("new"), 2443192.65118),
        (phase_moments("last_quarter"), 2467636.49186),
        (point_moments("june"), 2437837.39245),
    ):
        julian = moments + arithmetic_sky.EPOCH_JD
        dynamical = julian + arithmetic_sky.delta_t(julian)
        assert np.abs(dynamical - expected).min() < 0.0001


@each(("year", "seconds"), [(1700, 9), (1800, 13.7), (1900, -2.8), (1950, 29.1), (2000, 63.8)])
def test_delta_t_as_observed(year, seconds):
    julian = np.array([2451545.0 + (year - 2000) * 365.25])
    assert abs(float(arithmetic_sky.delta_t(julian)[0]) * 86400 - seconds) < 1


def test_delta_t_has_no_leaps_before_the_future():
    years = np.arange(1700, 2101, 0.05)
    julian = 2451545.0 + (years - 2000) * 365.25
    assert np.abs(np.diff(arithmetic_sky.delta_t(julian) * 86400)).max() < 1


@pytest.mark.parametrize("phase", PHASES)
def test_doubtful_dates_come_as_neighbours_and_are_few(phase):
    dates = doubtful({"type": "moon", "phase": phase})
    assert 10 <= len(dates) <= 80  # 4,960 phases, 6 minutes of each day, 2 dates for each
    assert len(dates) % 2 == 0
    days = np.sort([float(ephem.Date(date.replace("-", "/"))) for date in dates])
    assert (days[1::2] - days[::2] == 1).all()


def test_a_phase_too_near_midnight_is_refused_where_it_decides():
    clue = {"type": "moon", "phase": "full"}
    first, second = sorted(doubtful(clue))[:2]
    for date in (first, second):
        with pytest.raises(Abstained, match=f"which clues {date} satisfies is too close to call"):
            solutions({"range": [date, date], "clues": [clue]})
    other = {"type": "periods", "periods": [["1900-01-01", "1900-12-31"]]}
    assert solutions({"range": [first, second], "clues": [clue, other]}) == []
    # two clues in doubt about one day do not clear each other
    with pytest.raises(Abstained):
        solutions({"range": [first, second], "clues": [clue, dict(clue)]})


def test_sun_and_moon_at_mecca():
    mecca = ephem.Observer()
    mecca.lat, mecca.lon, mecca.pressure, mecca.horizon = "21.4225", "39.8262", 0, "-0:34"
    moons = phase_moments("new")
    seen = arithmetic_islamic._evenings(moons[3500:4650:5])
    sun_off, high = [], []
    for moment, height in zip((seen.age + moons[3500:4650:5])[1], seen.height[1], strict=True):
        mecca.date = ephem.Date(START + moment - 0.3)
        sunset = float(mecca.next_setting(ephem.Sun()))
        moonset = float(mecca.next_setting(ephem.Moon()))
        sun_off.append(abs(sunset - START - moment) * 86400)
        if abs(height) > 0.03:
            assert (moonset > sunset) == (height > 0), moment
        high.append(abs(height))
    assert max(sun_off) < 10
    assert max(high) > 5
