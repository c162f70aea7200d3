"""The documents say what the code does: hook signatures, commands and JSON keys."""

import inspect
import re
from pathlib import Path

from harness import testing
from harness.cli.command import commands
from harness.core import feature_hooks, hookspecs
from harness.core.contract import OPTIONAL, REQUIRED

ROOT = Path(__file__).parents[2]
HOOKS = ("describe", *REQUIRED, *OPTIONAL)


def _signature(name: str) -> str:
    return f"{name}{inspect.signature(getattr(hookspecs, name))}".replace("'", "")


def _feature_hooks():
    """Yield the hooks of features with their signatures."""
    for name, function in vars(feature_hooks).items():
        if getattr(function, "harness_features_spec", None) is not None:
            yield f"{name}{inspect.signature(function)}".replace("'", "")


def test_every_hook_is_documented_with_its_exact_signature():
    documented = re.findall(r"^## `(.+)`$", (ROOT / "docs/hooks.md").read_text(), re.MULTILINE)
    assert documented == [*(_signature(name) for name in HOOKS), *_feature_hooks()]


def test_every_hookspec_is_required_or_optional():
    specs = {n for n, f in vars(hookspecs).items() if getattr(f, "harness_spec", None) is not None}
    assert specs == set(HOOKS)


def test_required_hooks_are_marked_as_such():
    text = (ROOT / "docs/hooks.md").read_text()
    marked = re.findall(r"^## `(\w+)\(.*`\nRequired\.", text, re.MULTILINE)
    assert set(marked) == {"describe", *REQUIRED}


def test_every_conformance_check_has_a_paragraph():
    text = (ROOT / "docs/conformance.md").read_text()
    assert re.findall(r"^## `(\w+)`$", text, re.MULTILINE) == ["generate", *testing.CHECKS]


def test_every_command_has_its_json_documented():
    text = (ROOT / "docs/json.md").read_text()
    assert set(re.findall(r"^## `harness (\w+)`$", text, re.MULTILINE)) == set(commands())


def test_readme_names_every_command():
    text = (ROOT / "README.md").read_text()
    for name in commands():
        assert f"harness {name}" in text


def test_the_guides_python_runs(capsys):
    text = (ROOT / "docs/guide.md").read_text()
    (code,) = re.findall(r"^```python\n(.+?)^```$", text, re.MULTILINE | re.DOTALL)
    exec(compile(code, "guide.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 10


def test_linked_files_exist():
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name} links {link}"
