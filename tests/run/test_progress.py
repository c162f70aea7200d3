"""What a terminal sees of a run: a line that goes along, colours, and neither of them anywhere else."""

import io

from harness.cli import colour, tables, tables_outcomes
from harness.cli.main import main
from harness.run import progress
from harness.run.progress import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def at(times):
    return iter(times).__next__


def test_the_line_counts_and_averages_what_was_judged():
    lines = []
    run = Progress(8, "correct", lines.append, at([0, 1, 1, 2, 2, 3, 3, 4, 4]))
    run.judged("scored", {"correct": 1.0, "other": 0.0})
    run.judged("unparsed", {"correct": 0.0})
    run.judged("unscored", {})
    run.lost()
    assert lines == [
        "1/8 · 1.0/s · 0:07 left · correct 1.000 · unparsed 0.0%",
        "2/8 · 1.0/s · 0:06 left · correct 0.500 · unparsed 50.0%",
        "3/8 · 1.0/s · 0:05 left · correct 0.500 · unparsed 50.0% · unscored 1",
        "4/8 · 1.0/s · 0:04 left · correct 0.500 · unparsed 50.0% · unscored 2",
    ]


def test_lines_are_painted_ten_times_a_second_at_most():
    lines = []
    clock = at(x / 100 for x in range(1000))
    run = Progress(500, "correct", lines.append, clock)
    for _ in range(300):
        run.judged("scored", {"correct": 1.0})
    assert 25 <= len(lines) <= 40


def test_hours_are_told_as_hours():
    assert [progress.span(s) for s in (0, 59.6, 61, 3599, 3661, 360000)] == [
        "0:00", "1:00", "1:01", "59:59", "1:01:01", "100:00:00",
    ]  # fmt: skip


def test_a_run_paints_on_a_terminal_only_and_wipes_its_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(progress, "EVERY", 0)
    words = ["run", "plugin=ltlbench", "n=4", f"log_dir={tmp_path}"]
    screen = Terminal()
    with monkeypatch.context() as patch:
        patch.setattr("sys.stderr", screen)
        assert main(words) == 0
    painted = screen.getvalue().split("\r")
    assert [line.split(" · ")[0] for line in painted[1:-1]] == ["1/4", "2/4", "3/4", "4/4"]
    assert "accuracy 1.000" in painted[-2]
    assert painted[-1] == "\x1b[K"
    assert "\x1b" not in capsys.readouterr().out
    assert main(words) == 0
    assert capsys.readouterr().err == ""


def test_samples_that_fail_are_counted_as_unscored(tmp_path, monkeypatch, client):
    monkeypatch.setattr(progress, "EVERY", 0)
    client(lambda body, number: (400, b'{"error": {"message": "no"}}'))
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    words = ["run", "plugin=ltlbench", "n=3", f"log_dir={tmp_path}"]
    assert main([*words, "model=openai-api/local/m", "max_retries=0"]) == 1
    assert "3/3" in screen.getvalue()
    assert "unscored 3" in screen.getvalue()


def test_heads_and_warnings_are_coloured_and_nothing_else(monkeypatch):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)

    def lines():
        table = tables.grid([["name", "value"], ["a", "-----"], ["WARNING", ""]])
        outcome = {
            "usage": {},
            "unparsed": None,
            "unparsed_by": {},
            "unscored": 2,
            "n": 3,
            "errors": [],
        }
        return [*table.split("\n"), *tables_outcomes.lines(outcome), colour.note("NOTE")]

    plain = ["name     value", "-------  -----", "a        -----", "WARNING"]
    alarm = "WARNING: 2 of 3 items (66.7%) could not be scored and are left out of all means:"
    assert lines() == [*plain, alarm, "NOTE"]
    with colour.coloured(io.StringIO()):
        assert lines() == [*plain, alarm, "NOTE"]
    with colour.coloured(Terminal()):
        assert lines() == [
            "\x1b[1mname     value\x1b[0m", *plain[1:], f"\x1b[31m{alarm}\x1b[0m", "\x1b[33mNOTE\x1b[0m"
        ]  # fmt: skip
    assert lines() == [*plain, alarm, "NOTE"]


def test_colours_are_off_where_they_are_not_wanted(monkeypatch):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    assert colour.wanted(Terminal())
    assert not colour.wanted(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not colour.wanted(Terminal())
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not colour.wanted(Terminal())


def test_json_is_never_coloured(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert main(["list", "--json"]) == 0
    assert "\x1b" not in screen.getvalue()
    assert main(["list"]) == 0
    assert screen.getvalue().count("\x1b[1m") == 1
