"""Within a running event loop logs are read as elsewhere, and asyncio stays as it is."""

import asyncio

import pytest
from report_logs import scripted_log

from harness.datasets.event_loops import complete, looping
from harness.rerun import logs


def everything(path):
    head = logs.header(path)
    places = [(str(one.id), one.epoch) for one in logs.whole(path).samples]
    samples = [list(logs.samples(path, head)), list(logs.samples_at(path, places, logs.ASIDE))]
    return [head, logs.whole(path), places, *samples]


@pytest.mark.parametrize("form", ["eval", "json"])
def test_a_log_is_read_as_outside(tmp_path, form):
    from inspect_ai.log import read_eval_log, write_eval_log

    path = scripted_log(tmp_path, "ltlbench", ["Answer: True", "hm"])
    if form == "json":
        write_eval_log(read_eval_log(str(path)), path := path.with_suffix(".json"))

    async def cell():
        return everything(path)

    assert asyncio.run(cell()) == everything(path)
    assert not hasattr(asyncio, "_nest_patched")


def test_a_coroutine_is_completed_in_and_out_of_a_loop():
    async def work():
        await asyncio.sleep(0)
        return 3

    async def cell():
        return looping(), complete(work)

    assert asyncio.run(cell()) == (True, 3)
    assert (looping(), complete(work)) == (False, 3)
