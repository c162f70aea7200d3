"""docs/limits.md says what limits there are: its numbers are those of the code, and none is left out."""

import ast
import importlib
import inspect
import re
from pathlib import Path

from harness_guard import call

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/limits.md").read_text(encoding="utf-8")
PLACE = r"`[\w.]+:[\w.]+`"
ENTRY = re.compile(rf"^\|[^|]+\|(?P<limit>[^|]+)\|(?P<places>{PLACE}(?:, {PLACE})*)\|", re.M)

# What shapes our own words, or bounds what is kept in memory: nothing from outside ends there.
OWN = re.compile(
    r"MAX_(QUOTE|SHOWN|KEPT|SEEN|CACHED|TABLES|REASON|FOUND|FORMULA|PATH_TEXT|NUMBERS|TABULATED)$"
    r"|\.score:_MAX_(ROWS|COLUMNS|SENTENCE)$|explain:MAX_CLAUSES$|score_cause:_MAX_WORDS$"
    r"|syntax:_MAX_CALLS$"
)

# For each kind of limit the tests that go beyond it, by one or by far.
BEYOND = {
    "length of an answer": (
        "libs/answers/tests/test_text.py::test_only_the_end_of_a_long_text_is_looked_at",
        "plugins/ltlbench/tests/test_answers.py::test_only_the_end_of_a_long_text_is_read",
        "plugins/timepuzzles/tests/test_answers.py::test_of_a_long_text_only_the_end_is_read",
        "plugins/tempobench/tests/test_answers.py::test_inner_parts_of_an_answer_that_is_too_long_are_no_answer",
        "plugins/vltl/tests/test_staged.py::test_huge_replies",
    ),
    "nesting": (
        "libs/guard/tests/test_guard.py::test_deep_nesting_is_an_error_at_either_end",
        "libs/answers/tests/test_text.py::test_json_beyond_reading",
        "plugins/tempobench/tests/test_constraint.py::test_bounds",
        "plugins/ltlbench/tests/test_certificate.py::test_deep_and_long_certificates_are_refused_in_no_time",
    ),
    "propositions, operators, events": (
        "plugins/ltlbench/tests/test_reading.py::test_as_many_operators_as_allowed_and_one_more",
        "plugins/ltlbench/tests/test_reading.py::test_as_many_events_as_allowed_and_one_more",
        "plugins/vltl/tests/test_engines.py::test_formulas_at_the_bounds",
        "plugins/tempobench/tests/test_equivalence.py::test_a_step_of_too_many_propositions_is_refused",
    ),
    "states and cells": (
        "plugins/tempobench/tests/test_machine.py::test_the_number_of_cells_is_bounded",
        "plugins/tempobench/tests/test_synthesis.py::test_the_number_of_states_is_bounded",
        "plugins/tempobench/tests/test_spot_engine.py::test_wide_machines_are_beyond_it",
    ),
    "clauses, sets, work": (
        "plugins/tempobench/tests/test_causes.py::test_too_many_clauses_abstain_with_their_number",
        "plugins/tempobench/tests/test_causes.py::test_the_bound_of_nodes_is_exact",
        "plugins/tempobench/tests/test_sat.py::test_beyond_a_bound_it_abstains",
        "plugins/ltlbench/tests/test_engines.py::test_pymc_abstains_beyond_its_bounds",
    ),
    "dates and ranges": (
        "plugins/timepuzzles/tests/test_dates.py::test_as_many_dates_as_are_read_and_one_more",
        "plugins/timepuzzles/tests/test_dates.py::test_as_long_a_range_as_is_read_and_one_day_more",
    ),
    "clues": ("plugins/timepuzzles/tests/test_reading.py::test_no_clues_and_too_many",),
    "time and memory": (
        "libs/guard/tests/test_guard.py::test_a_crash_is_one_error_and_the_next_call_has_a_new_worker",
        "libs/guard/tests/test_guard.py::test_memory_is_limited_for_python_and_for_native_code",
        "tests/project/test_engine_faults.py::test_an_audit_names_each_engine_that_failed_and_loses_no_opinion",
        "tests/project/test_engine_faults.py::test_real_spot_without_its_bounds_costs_one_opinion",
        "plugins/vltl/tests/test_score.py::test_a_comparison_that_takes_too_long_is_ended_and_the_next_one_made",
    ),
    "size of a request and of a reply": (
        "libs/guard/tests/test_guard.py::test_a_failed_call_says_why_and_leaves_the_worker",
        "libs/guard/tests/test_guard.py::test_arguments_that_cannot_be_sent_are_refused",
    ),
    "hooks": (
        "tests/core/test_plugin_faults.py::test_every_hook_that_does_not_return_is_interrupted",
        "tests/core/test_plugin_faults.py::test_a_run_goes_on_without_the_score_of_the_item_that_failed",
        "tests/core/test_plugin_faults.py::test_what_a_hook_must_not_return_is_named",
    ),
    "size of a record": (
        "tests/datasets/test_reading.py::test_a_record_without_end_is_not_taken_in",
    ),
    "a word of the command line": ("tests/core/test_spec.py::test_refused_however_deep_or_long",),
    "files": (
        "plugins/tempobench/tests/test_sources.py::test_a_directory_that_may_not_be_read_or_is_too_big_is_refused",
    ),
}


def in_code(where):
    module, _, path = where.partition(":")
    found = importlib.import_module(module)
    if path == "call.memory_mb":
        return inspect.signature(call).parameters["memory_mb"].default
    name, *keys = path.split(".")
    found = getattr(found, name)
    for key in keys:
        found = found[key]
    return found


def named_maxima():
    """Yield "module:NAME" for each constant of ours whose name begins with MAX_ or _MAX_."""
    folders = [
        ROOT / "harness",
        *ROOT.glob("libs/*/harness_*"),
        *ROOT.glob("plugins/*/harness_*"),
    ]
    for path in (path for folder in folders for path in folder.rglob("*.py")):
        folder = next(one for one in folders if one in path.parents)
        module = ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(
            ".__init__"
        )
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            for name in re.findall(r"\b_?MAX_\w+", _targets(statement)):
                yield f"{module}:{name}"


def _targets(statement):
    if isinstance(statement, ast.Assign):
        return " ".join(ast.unparse(target) for target in statement.targets)
    return ast.unparse(statement.target) if isinstance(statement, ast.AnnAssign) else ""


def entries():
    """Yield "module:NAME" and the number that the page gives, for each place of each entry."""
    for entry in ENTRY.finditer(PAGE):
        for place in entry["places"].split(", "):
            yield place.strip("`"), float(entry["limit"].split()[0].replace(",", ""))


def test_every_number_on_the_page_is_that_of_the_code():
    told = dict(entries())
    assert len(told) > 150
    assert told == {where: float(in_code(where)) for where in told}
    assert len(told) == len(list(entries()))  # none stands there twice


def test_no_constant_called_max_is_left_out():
    known = {where for where, _ in entries()}
    found = {where for where in named_maxima() if not OWN.search(where)}
    assert len(found) > 100
    assert sorted(found - known) == []


def test_each_kind_of_limit_has_tests_that_go_beyond_it():
    for kind, tests in BEYOND.items():
        for where in tests:
            path, _, test = where.partition("::")
            assert f"def {test}(" in (ROOT / path).read_text(encoding="utf-8"), f"{kind}: {where}"
