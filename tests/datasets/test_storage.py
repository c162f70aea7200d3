"""A folder for whole files: on a disk, in memory, in a bucket of S3 (moto's server); no password is ever shown."""

import json
import logging
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from cases import each, slow
from children import QUIET
from harness_errors import DatasetError, OutputError, SpecError

from harness.cli.main import main
from harness.datasets import sharded, storage
from harness.datasets.storage import Storage, hidden

SECRET = "S3cretOf0urs"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def folder(tmp_path):
    return Storage(str(tmp_path / "d"))


@pytest.fixture
def memory():
    import fsspec

    yield Storage("memory://bucket/d")
    fsspec.filesystem("memory").store.clear()


@pytest.fixture
def url(tmp_path):
    return Storage(f"file://{tmp_path}/d")


@pytest.mark.parametrize("kind", ["folder", "memory", "url"])
def test_files_by_their_names(kind, request, tmp_path):
    store = request.getfixturevalue(kind)
    assert (store.empty(), store.size("a"), store.read("a"), store.names(".work")) == (
        True, None, None, set(),
    )  # fmt: skip
    store.write(".work/a", b"one")
    store.write(".work/a", b"three")
    assert not store.empty()
    assert (store.size(".work/a"), store.read(".work/a"), store.names(".work")) == (
        5,
        b"three",
        {"a"},
    )
    source = tmp_path / "source"
    source.write_bytes(b"shard")
    store.put(source, "b")
    assert not source.exists()
    with store.fetched("b") as path:
        assert path.read_bytes() == b"shard"
    store.remove(".work")
    store.remove(".work")
    store.remove("nothing")
    assert store.names(".work") == set()
    assert store.read("b") == b"shard"


def test_what_others_wrote_is_seen_at_once(memory):
    other = Storage("memory://bucket/d")
    assert memory.empty()
    other.write("a", b"1")
    assert not memory.empty()
    assert memory.size("a") == 1


def test_a_file_has_the_rights_that_a_user_gives_files(folder):
    before = os.umask(0o027)
    try:
        folder.write("a", b"1")
    finally:
        os.umask(before)
    assert stat.S_IMODE((folder.local / "a").stat().st_mode) == 0o640


def test_a_file_is_whole_or_not_there(folder, monkeypatch):
    """A disk that is full at the last moment leaves the old file, and nothing beside it."""
    folder.write("a", b"old")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match=r"d/a: No space left on device$"):
        folder.write("a", b"new")
    assert [path.name for path in folder.local.iterdir()] == ["a"]
    assert folder.read("a") == b"old"


def test_links_and_pipes_are_not_followed_where_something_is_written(folder, tmp_path):
    (tmp_path / "victim").write_text("precious")
    folder.write("b", b"")
    (folder.local / "a").symlink_to(tmp_path / "victim")
    folder.write("a", b"new")
    assert (tmp_path / "victim").read_text() == "precious"
    os.mkfifo(folder.local / "pipe")
    with pytest.raises(OutputError, match="not a regular file"):
        folder.read("pipe")


def test_what_a_file_system_says_is_one_line(memory, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("bad\n\nweather")

    for name in ("info", "ls", "pipe_file", "put_file", "get_file", "rm"):
        monkeypatch.setattr(type(memory._fs), name, broken)
    Path("source").write_text("x")
    for act in (
        lambda: memory.size("a"), lambda: memory.read("a"), lambda: memory.names("a"),
        lambda: memory.write("a", b""), lambda: memory.put(Path("source"), "a"),
        lambda: memory.fetched("a").__enter__(),
    ):  # fmt: skip
        with pytest.raises(OutputError) as told:
            act()
        assert str(told.value) == "memory://bucket/d/a: RuntimeError: bad weather"
    assert Path("source").exists()


WITH_SECRETS = (
    f"s3://key:{SECRET}@bucket/d", f"s3://key:a/{SECRET}@bucket/d", f"s3://key:a@{SECRET}@bucket/d",
    f"sftp://me:{SECRET}@host/d", f"https://host/d?X-Amz-Signature={SECRET}",
    f"simplecache::s3://key:{SECRET}@bucket/d", f"zip://a::s3://key:{SECRET}@bucket/a.zip",
    f"memory://key:{SECRET}@bucket/d",
)  # fmt: skip


@each("place", WITH_SECRETS)
def test_a_password_in_an_address_is_refused_and_never_shown(place, capsys):
    assert SECRET not in hidden(place)
    with pytest.raises(SpecError) as told:
        Storage(place)
    assert SECRET not in str(told.value)
    assert "a password or a signature in an address would end up in logs" in str(told.value)
    for words in (
        ["generate", "plugin=ltlbench", "n=2", f"out={place}"],
        ["verify", "plugin=ltlbench", "report=none", f"dataset={place}"],
        ["run", "plugin=ltlbench", f"dataset={place}", "log_dir=logs"],
        ["export", "plugin=ltlbench", f"dataset={place}", "out=e.jsonl"],
        ["show", "plugin=ltlbench", f"dataset={place}"],
    ):
        assert main([*words, "--json"]) == 2
        out, err = capsys.readouterr()
        assert SECRET not in out + err
        assert len(err.splitlines()) == 1
        assert "a password or a signature" in err
    assert not any(
        SECRET.encode() in path.read_bytes() for path in Path().rglob("*.*") if path.is_file()
    )


@each("place, message", [
    ("nosuch://bucket/d", "Protocol not known: nosuch"),
    ("gs://bucket/d", "gcsfs"),
])  # fmt: skip
def test_an_address_that_cannot_be_used(place, message):
    with pytest.raises(SpecError, match=message) as told:
        Storage(place)
    assert "\n" not in str(told.value)
    with pytest.raises(DatasetError, match=rf"^dataset=.*{message}"):
        sharded.Shards(place, "ltlbench", bool)


def test_memory_is_not_shared_with_workers(capsys):
    """What one process has in memory no other sees: told in a line, and nothing is made."""
    words = ["generate", "plugin=ltlbench", "n=4", "workers=1", "out=memory://bucket/d"]
    assert main(words) == 1
    _, err = capsys.readouterr()
    assert "does not see memory://bucket/d; out= must be a folder that all machines share" in err
    assert len(err.splitlines()) == 1


class TestS3:
    @pytest.fixture(scope="class")
    @classmethod
    def server(cls):
        pytest.importorskip("moto.server", reason="needs moto[server]")
        from moto.server import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import make_server

        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        app = DomainDispatcherApplication(create_backend_app)
        server = make_server("127.0.0.1", 0, app, threaded=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        server.server_close()

    @pytest.fixture
    def bucket(self, server, monkeypatch):
        pytest.importorskip("s3fs", reason="needs s3fs")
        import boto3

        environment = {
            "AWS_ENDPOINT_URL": server, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_DEFAULT_REGION": "us-east-1",
        }  # fmt: skip
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        client = boto3.client("s3", endpoint_url=server)
        name = f"b{os.urandom(6).hex()}"
        client.create_bucket(Bucket=name)
        return client, name

    @pytest.fixture(scope="class")
    @classmethod
    def process(cls):
        """Have a process for the commands of all tests, begun by the first: sessions of S3 outlive a test."""
        begun = []
        yield begun
        for one in begun:
            assert one.communicate() == ("", "")
            assert one.returncode == 0

    @pytest.fixture
    def command(self, process, bucket):
        """Run a command in that process; return its code and what it said on both outputs."""
        if not process:
            pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
            process.append(subprocess.Popen([sys.executable, "-c", SERVING], text=True, **pipes))

        def run(*words, stopped=False):
            (one,) = process
            one.stdin.write(json.dumps([str(Path.cwd()), words, stopped]) + "\n")
            one.stdin.flush()
            code, out, err = json.loads(one.stdout.readline())
            assert len(err.splitlines()) <= 1, err
            assert SECRET not in out + err
            return code, out, err

        return run

    def keys(self, bucket):
        client, name = bucket
        return [one["Key"] for one in client.list_objects_v2(Bucket=name).get("Contents", [])]

    def body(self, bucket, key):
        client, name = bucket
        return client.get_object(Bucket=name, Key=key)["Body"].read()

    @slow
    def test_a_dataset_in_a_bucket_and_none_where_there_is_no_bucket(self, bucket, command):
        place = f"s3://{bucket[1]}/sets/d"
        words = ["generate", "plugin=ltlbench", "n=30", "operators=2"]
        made = command(*words, "shards=3", "workers=1", f"out={place}")
        exported = command(
            "export", "plugin=ltlbench", f"dataset={place}", "out=back.jsonl", "--json"
        )
        refused = command(*words, "shards=3", f"out={place}")
        nowhere = command("generate", "plugin=ltlbench", "n=4", "out=s3://nobody-has-this/d")
        assert made[0] == 0
        assert (exported[0], json.loads(exported[1])["items"]) == (0, 30)
        assert refused[0] == 1
        assert "holds a dataset; choose another out=" in refused[2]
        assert nowhere[0] == 1
        assert nowhere[2].startswith("harness: s3://nobody-has-this/d/.work/spec.json: ")
        assert main([*words, "workers=1", "out=one.jsonl"]) == 0
        assert Path("back.jsonl").read_bytes() == Path("one.jsonl").read_bytes()
        parts = [f"sets/d/part-0000{at}-of-00003.jsonl" for at in range(3)]
        assert self.keys(bucket) == ["sets/d/manifest.json", *parts]
        assert b"".join(self.body(bucket, key) for key in parts) == Path("one.jsonl").read_bytes()
        found = self.body(bucket, "sets/d/manifest.json")
        assert json.loads(found)["items"] == 30
        assert SECRET.encode() not in found
        assert b"s3:" not in found
        bucket[0].put_object(Bucket=bucket[1], Key=parts[1], Body=b"{}\n")
        code, _, err = command("show", "plugin=ltlbench", f"dataset={place}", "index=25")
        assert code == 2
        assert f"{place}/part-00001-of-00003.jsonl: contents do not match the checksum" in err

    @slow
    def test_work_that_was_stopped_goes_on(self, bucket, command):
        """What is finished of it is used: a shard that was made to differ is not made again."""
        place = f"s3://{bucket[1]}/d"
        words = ["generate", "plugin=ltlbench", "n=12", "shards=3", "workers=1", f"out={place}"]
        code, _, err = command(*words, stopped=True)
        assert code == 130, err
        assert f"what is finished is kept in {place}" in err
        there = self.keys(bucket)
        assert "d/manifest.json" not in there
        assert "d/.work/redrawn.json" in there
        assert command(*words)[0] == 0
        assert main([*words[:3], "shards=3", "workers=1", "out=d"]) == 0
        assert [key.partition("/")[2] for key in self.keys(bucket)] == sorted(
            path.name for path in Path("d").iterdir()
        )
        for path in Path("d").iterdir():
            assert self.body(bucket, f"d/{path.name}") == path.read_bytes()


# Commands, one after another, which have a worker together; some are stopped before the second shard is finished.
SERVING = f"""
import io, json, os, sys
from contextlib import nullcontext, redirect_stderr, redirect_stdout
{QUIET}
from harness.cli.main import main
from harness.datasets import engines
call, pool = engines.Local.call, engines.Local(1)
def until(self, function, *args, **limits):
    if stopped and function.endswith(":finish") and args[0]["start"]:
        raise KeyboardInterrupt
    return call(self, function, *args, **limits)
engines.Local.call = until
engines.chosen = lambda options, shared=False: nullcontext(pool)
for line in sys.stdin:
    folder, words, stopped = json.loads(line)
    os.chdir(folder)
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        code = main(words)
    print(json.dumps([code, out.getvalue(), err.getvalue()]), flush=True)
pool.close()
"""


def test_only_what_storages_need_goes_to_the_workers(monkeypatch):
    for name in (
        "AWS_SECRET_ACCESS_KEY",
        "FSSPEC_S3_KEY",
        "HTTPS_PROXY",
        "GOOGLE_APPLICATION_CREDENTIALS",
    ):
        monkeypatch.setenv(name, "1")
    for name in (
        "OPENAI_API_KEY",
        "GOOGLE_API_KEY",
        "ANTHROPIC_API_KEY",
        "AZUREAI_OPENAI_API_KEY",
        "HF_TOKEN",
    ):
        monkeypatch.setenv(name, "2")
    found = storage.access()
    assert "2" not in found.values()
    assert list(found.values()).count("1") == 4
