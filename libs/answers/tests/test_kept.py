"""`kept`: work is done once for each object, told apart by identity."""

import threading

import pytest
from harness_answers.kept import kept


def test_work_is_done_once_for_each_object():
    calls = []
    known = kept(lambda thing: calls.append(thing) or len(calls))
    first, equal = [1], [1]
    assert [known(first), known(first), known(equal), known(first)] == [1, 1, 2, 1]
    assert calls == [[1], [1]]


def test_the_oldest_goes_first_and_is_worked_out_again():
    calls = []
    things = [[number] for number in range(4)]
    known = kept(lambda thing: calls.append(thing[0]), most=3)
    for thing in (*things, things[3], things[1], things[0]):
        known(thing)
    assert calls == [0, 1, 2, 3, 0]


def test_an_error_is_raised_again_each_time():
    known = kept(lambda text: int(text))
    for _ in range(2):
        with pytest.raises(ValueError, match="'x'"):
            known("x")


def test_an_object_that_is_gone_lends_its_id_to_no_other():
    known = kept(lambda thing: thing[0], most=2)
    assert [known([number]) for number in range(1000)] == list(range(1000))


def test_many_threads_get_the_same_results():
    things = [[number] for number in range(40)]
    known, wrong = kept(lambda thing: thing[0] ** 2, most=8), []

    def ask():
        wrong.extend(t for _ in range(200) for t in things if known(t) != t[0] ** 2)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
