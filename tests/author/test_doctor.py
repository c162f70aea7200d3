"""`harness doctor`: what works is tried, what is broken is named, and nothing that is broken stops it."""

import json
import sys
from importlib import invalidate_caches
from pathlib import Path

import harness_guard
import pytest
from cases import each, slow

import harness
from harness.author import doctor_engines, doctor_packages
from harness.author.doctor import OPTIONAL, _writable, examine, text
from harness.author.doctor_packages import Package
from harness.cli import main
from harness.core import plugins
from harness.core.installed import GROUP
from harness.core.limits import VARIABLE

TOYS = Path(__file__).parents[1] / "toys"
# Each a plugin of its own distribution, by what its module says.
BROKEN = {
    "no_library": "import ctypes\nctypes.CDLL('libnowhere.so.9')\n",
    "no_module": "import nowhere_to_be_found\n",
    "no_sense": "def describe(:\n",
    "no_mercy": "import os\nos.abort()\n",
    "no_end": "raise SystemExit(0)\n",
    "no_hook": "x = 1\n",
    "bad_engine": "import toy_defects\nglobals().update(toy_defects.WrongEngine(__name__).hooks())\n",
    "bad_items": "import toy_defects\nglobals().update(toy_defects.Raising(__name__).hooks())\n",
    "good_one": "import toy_defects\nglobals().update(toy_defects.Good(__name__).hooks())\n",
    "idle_one": "import toy_defects\nglobals().update(toy_defects.Good(__name__).hooks())\n",
}
NEEDS = {"idle_one": ("nowhere-to-be-found>=3", "pluggy>=999", "pytest; python_version < '3'")}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Broken plugins, installed: a directory that is to Python what site-packages is after `pip install`."""
    folder = tmp_path_factory.mktemp("site")
    for name, source in BROKEN.items():
        (folder / f"{name}.py").write_text(source)
        info = folder / f"{name}-0.1.dist-info"
        info.mkdir()
        needs = "".join(f"Requires-Dist: {one}\n" for one in NEEDS.get(name, ()))
        info.joinpath("METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n{needs}"
        )
        info.joinpath("entry_points.txt").write_text(f"[{GROUP}]\n{name} = {name}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(TOYS)
        patch.syspath_prepend(folder)
        with harness_guard.Guard(workers=1) as pool:
            patch.setattr(harness_guard, "_shared", pool)
            yield folder
    invalidate_caches()


@pytest.fixture
def doctor(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*words):
        code = main.main(("doctor", *words, "--json"))
        out, err = capsys.readouterr()
        found = json.loads(out)
        assert code == int(not found["healthy"])
        assert err == ""
        assert found["broken"] == [
            f"{one['area']}: {one['name']}" for one in found["checks"] if one["state"] == "broken"
        ]
        return {one["name"]: one for one in found["checks"]}

    return run


@pytest.fixture(scope="module")
def found(site):
    """All of them at once: what is wrong with one is not said of another."""
    return examine([f"plugin={','.join(BROKEN)}"])


@pytest.fixture(scope="module")
def examined(found):
    return {one["name"]: one for one in found["checks"]}


def test_a_healthy_plugin_is_healthy(doctor):
    checks = doctor("plugin=ltlbench")
    assert {one["state"] for one in checks.values()} <= {"ok", "note"}
    for engine in plugins.registry().get("ltlbench").benchmark.engines:
        assert (
            checks[f"ltlbench: {engine}"]["said"] == "solves a problem, and agrees with its label"
        )
    assert "spottl 2." in checks["ltlbench"]["said"]
    assert checks["Inspect"]["said"] == doctor_packages.installed("inspect_ai")
    assert [*Path().iterdir()] == []  # nothing is left, not even the directory of the logs
    assert checks["logs"]["said"].endswith("made by the first run")


@slow
@each(
    "name, why",
    [
        ("no_library", "OSError: libnowhere.so.9: cannot open shared object file"),
        ("no_module", "ModuleNotFoundError: No module named 'nowhere_to_be_found'"),
        ("no_sense", "SyntaxError: "),
        ("no_mercy", "was killed by signal 6 (SIGABRT)"),
        ("no_end", "SystemExit: 0"),
        ("no_hook", "implements no hook"),
    ],
)
def test_a_plugin_that_cannot_be_loaded_is_named_with_its_reason(examined, name, why):
    one = examined[name]
    assert one["state"] == "broken"
    assert why in one["said"]
    assert "\n" not in one["said"]
    assert f"pip uninstall {name}" in one["remedy"]


@slow
def test_engines_are_judged_each_by_itself(examined):
    states = {name: one["state"] for name, one in examined.items() if ": " in name}
    assert states["good_one: arithmetic"] == states["good_one: digits"] == "ok"
    bad = [
        name
        for name, state in states.items()
        if name.startswith("bad_engine") and state == "broken"
    ]
    assert bad
    assert "contradicts" in examined[bad[0]]["said"]


def test_requirements_that_are_missing_or_too_old_are_broken(examined):
    one = examined["what idle_one requires"]
    assert one["state"] == "broken"
    assert "nowhere-to-be-found is not installed" in one["said"]
    assert f"pluggy {doctor_packages.installed('pluggy')} (wanted: >=999)" in one["said"]
    assert one["remedy"] == "pip install 'nowhere-to-be-found>=3' 'pluggy>=999'"
    assert examined["idle_one"]["state"] == "ok"  # it runs all the same


def test_nothing_of_a_plugin_is_imported_here(examined):
    assert not set(BROKEN) & set(sys.modules)


def test_text_says_the_same(found):
    said, short = text(found, verbose=True), text(found)
    assert "good_one, good_one: arithmetic" in short
    assert "solves a problem" not in short
    missing = {check["name"] for check in found["checks"]
               if check["area"] == OPTIONAL and check["state"] == "note"}  # fmt: skip
    lines = [line for line in short.splitlines() if "not installed: " in line]
    names = ", ".join(lines).partition("not installed: ")[2].partition(";")[0].split(", ")
    assert {name for name in names if name} == missing
    assert [line for line in said.splitlines() if "FAIL" in line] == [
        line for line in short.splitlines() if "FAIL" in line
    ]
    assert "FAIL    no_library: could not be loaded: OSError: libnowhere.so.9" in said
    assert "  ok    good_one: arithmetic: solves a problem" in said
    *_, last = said.splitlines()
    assert last == f"{len(found['broken'])} broken: {'; '.join(found['broken'])}"
    assert len(said.splitlines()) < 100


@each(
    "words, right",
    [
        (("plugin=good_on",), "no plugin 'good_on'; did you mean 'good_one'?"),
        (("plugn=x",), "unknown key 'plugn'; did you mean 'plugin'?"),
        (("log_dir=",), "log_dir=: a value is empty"),
        (("x",), "'x' is not key=value"),
        (("log_dir=a", "log_dir=b"), "'log_dir' is given twice"),
    ],
)
def test_wrong_words_are_refused(site, capsys, words, right):
    assert main.main(["doctor", *words]) == 2
    assert capsys.readouterr().err == f"harness: {right}\n"


def test_logs_that_cannot_be_written_are_broken(site, doctor, tmp_path):
    (tmp_path / "file").write_text("")
    one = doctor("plugin=no_hook", "log_dir=file")["logs"]
    assert (one["state"], one["remedy"]) == ("broken", "give a directory that can: log_dir=DIR")
    for name in ("file/below", "x" * 300 + "/y", "/proc/nowhere", "nul\0l"):
        assert _writable("", Path(name)).state == "broken", name
    assert _writable("", Path("not/there/yet")).state == "ok"
    assert [*Path().iterdir()] == [Path("file")]


@slow
def test_a_time_limit_that_is_none_breaks_plugins_and_not_the_doctor(site, monkeypatch):
    monkeypatch.setenv(VARIABLE, "soon")
    one = {one.name: one.said for one in doctor_engines.checks(["good_one"])}["good_one"]
    assert f"{VARIABLE}=soon: expected a number of seconds" in one


@each(
    "version, wanted, right",
    [
        ("2.13.0.1", ">=2.13", True),
        ("2.9", ">=2.13", False),
        ("3", ">=3.0.0", True),
        ("0.3.0", "==0.3.0", True),
        ("0.3.1", "==0.3.0", False),
        ("5.0rc1", ">=4,<6", True),
        ("6.1", ">=4,<6", False),
        ("1.0", "", True),
        ("1.0", "~=0.9", False),
        ("unknown", ">=1", False),
    ],
)
def test_versions_are_compared(version, wanted, right):
    assert Package("x", wanted, version).good is right


def test_what_drifts_from_the_pins_is_told(tmp_path):
    pins = tmp_path / "constraints.txt"
    there = doctor_packages.installed("pluggy")
    pins.write_text(f"# pins\npluggy=={there}\nPyYAML==0.1 # old\nnowhere-to-be-found==1\n-e .\n\n")
    found = doctor_packages.pinned(pins)
    assert [(one.name, one.version) for one in doctor_packages.drifted(found)] == [
        ("PyYAML", doctor_packages.installed("pyyaml"))
    ]
    assert doctor_packages.pinned(tmp_path / "none") == []
    pins.write_bytes(b"\xff\xfe")
    assert doctor_packages.pinned(pins) == []


@slow
def test_the_extras_are_those_of_the_package():
    pyproject = (Path(harness.__file__).parents[1] / "pyproject.toml").read_text()
    for extra, packages in doctor_packages.optional().items():
        assert f"\n{extra} = [" in pyproject
        assert packages
