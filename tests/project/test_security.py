"""What docs/security.md promises: no code in data, no keys in logs, no writing elsewhere."""

import ast
import gzip
import logging
import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
import zipfile
from contextlib import suppress
from functools import cache
from importlib import metadata
from itertools import chain
from pathlib import Path
from types import SimpleNamespace

import anyio
import pytest
import zipfile_zstd  # noqa: F401 (teaches zipfile the compression of Inspect's logs)
from cases import each, slow
from harness_errors import HarnessError, OutputError
from inspect_ai.model import GenerateConfig, ModelAPI, ModelCall, ModelOutput
from openai_server import completion, failure, serving
from report_logs import scripted_log

from harness.audit.report import folder_of
from harness.author import view
from harness.cli.main import main
from harness.core.plugins import registry
from harness.core.spec import make
from harness.datasets.files import fresh, opened
from harness.report import log_studies
from harness.rerun import logs
from harness.run import masking

ROOT = Path(__file__).parents[2]
PACKAGES = {
    ROOT: [ROOT / "harness"],
    **{
        folder: [*folder.glob("harness_*")]
        for kind in ("libs", "plugins")
        for folder in sorted((ROOT / kind).iterdir())
        if (folder / "pyproject.toml").exists()
    },
}

# ------------------------------------------------------------------------- what the source may do

FORBIDDEN_MODULES = {
    "pickle", "cPickle", "marshal", "shelve", "dill", "joblib", "cloudpickle", "imp", "telnetlib",
}  # fmt: skip
FORBIDDEN_CALLS = {
    "eval", "exec", "compile", "__import__", "os.system", "os.popen", "tempfile.mktemp",
    "subprocess.getoutput", "subprocess.getstatusoutput", "yaml.unsafe_load", "yaml.full_load",
    "yaml.load_all", "pickle.load", "joblib.load", "numpy.fromfile", "pandas.read_pickle",
    "shutil.unpack_archive", "input",
}  # fmt: skip
ARCHIVES = {"extract", "extractall"}
SAFE_LOADERS = {"SafeLoader", "CSafeLoader", "BaseLoader", "_LOADER"}


def dotted(node):
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return node.id if isinstance(node, ast.Name) else ""


def told(text):
    """The imports and calls of a program."""
    kinds = (ast.Import, ast.ImportFrom, ast.Call)
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]


def imported(nodes):
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module
        elif isinstance(node, ast.Call) and dotted(node.func).endswith("import_module"):
            yield from (one.value for one in node.args[:1] if isinstance(one, ast.Constant))


def loaders(node):
    """The names of the loader in a call of yaml.load, either branch of a choice."""
    given = [word.value for word in node.keywords if word.arg == "Loader"] + node.args[1:2]
    chosen = [
        branch
        for one in given
        for branch in ([one.body, one.orelse] if isinstance(one, ast.IfExp) else [one])
    ]
    return {dotted(one).rpartition(".")[2] for one in chosen} or {""}


@cache
def parsed(file):
    return told(file.read_text(encoding="utf-8"))


def unsafe(nodes):
    """What a program does that would let data run."""
    found = [name for name in imported(nodes) if name.split(".")[0] in FORBIDDEN_MODULES]
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        name = dotted(node.func)
        words = {word.arg: word.value for word in node.keywords}
        shell = words.get("shell")
        if name in FORBIDDEN_CALLS or ("." in name and name.rpartition(".")[2] in ARCHIVES):
            found.append(name)
        elif name == "yaml.load" and not loaders(node) <= SAFE_LOADERS:
            found.append("yaml.load")
        elif shell is not None and not (isinstance(shell, ast.Constant) and shell.value is False):
            found.append(f"{name}(shell)")
        elif getattr(words.get("allow_pickle"), "value", False):
            found.append(f"{name}(allow_pickle)")
        elif name == "Environment" and getattr(words.get("autoescape"), "value", 0) is not True:
            found.append("Environment without autoescape")
    return found


def sources(folders):
    """The programs of a package, each taken apart once."""
    return [
        (file, parsed(file)) for folder in folders for file in sorted(folder.rglob("*.py"))
        if "tests" not in file.parts
    ]  # fmt: skip


@each(
    "source",
    [
        "eval(x)", "exec(x)", "import pickle", "from pickle import loads", "import marshal", "import shelve",
        "os.system(x)", "tempfile.mktemp()", "subprocess.run(x, shell=True)", "subprocess.run(x, shell=y)",
        "yaml.load(x)", "yaml.load(x, Loader=yaml.Loader)", "yaml.load(x, yaml.FullLoader)",
        "yaml.load(x, Loader=yaml.SafeLoader if y else yaml.Loader)", "yaml.unsafe_load(x)",
        "from joblib import load", "import_module('pickle')", "numpy.load(x, allow_pickle=True)",
        "archive.extractall(x)", "zipfile.ZipFile(x).extract(y)" , "Environment()",
        "Environment(autoescape=False)", "__import__(x)",
    ],
)  # fmt: skip
def test_the_scan_sees_what_it_is_for(source):
    if source == "zipfile.ZipFile(x).extract(y)":  # a call in front has no dotted name
        source = "archive.extract(y)"
    assert unsafe(told(source)), source


@slow
def test_no_data_is_run_unpickled_or_unpacked_by_name():
    scanned = 0
    for folders in PACKAGES.values():
        for file, nodes in sources(folders):
            scanned += 1
            assert unsafe(nodes) == [], file
    assert scanned > 300


# ----------------------------------------------------------------------------------- dependencies


def name_of(requirement):
    return re.sub(r"[-_.]+", "-", re.match(r"[A-Za-z0-9._-]+", requirement)[0]).lower()


def test_constraints_are_names_with_versions_and_no_addresses():
    files = {file.name: file.read_text(encoding="utf-8") for file in ROOT.glob("constraints*.txt")}
    assert len(files["constraints.txt"].splitlines()) > 100
    for name, text in files.items():
        lines = text.splitlines()
        if name != "constraints.txt":
            assert lines.pop(0) == "-c constraints.txt"
        for line in lines:
            assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*==[0-9][0-9A-Za-z.!+]*", line), line
        names = [name_of(line) for line in lines]
        assert len(set(names)) == len(names)


def declared(root):
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {
        k: v
        for k, v in project.get("optional-dependencies", {}).items()
        if k not in ("lint", "test")
    }
    return {name_of(one) for one in [*project["dependencies"], *chain(*extras.values())]}


def test_everything_imported_is_declared_by_its_owner():
    # A plain one: what a command of this process put in the place of Python's own is only a mapping.
    distributions = dict(metadata.packages_distributions())
    # Our own, and what Spot's wheel brings beside itself, found only after it.
    distributions |= {"harness": ["temporal-harness"], "buddy": ["spottl"]}
    distributions |= {
        f"harness_{lib.name}": [f"harness-{lib.name}"] for lib in (ROOT / "libs").iterdir()
    }
    missing, scanned = [], set()
    for root, folders in PACKAGES.items():
        found = {name.split(".")[0] for _, nodes in sources(folders) for name in imported(nodes)}
        found -= {*sys.stdlib_module_names, *(folder.name for folder in folders)}
        # Its dependencies are its own: harness/author/templates.
        found -= (
            {"harness_mybench", "harness_answers"} if root == ROOT else set()
        )  # what `harness new` writes, by the name it has before
        scanned |= found
        known = declared(root)
        missing += [
            f"{root.name}: {name}"
            for name in sorted(found)
            if not known & {name_of(one) for one in distributions.get(name, [name])}
        ]
    assert scanned
    assert missing == []


# ---------------------------------------------------------------------------------------- secrets

KEY = "sk-MARKED-KEY-0123456789abcdef"
MARKS = (KEY, "MARKED-ENV-0123", "MARKED-USER-0123", "MARKED-PASSWORD-0123", "MARKED-QUERY-0123")


def texts(root):
    """Every file below a folder, and what is in the archives and compressed files among them."""
    for path in sorted(root.rglob("*")):
        if not path.is_file():
            continue
        data = path.read_bytes()
        yield str(path), data
        if data.startswith(b"\x1f\x8b"):
            yield f"{path} (unpacked)", gzip.decompress(data)
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for name in archive.namelist():
                    yield f"{path}!{name}", name.encode() + b"\n" + archive.read(name)


def leaks(root):
    return [(mark, where) for where, data in texts(root) for mark in MARKS if mark.encode() in data]


def troubled(request, number):
    """A provider that quotes the key in all that goes wrong."""
    said = f"Incorrect API key provided: {KEY} of MARKED-ENV-0123 via MARKED-PASSWORD-0123"
    if number < 4:
        return failure((401, 400, 500, 403)[number], said)
    return (200, b'{"choices": "%s"' % KEY.encode()) if number == 4 else completion("Answer: True")


# The command, which waits for nobody between two tries.
AT_ONCE = """
import sys
from inspect_ai.model import _retry
from tenacity import wait_none
_retry.wait_exponential_jitter = lambda **_: wait_none()
from harness.cli.main import main
sys.exit(main())
"""


def real_run(root):
    """A real run in a process of its own, with marked keys, a home of its own and failures of each kind."""
    for name in ("home", "tmp", "work"):
        (root / name).mkdir()
    with serving(troubled) as server:
        address = server.url.replace("http://", "http://MARKED-USER-0123:MARKED-PASSWORD-0123@")
        done = subprocess.run(
            [
                sys.executable, "-c", AT_ONCE, "run", "plugin=ltlbench", "n=6",
                "model=openai-api/marked/m", "log_dir=logs", "max_retries=1", "max_connections=1",
                "--json",
            ],
            cwd=root / "work", capture_output=True, timeout=600, check=False,
            env={
                "PATH": os.environ["PATH"], "HOME": str(root / "home"), "TMPDIR": str(root / "tmp"),
                "PYTHONPATH": str(ROOT), "MARKED_API_KEY": KEY,
                "MARKED_BASE_URL": f"{address}?token=MARKED-QUERY-0123",
                "SOME_SECRET": "MARKED-ENV-0123", "XDG_DATA_HOME": str(root / "home" / "data"),
            },
        )  # fmt: skip
    (root / "work" / "stdout").write_bytes(done.stdout)
    (root / "work" / "stderr").write_bytes(done.stderr)
    assert len(server.requests) >= 6, done.stderr


@slow
def test_no_log_trace_line_report_or_bundle_of_a_run_holds_a_key(tmp_path, monkeypatch, capsys):
    real_run(tmp_path)
    seen = list(texts(tmp_path))
    assert leaks(tmp_path) == []
    # There was something to be found: the failures are told, the trace of requests is there.
    kept = b"".join(data for _, data in seen)
    assert kept.count(f"Incorrect API key provided: {masking.MASK}".encode()) >= 3
    assert any("traces" in where for where, _ in seen)
    assert masking.MASK in (tmp_path / "work" / "stdout").read_text(encoding="utf-8")
    assert any("!samples/" in where for where, _ in seen)
    monkeypatch.chdir(tmp_path / "work")
    assert main(["report", "logs", "out=page", "--json"]) == 0
    assert main(["view", "log_dir=logs", "bundle=site"]) == 0
    said = capsys.readouterr()
    Path("said").write_text(said.out + said.err, encoding="utf-8")
    assert Path("page/index.html").exists()
    assert [*Path("site").rglob("*.eval")]
    monkeypatch.setenv("MARKED_API_KEY", KEY)
    assert main(["generate", "plugin=ltlbench", "n=2", "out=d.jsonl"]) == 0
    assert (
        main(["export", "plugin=ltlbench", "dataset=d.jsonl", "to=parquet", "out=d.parquet"]) == 0
    )
    assert len([*Path().glob("d.*")]) == 4
    assert leaks(tmp_path) == []


class Fixed(ModelAPI):
    """A provider that answers or fails as it is told."""

    def __init__(self, answer, **options):
        super().__init__("fixed", **options)
        self.answer = answer

    async def generate(self, *_, **__):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def asked(answer, **options):
    model = SimpleNamespace(api=Fixed(answer, api_key=KEY, **options))
    masking.protect(masking.protect(model))
    return anyio.run(lambda: model.api.generate([], [], "auto", GenerateConfig()))


class Stubborn(Exception):
    def __str__(self):
        return f"no: {KEY}"


class Coded(Exception):
    def __init__(self):
        super().__init__(f"bad {KEY}")
        self.body = {"error": {"message": KEY, KEY: [KEY]}}
        self.status_code = 401
        self.__cause__ = ValueError(f"below: {KEY}")
        self.add_note(f"note {KEY}")


def test_an_error_keeps_its_class_and_status_and_loses_the_key():
    with pytest.raises(Coded) as found:
        asked(Coded())
    error = found.value
    assert error.status_code == 401
    assert KEY not in f"{error} {error!r} {error.body} {error.__cause__} {error.__notes__}"
    assert error.body["error"]["message"] == masking.MASK


@each(
    "error, kind", [(Stubborn(), RuntimeError), (ExceptionGroup("g", [ValueError(KEY)]), Exception)]
)
def test_an_error_that_cannot_be_changed_is_replaced(error, kind):
    with pytest.raises(kind) as found:
        asked(error)
    assert found.value is not error
    assert KEY not in f"{found.value!r} {found.value.__cause__}"
    assert found.value.__suppress_context__


def test_an_error_that_is_returned_is_masked_with_its_call():
    call = ModelCall.create({"key": KEY}, {"said": [KEY]})
    output, noted = asked((ValueError(KEY), call))
    assert KEY not in f"{output!r} {noted.request} {noted.response}"
    refused = ModelOutput.from_content("m", f"refused {KEY}", "content_filter", f"why {KEY}")
    assert KEY not in asked(refused).model_dump_json()


def test_what_a_model_answers_is_not_touched():
    answer = ModelOutput.from_content("m", f"Answer: {KEY}")
    assert asked(answer) is answer
    call = ModelCall.create({"a": 1}, {"b": 2})
    assert asked((answer, call))[0] is answer


def test_addresses_give_up_their_passwords_and_short_words_are_left(monkeypatch):
    for name in list(os.environ):
        if masking._NAMED.search(name) or "://" in os.environ[name]:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HTTPS_PROXY", "http://somebody:p%40ss-word@proxy:1/?sig=abcdefghij")
    monkeypatch.setenv("X_TOKEN", "short")
    monkeypatch.setenv("BAD_URL", "http://[::1")
    monkeypatch.setenv("PLAIN", "harmless-value")
    found = masking.secrets(Fixed(None, api_key="key/with/slash", base_url="http://h/?a=12345678"))
    assert set(found) == {
        "somebody", "p%40ss-word", "p%2540ss-word", "abcdefghij", "key/with/slash",
        "key%2Fwith%2Fslash", "12345678",
    }  # fmt: skip
    assert found == tuple(sorted(found, key=lambda one: (-len(one), one)))


def test_a_librarys_log_line_loses_the_key(caplog):
    asked(ModelOutput.from_content("m", "x"))
    with caplog.at_level(logging.INFO, "httpx"):  # whatever level an earlier test left it at
        logging.getLogger("httpx").info("POST %s %d", f"http://h/?k={KEY}", 200)
        logging.getLogger("httpx").info("plain %s", "line")
    assert caplog.messages == [f"POST http://h/?k={masking.MASK} 200", "plain line"]


# ------------------------------------------------------------------------------- places and links


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("elsewhere").mkdir()
    Path("elsewhere/precious").write_text("precious\n")
    assert main(["generate", "plugin=ltlbench", "n=2", "out=d.jsonl"]) == 0
    return tmp_path


def listed(folder):
    return sorted(path.name for path in Path(folder).iterdir())


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A log with one sample, made once; tests work on copies."""
    return scripted_log(tmp_path_factory.mktemp("log"), "ltlbench", ["Answer: True"])


def copied(log, folder):
    folder.mkdir()
    return Path(shutil.copy(log, folder))


def act(*words):
    code = main(list(words))
    assert code in (0, 1, 2)
    return code


PLANTED = [
    ("g.jsonl.partial", ["generate", "plugin=ltlbench", "n=2", "out=g.jsonl"], False),
    (".g.jsonl.manifest.json.new", ["generate", "plugin=ltlbench", "n=2", "out=g.jsonl"], True),
    (".g.jsonl.partial.json.new", ["generate", "plugin=ltlbench", "n=2", "out=g.jsonl"], True),
    ("e.jsonl.partial", ["export", "plugin=ltlbench", "dataset=d.jsonl", "to=jsonl", "out=e.jsonl"], False),
    (
        ".e.jsonl.manifest.json.new",
        ["export", "plugin=ltlbench", "dataset=d.jsonl", "to=jsonl", "out=e.jsonl"], True,
    ),
    ("e.parquet.partial", ["export", "plugin=ltlbench", "dataset=d.jsonl", "to=parquet", "out=e.parquet"], False),
    ("audits/d/audit.json.partial", ["verify", "plugin=ltlbench", "dataset=d.jsonl"], False),
]  # fmt: skip


@each("name, words, done", PLANTED)
def test_a_planted_link_is_not_written_through(here, capsys, name, words, done):
    for target in ("elsewhere/precious", "elsewhere/new"):
        Path("elsewhere/new").unlink(missing_ok=True)
        Path("elsewhere/precious").write_text("precious\n")
        for left in [*Path().glob("[eg].*"), *Path().glob(".[eg].*")]:
            left.unlink()
        shutil.rmtree("audits", ignore_errors=True)
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).symlink_to(here / target)
        capsys.readouterr()
        code = act(*words)
        said = capsys.readouterr()
        assert listed("elsewhere") == ["precious"]
        assert Path("elsewhere/precious").read_text() == "precious\n"
        assert (code == 0) == done, said.err
        if not done:
            assert said.err.count("\n") == 1
            assert "link" in said.err


def test_a_planted_link_in_place_of_a_folder_is_refused(here, capsys):
    Path("hf.partial").symlink_to("elsewhere")
    words = ["export", "plugin=ltlbench", "dataset=d.jsonl", "to=huggingface", "out=hf"]
    assert act(*words) == 1
    assert "hf.partial is a link" in capsys.readouterr().err
    assert listed("elsewhere") == ["precious"]


def test_only_regular_files_are_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "null").symlink_to("/dev/null")
    for name in ("pipe", "folder", "link", "null"):
        with pytest.raises(OutputError, match="is a link or no regular file"):
            opened(tmp_path / name)
    os.close(opened(tmp_path / "new"))
    assert (tmp_path / "new").read_bytes() == b""
    with fresh(tmp_path / "link") as file:
        file.write("x")
    assert not (tmp_path / "link").is_symlink()
    assert not (tmp_path / "nowhere").exists()


@each(
    "name", ["...jsonl", "..jsonl", "....jsonl", ".jsonl", "..", ".", "/", "a/../..jsonl", "a/..."]
)
def test_the_report_of_a_dataset_stays_in_its_folder(name):
    spec = make(registry().get("ltlbench"), {"dataset": name})
    folder = folder_of(spec)
    assert folder.parent == Path("audits")
    assert folder.name.strip(".")


@each(
    "words",
    [
        ["run", "plugin=../x"], ["run", "plugin=/etc/passwd"], ["run", "plugin=ltlbench", "model=../x"],
        ["run", "plugin=ltlbench", "model=harness/../x"], ["show", "plugin=ltlbench", "item=../../etc/passwd"],
        ["show", "plugin=ltlbench", "format=../x"], ["show", "plugin=vltl", "scenario=../nothing.yaml"],
        ["show", "plugin=ltlbench", "dataset=../nothing"], ["show", "plugin=ltlbench", "dataset=a\0b"],
        ["run", "plugin=ltlbench", "strategy=../x"], ["report", "../nothing.eval"],
        ["export", "plugin=ltlbench", "to=../x", "out=x"], ["run", "plugin=ltlbench", "preset=../x"],
    ],
)  # fmt: skip
def test_a_name_that_is_a_path_is_refused_in_one_line(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    assert main(words) in (1, 2)
    said = capsys.readouterr()
    assert said.err.startswith("harness: ")
    assert said.err.count("\n") == 1
    assert not listed(tmp_path)


def test_a_split_never_becomes_a_path(here, capsys):
    for split in ("../x", "/tmp/x", "a/b", "..", "."):
        words = ["export", "plugin=ltlbench", "n=1", f"split={split}", "to=huggingface", "out=hf"]
        assert act(*words) in (1, 2)
        assert capsys.readouterr().err.count("\n") == 1
    assert not Path("hf").exists()
    assert not Path("hf.partial").exists()


def test_members_of_a_log_are_never_unpacked_by_their_names(tmp_path, monkeypatch, capsys, log):
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    log = copied(log, here / "logs")
    with zipfile.ZipFile(log, "a") as archive:
        for name in (
            "../out.txt",
            "/tmp/harness-out.txt",
            "samples/../../out_epoch_1.json",
            "a\\..\\out.txt",
        ):
            archive.writestr(name, "{}")
    capsys.readouterr()
    with suppress(HarnessError):
        log_studies.load(log_studies.logs_of([str(log)]), print)
    act("score", str(log))
    act("view", "log_dir=logs", "bundle=site")
    assert "Traceback" not in capsys.readouterr().err
    assert not [*here.rglob("out*.txt")]
    assert not [*here.parent.glob("out*")]
    assert not Path("/tmp/harness-out.txt").exists()


def test_a_bundle_publishes_nothing_that_a_link_leads_to(here, log):
    copied(log, here / "logs")
    for name in ("a.eval", "b.json", "c.txt"):
        Path("logs", name).symlink_to(here / "elsewhere" / "precious")
    Path("logs/d.eval").symlink_to(copied(log, here / "private"))
    Path("logs/more").symlink_to(here / "elsewhere")
    view.bundle(Path("logs"), Path("site"))
    assert not any(data == b"precious\n" for _, data in texts(here / "site"))
    assert len([*Path("site").rglob("*.eval")]) == 1


@slow
def test_a_link_beside_a_report_is_not_followed(here, log):
    copied(log, here / "logs")
    Path(".page.x.report-in-work").symlink_to("elsewhere")  # as if a killed report had left it
    assert act("report", "logs", "out=page") == 0
    assert listed("elsewhere") == ["precious"]
    assert Path(".page.x.report-in-work").is_symlink()


# ------------------------------------------------------------------------------------ permissions


def modes(root):
    return {
        str(path.relative_to(root)): stat.S_IMODE(path.lstat().st_mode)
        for path in root.rglob("*") if not path.is_symlink()
    }  # fmt: skip


@each("mask", [0o022, 0o077])
def test_files_are_no_wider_than_the_umask_says(tmp_path_factory, monkeypatch, mask):
    root = tmp_path_factory.mktemp("modes")
    monkeypatch.chdir(root)
    before = os.umask(mask)
    try:
        act("generate", "plugin=ltlbench", "n=2", "out=d.jsonl")
        act("export", "plugin=ltlbench", "dataset=d.jsonl", "to=jsonl", "out=e/e.jsonl")
        if mask == 0o077:  # a log holds prompts and answers
            act("run", "plugin=ltlbench", "n=1", "model=harness/constant", "log_dir=logs")
            assert [*Path("logs").glob("*.eval")]
        act("verify", "plugin=ltlbench", "dataset=d.jsonl")
        act("show", "plugin=ltlbench", "dataset=d.jsonl", "item=0", "format=svg", "out=t.svg")
    finally:
        os.umask(before)
    found = modes(root)
    assert {"d.jsonl", "e/e.jsonl", "audits/d/audit.json", "t.svg"} <= set(found)
    assert {name: oct(mode) for name, mode in found.items() if mode & (mask | 0o002)} == {}


def test_the_viewer_listens_on_this_machine_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("logs").mkdir()
    told = {}
    monkeypatch.setattr("inspect_ai._view.view.view", lambda **words: told.update(words))
    assert main(["view", "port=7599"]) == 0
    assert told["host"] == "127.0.0.1"


@each("member", ["header.json", "samples/", "summaries.json"])
def test_a_log_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(
    tmp_path, monkeypatch, capsys, log, member
):
    own = tmp_path / f"{member[:3]}.eval"
    with zipfile.ZipFile(log) as archive:
        parts = {one: archive.read(one) for one in archive.namelist()}
    (name,) = (one for one in parts if one.startswith(member))
    with zipfile.ZipFile(own, "w", zipfile.ZIP_DEFLATED) as archive:
        for one, data in parts.items():
            archive.writestr(one, data + b" " * 3_000_000 if one == name else data)
    assert own.stat().st_size < 200_000
    monkeypatch.setattr(logs, "MAX_MEMBER", 2_000_000)
    monkeypatch.setattr(logs, "MAX_SUMMARIES", 2_000_000)
    capsys.readouterr()
    assert main(["score", str(own)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert name in said
    assert "at most 2,000,000" in said
