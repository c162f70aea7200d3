"""Scripts and style sheets of pages are files that tools for them can read, and pages find them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from harness_pages import style, templates

ROOT = Path(__file__).parents[2]
PAGES = ("harness.audit", "harness.report.page")
FILES = [
    file
    for folder in (ROOT / "harness", *sorted(ROOT.glob("libs/*/harness_*")))
    for file in sorted(folder.rglob("*.*"))
]
SCRIPTS = [file for file in FILES if file.suffix == ".js"]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_a_script_is_javascript(script):
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node on the path")
    done = subprocess.run([node, "--check", str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert script.read_text().startswith('"use strict";\n')


@pytest.mark.parametrize("package", PAGES)
def test_a_style_sheet_names_only_colours_that_it_has(package):
    sheet = style(package, "page.css")
    assert set(re.findall(r"var\((--[a-z-]+)\)", sheet)) <= set(re.findall(r"(--[a-z-]+):", sheet))
    assert sheet.count("{") == sheet.count("}")


@pytest.mark.parametrize("package", PAGES)
def test_templates_escape_what_they_are_given(package):
    found = templates(package)
    assert found.from_string("{{ x }}").render(x="<b>") == "&lt;b&gt;"
    assert found.get_template("page.html.j2")


def test_there_are_scripts_to_look_at():
    assert {"explorer.js", "page.js"} <= {file.name for file in SCRIPTS}
