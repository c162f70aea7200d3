"""docs/published-answers.md says what the published files give; whole: `benchmarks/published_answers.py --check`."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from cases import slow

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data" / "ltlbench"


@pytest.fixture(scope="module")
def program():
    spec = spec_from_file_location(
        "published_answers", ROOT / "benchmarks" / "published_answers.py"
    )
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@slow
def test_a_line_of_the_page_is_what_the_program_makes(program, tmp_path):
    name = "300_2_events_2_formula_len/qwen-turbo_zero_shot_cot"
    path = DATA / "responses" / f"{name}.csv"
    if not path.exists():
        pytest.skip("the published answers are not at hand: ../shared/data/ltlbench/responses")
    result = program.scored(DATA / f"{path.parent.name}.csv", path, str(tmp_path))
    line = program.row(path, result)
    assert line in program.PAGE.read_text().splitlines()
    # The two figures are bridged by what only one of the two ways of reading counts as right.
    _, _, accuracy, _, ours, _, _, only_published, only_ours = line.strip("|").split("|")
    only_one = int(only_published) - int(only_ours)
    assert abs(float(accuracy) - float(ours.split()[0]) - only_one / 300) < 0.02


@slow
def test_a_line_about_vltl_bench_is_what_the_program_makes(program):
    """One of lifting; test_vltl_convention.py has the figures of the other kinds."""
    answers = DATA.parent / "vltl" / "published_answers"
    if not answers.exists():
        pytest.skip(f"the published answers are not at hand: {answers}")
    path = answers / "lifting_eval/gpt-4o-mini/warehouse.jsonl"
    line = program.vltl_row(path, answers, program.KINDS[0])
    assert line in program.PAGE.read_text().splitlines()


def test_the_readme_shows_lines_of_the_page(program):
    page = program.PAGE.read_text()
    figures = re.findall(r"(\d\.\d{3} \(\d\.\d{3}–\d\.\d{3}\))", (ROOT / "README.md").read_text())
    assert len(figures) >= 4
    assert all(figure in page for figure in figures)


def test_another_folder_is_refused_in_one_line(program, tmp_path):
    with pytest.raises(SystemExit, match="holds responses/"):
        program.main([str(tmp_path)])


@slow
def test_tables_of_the_page_about_reading_are_what_the_program_makes():
    spec = spec_from_file_location("answers", ROOT / "benchmarks" / "answers.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    published = DATA.parent / "vltl" / "published_answers"
    if not published.exists():
        pytest.skip("the published answers are not at hand: ../shared/data/vltl/published_answers")
    (table,) = module.grounding(published)
    assert table in module.PAGE.read_text()
    assert "|**all**|3,000|0|" in table
