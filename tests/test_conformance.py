"""The conformance kit: the good toy passes everything, and every defect is caught by name."""

import importlib
import json
import threading

import pytest

from harness import checks_published, kit, plugins
from harness.testing import CHECKS, conformance, golden_path

# Toy, the check that must catch it, what its message must say.
DEFECTS = [
    ("Raising", "generate", "item 3: plugin 'toy_raising': generate() failed: ZeroDivisionError"),
    ("NoItem", "generate", "item 0: plugin 'toy_no_item': generate() returned dict"),
    ("OthersItem", "generate", "returned an item that says it is of 'somebody'"),
    ("NanProblem", "generate", "returned a problem that is not JSON"),
    ("BadPreset", "describe", "preset 'small': top=0"),
    ("BadCorePreset", "describe", "preset 'small': n=0: the least is 1"),
    ("OneEngine", "describe", "fewer than two engines"),
    ("NoSchema", "describe", "answer_schema is not a JSON Schema"),
    ("FragileDrawing", "formats", "item 0: render(format='sum') raised KeyError"),
    ("NumberDrawing", "formats", "render(format='sum') returned int, expected str or None"),
    ("BrokenDrawing", "formats", "render(format='svg') is no XML"),
    ("PageDrawing", "formats", "is no SVG: its root is 'html'"),
    ("UntitledDrawing", "formats", "has no <title> first"),
    ("ScriptDrawing", "formats", "holds <script>"),
    ("HandlerDrawing", "formats", "has the attribute 'onload'"),
    ("LinkDrawing", "formats", "has the attribute 'href'"),
    ("EntityDrawing", "formats", "declares a document type"),
    ("HugeDrawing", "formats", "at most 300000 are shown"),
    ("OffSchema", "schema", "target value: 'zero' is not one of"),
    ("LacksGroup", "schema", "item 0: lacks the feature 'digits'"),
    ("NanFeature", "generate", "returned features that are not JSON: ValueError"),
    ("SetFeature", "generate", "returned features that are not JSON: TypeError"),
    ("TupleFeature", "roundtrip", "item 0: features comes back different from JSON"),
    ("Counting", "order", "prompt differs when items are generated in another order"),
    ("Hashing", "processes", "item 0: differs in another process under PYTHONHASHSEED=1"),
    ("HashingAbout", "processes", "what about() says differs in another process"),
    ("ListAbout", "about", "about() returned list, expected a dict or None"),
    ("SetAbout", "about", "about() returned what is not JSON: TypeError"),
    ("ChangingAbout", "about", "about() says something else when it is asked again"),
    # Overlap like that of Random(seed + index) cannot be built: a plugin is given a stream and
    # never sees the seed. Nearest to it is a plugin that makes a stream of its own.
    (
        "SameSeeds",
        "seeds",
        "100.0% of the problems come again with seed 1; by chance at most are 0.0%",
    ),
    ("FewProblems", "seeds", "of the problems come again with"),
    ("Strict", "target", "the gold answer 'Let me think.\\n\\nAnswer: "),
    ("NanValue", "values", "value['correct'] is nan, expected a finite number"),
    ("ForeignValue", "values", "value has keys ['correct', 'style'], expected ['correct']"),
    ("NoValue", "values", "value is NoneType, expected a mapping"),
    ("WrongOutcome", "values", "outcome 'wrong' is not one of scored, unparsed, unscored"),
    ("PaysUnparsed", "values", "an unparsed answer has a value other than 0"),
    ("NumberAnswer", "values", "answer is int, expected str or None"),
    ("Overwriting", "values", "extra['outcome'] would replace"),
    ("NoVerdict", "values", "returned bool, expected Verdict"),
    ("Guessing", "junk", "item 0: '' is taken for an answer, expected 'unparsed'"),
    ("Generous", "junk", "item 0: '' scores {'correct': 1.0}"),
    ("Blaming", "junk", "item 0: '' is 'unscored'"),
    ("Fragile", "junk", r"raised UnicodeEncodeError"),
    ("Hedging", "hedge", " or six' scores full marks"),
    ("FirstWord", "hedge", "scores full marks"),
    ("LastWord", "hedge", "scores full marks"),
    ("Synonyms", "constants", "both 'one' and 'three' score full marks"),
    ("Everywhere", "constants", "the constant answer 'zero' is right on every item"),
    ("Tolerant", "foreign", "scores full marks"),
    ("PrefixTaker", "prefixes", "item 0: the cut-off answer"),
    ("WrongStage", "stages", "the gold replies to all stages of 'parts' do not earn full marks"),
    ("FragileStage", "stages", "item 0: stage 'second' raised KeyError: 'gone'"),
    ("SilentStage", "stages", "item 0: stage_prompt() has nothing to ask at 'first'"),
    ("NoJoin", "stages", "item 0: stage_join() returned dict"),
    ("NoStructure", "structure", "item 0: structure() is no JSON Schema: SchemaError"),
    (
        "ForeignStructure",
        "structure",
        "structure() of item 0 is no JSON Schema that Inspect takes: items: Input should be",
    ),
    ("ChangingStructure", "structure", "item 0: structure() says another schema when it is asked"),
    ("Leaking", "leak", "tells which one is right"),
    ("MostlyLeaking", "leak", "tells which one is right"),
    ("Echoing", "leak", "item 0: the prompt given back as the answer scores full marks"),
    ("Misreading", "read", "item 0: read() returns another problem"),
    ("Unreading", "read", "read() does not recognise the prompt '[toy_unreading] What"),
    ("Greedy", "read", "read() takes '' for a prompt of its own"),
    ("FragileRead", "read", "read() raised UnicodeEncodeError"),
    ("WrongEngine", "engines", "digits derives"),
    ("WrongLabel", "engines", "arithmetic derives"),
    ("Abstaining", "engines", "only 1 engine decided it"),
    ("FailingEngine", "engines", "item 0: digits failed: plugin 'toy_failing_engine': solve()"),
    ("NoSolution", "engines", "digits derives None"),
    ("Unchecked", "certificates", "item 0: check() accepts no certificate"),
    ("NeverProven", "certificates", "item 0: check() refuses the genuine certificate: no proof"),
    ("IgnoresTarget", "certificates", "item 0: check() accepts the target '"),
    ("IgnoresEvidence", "certificates", "check() accepts the certificate of item"),
    ("FragileCheck", "certificates", "item 0: check() raised TypeError: 'NoneType'"),
    ("TakesAll", "published", "adopt() takes '{}' for a record of its own"),
    (
        "FragileAdopt",
        "published",
        "on the record '{}': plugin 'toy_fragile_adopt': adopt() failed: Key",
    ),
    (
        "FragilePublish",
        "published",
        "item 0, format toy_csv: plugin 'toy_fragile_publish': publish() f",
    ),
    ("OtherProblem", "published", "item 0, format toy_json: the problem comes back as "),
    (
        "OtherTarget",
        "published",
        "item 0, format toy_json: the target comes back as 'zero', it was ",
    ),
    ("OwnNames", "published", "format toy_csv: adopt() does not know what publish() says"),
    (
        "Nameless",
        "published",
        "item 0, format toy_csv: adopted without its name in notes['format']",
    ),
    ("Restless", "published", "format toy_csv: written again on top of its record, that changes"),
    ("Forgetful", "published", "with another label, publish() adds or loses fields of the record"),
    (
        "KeepsLabel",
        "published",
        "item 0, format toy_csv: publish() leaves the old label in the record",
    ),
    ("UnknownKind", "weaknesses", "item 0: audit() finds 'dull', which is no key of weaknesses"),
    ("LongWinded", "weaknesses", "explains 'no_sum' by 'in\\nlines', expected one line"),
    (
        "NoKind",
        "weaknesses",
        "item 0: audit() says \"{'message': 'weak'}\", expected a kind and a mess",
    ),
    ("NoList", "weaknesses", "item 0: audit() returned NoneType, expected a list"),
    ("FragileAudit", "weaknesses", "item 0: audit() raised KeyError: 'nothing'"),
    ("ChangingAudit", "weaknesses", "item 0: audit() says something else when it is asked again"),
    ("NoReading", "readings", "the label is right, but holds under no reading of 'modulus'"),
    ("OneReading", "readings", "item 0: readings(): 'modulus' has fewer than two readings"),
    ("VagueReading", "readings", "item 0: readings(): 'modulo 8' is '0.5', expected a bool"),
    ("ListReadings", "readings", "item 0: readings() returned list, expected a dict"),
    ("FragileReadings", "readings", "item 0: readings() raised KeyError: 'nothing'"),
    (
        "ChangingReadings",
        "readings",
        "item 0: readings() says something else when it is asked again",
    ),
    ("WrongHeadline", "inspect", "harness/reference scores 0.5, expected 1.0"),
    ("FailingHeadline", "inspect", "metric 'accuracy' raised IndexError"),
]


def failure_of(report, name):
    return next(check["failure"] for check in report["checks"] if check["name"] == name)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_the_good_toy_passes_every_check(toys):
    good = plugins.registry().get("toy_good")
    conformance(good, only=("golden",), golden="write")
    report = conformance(good)
    assert report["failures"] == [], [c for c in report["checks"] if c["failure"]]
    assert [check["name"] for check in report["checks"]] == ["generate", *CHECKS]
    assert all(check["note"] for check in report["checks"])


@pytest.mark.parametrize(("toy", "check", "message"), DEFECTS, ids=[d[0] for d in DEFECTS])
def test_a_defect_is_caught_by_name(toys, toy, check, message):
    report = conformance(toys(toy), only=(check,))
    assert check in report["failures"]
    assert message in failure_of(report, check)
    assert not failure_of(report, check).startswith("unexpected")


def test_every_check_has_a_defect_that_it_catches():
    elsewhere = {"golden"}  # below: what is pinned is a file, not a property of the plugin
    assert {check for _, check, _ in DEFECTS} | elsewhere == {"generate", *CHECKS}


@pytest.mark.parametrize(
    ("toy", "message"),
    [("Sluggish", "is not done after 0.2 s"), ("Stuck", "is not done after 0.2 s")],
)
def test_a_slow_scorer_is_interrupted(toys, monkeypatch, toy, message):
    monkeypatch.setattr(kit, "SECONDS", 0.2)
    report = conformance(toys(toy), n=2, only=("junk",))
    assert report["failures"] == ["junk"]
    assert message in failure_of(report, "junk")
    assert "(1000000 characters)" in failure_of(report, "junk")


def test_a_slow_scorer_is_noticed_off_the_main_thread(toys, monkeypatch):
    monkeypatch.setattr(kit, "SECONDS", 0.2)
    reports = []
    plugin = toys("Sluggish")
    thread = threading.Thread(
        target=lambda: reports.append(conformance(plugin, n=2, only=("junk",)))
    )
    thread.start()
    thread.join()
    assert "took 1.0 s, allowed are 0.2 s" in failure_of(reports[0], "junk")


def test_the_defects_spoil_nothing_else(toys):
    """Every check passes on the twin without the defect, at the size the defects are judged at."""
    report = conformance(toys("Good"), only=tuple(set(CHECKS) - {"golden", "inspect"}))
    assert report["failures"] == []


def test_a_default_off_the_schema_is_caught(toys):
    report = conformance(toys("Good"), {"top": 0})
    assert report["failures"] == ["generate"]
    assert failure_of(report, "generate").startswith("top=0: ")


class TestGolden:
    @pytest.fixture
    def plugin(self, toys):
        plugin = toys("Uncounted")
        golden_path(plugin).unlink(missing_ok=True)
        return plugin

    def check(self, plugin, **options):
        return failure_of(conformance(plugin, n=2, only=("golden",), **options), "golden")

    def test_missing(self, plugin):
        assert "golden.json is missing beside the plugin's module" in self.check(plugin)

    def test_written_then_unchanged(self, plugin):
        assert self.check(plugin, golden="write") is None
        assert self.check(plugin, seed=7) is None

    def test_items_changed(self, plugin, monkeypatch):
        self.check(plugin, golden="write")
        toy = importlib.import_module(plugin.source).toy
        usual = toy.label
        monkeypatch.setattr(toy, "label", lambda total: "one" if total % 2 else usual(total))
        assert "differ from golden.json of version 0.1: raise the version" in self.check(plugin)

    def test_one_item_fewer_is_pinned(self, plugin):
        self.check(plugin, golden="write")
        path = golden_path(plugin)
        pinned = json.loads(path.read_text())
        path.write_text(json.dumps({**pinned, "items": pinned["items"][:-1]}))
        assert "items 4 differ" in self.check(plugin)
        path.write_text(json.dumps({**pinned, "items": [*pinned["items"], "more"]}))
        assert "the number of items differs" in self.check(plugin)

    def test_version_raised(self, toys, plugin, monkeypatch):
        self.check(plugin, golden="write")
        monkeypatch.setattr(importlib.import_module(plugin.source).toy, "version", "0.2")
        assert "is of version 0.1, the plugin is 0.2" in self.check(toys("Uncounted"))

    @pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": "0.1"}', "\xff"])
    def test_unreadable(self, plugin, text):
        golden_path(plugin).write_text(text, encoding="latin-1")
        assert "golden.json cannot be read" in self.check(plugin)


def test_what_is_said_of_published_datasets_is_tried(toys):
    plugin = plugins.registry().get("toy_publishing")
    conformance(plugin, only=("golden",), golden="write")
    report = conformance(plugin, n=25)
    assert report["failures"] == [], [c for c in report["checks"] if c["failure"]]
    notes = {check["name"]: check["note"] for check in report["checks"]}
    assert notes["published"] == "toy_csv 20 of 20, toy_json 20 of 20"
    assert notes["weaknesses"] == "of 25 items: none is weak"
    assert notes["readings"] == "modulus"
    mute = conformance(toys("MutePublish"), n=5, only=("published",))
    assert mute["checks"][-1]["note"].startswith("none of these items can be said in a published")
    weak = conformance(plugin, {"top": 1}, n=25, only=("weaknesses",))
    assert weak["checks"][-1]["note"].startswith("of 25 items: no_sum ")


def test_an_audit_that_takes_too_long(toys, monkeypatch):
    monkeypatch.setattr(checks_published, "AUDIT_SECONDS", 0)
    report = conformance(toys("Publishing"), n=2, only=("weaknesses",))
    assert "item 0: audit() took 0.0 s, a fifth of one" in failure_of(report, "weaknesses")


def test_gold_replies_are_tried_where_a_strategy_asks_in_stages(toys):
    asked = conformance(plugins.registry().get("toy_staged"), n=4, only=("stages",))
    assert asked["checks"][-1]["note"] == "parts: 4 items"
    elsewhere = conformance(toys("NotForThese"), n=4, only=("stages",))
    assert elsewhere["checks"][-1]["note"] == "parts: strategy=parts is for bigger sums"
    assert asked["failures"] == elsewhere["failures"] == []


@pytest.mark.parametrize("toy", ["TwoTasks", "NoConstants"])
def test_constants_are_those_of_the_items_task(toys, toy):
    report = conformance(toys(toy), only=tuple(set(CHECKS) - {"golden", "inspect"}))
    assert report["failures"] == [], [c for c in report["checks"] if c["failure"]]
