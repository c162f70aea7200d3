"""`python -m harness_tlsf`: what it prints, and what it says of a wrong command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness_tlsf.__main__ import main


def spec(guarantee: str = "a;", parameters: str = "", inputs: str = "a;") -> str:
    return (
        'INFO { TITLE: "t" DESCRIPTION: "d" SEMANTICS: Mealy TARGET: Mealy }\n'
        f"GLOBAL {{ PARAMETERS {{ {parameters} }} }}\n"
        f"MAIN {{ INPUTS {{ {inputs} }} OUTPUTS {{ b; }} GUARANTEE {{ {guarantee} }} }}\n"
    )


def test_the_command_prints_text_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "one.tlsf"
    file.write_text(spec("&&[0 <= i < n] q[i];", parameters="n = 1;", inputs="q[n];"))
    assert main([str(file), "n=2"]) == 0
    assert "LTL:       (q_0 && q_1)" in capsys.readouterr().out
    assert main([str(file), "n=2", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["ltl"] == "(q_0 && q_1)"
    assert answer["inputs"] == ["q_0", "q_1"]
    assert answer["parameters"] == {"n": 2}


def test_the_command_says_what_is_wrong_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, binary = tmp_path / "good", tmp_path / "bad", tmp_path / "binary"
    good.write_text(spec(parameters="n = 1;"))
    bad.write_text("INFO {\n x }")
    binary.write_bytes(b"\xff\xfe")
    for arguments, message in (
        ([str(good), "m=2"], f"{good}: there is no parameter 'm'"),
        (
            [str(good), "n"],
            "parameters are given as NAME=NUMBER, such as n=3 (whole numbers from 0 on), not 'n'",
        ),
        ([str(good), "n=x"], "parameters are given as NAME=NUMBER"),
        ([str(bad)], f"{bad}: line 2, column 2: expected TITLE"),
        ([str(binary)], f"{binary}: this is no text in UTF-8"),
        ([str(tmp_path)], "this is no file"),
        (["cat /etc/passwd |"], "there is no such file"),
        (["/dev/zero"], "this is no file"),
    ):
        assert main(arguments) == 2
        said = capsys.readouterr().err
        assert message in said
        assert said.count("\n") == 1
