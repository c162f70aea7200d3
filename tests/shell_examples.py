"""Every shell command that the documents show, with its page and line, and what is shown that is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = (
    "*.md", "docs/**/*.md", "plugins/*/*.md", "examples/*.md", "examples/*/*.md", "benchmarks/*.md",
    "harness/author/templates/*/*.md",
)  # fmt: skip
HISTORY = ("CHANGELOG.md",)  # tells what was, and is not followed

SHELLS = ("bash", "sh", "shell", "console")
# What a line of a block begins with, or words in running text, if they are a command.
PROGRAMS = (
    "harness", "make", "pip", "python", "inspect", "pytest", "ruff", "mypy", "mkdocs", "ray", "srun", "sbatch",
    "kubectl", "docker", "git", "cat", "cd", "curl", "export", "source", "ulimit", "umask", "uv",
)  # fmt: skip
_FIRST = re.compile(rf"(?:\$ )?(?:[A-Z_]+=\S* )*(?:[\w./]*/)?({'|'.join(PROGRAMS)})(?:\s(?!to=)|$)")
_WITHIN = re.compile(r"\bharness [a-z]+(?: [a-z_]+=| \w+ \|)")  # in a script, an entry point, …
_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*([\w-]*)\s*.*$")
_SPAN = re.compile(r"(?<!`)(`+)(?!`)((?:(?!\n\s*\n).)+?)(?<!`)\1(?!`)", re.DOTALL)
_COMMENT = re.compile(r"(?:^|\s)#(?:\s.*)?$")


@dataclass(frozen=True)
class Block:
    """Lines that stand apart: fenced, with a language, or indented."""

    page: str
    line: int
    language: str
    lines: tuple[str, ...]

    @property
    def shell(self) -> bool:
        """Whether it is commands: by its language or, where it names none, by its first words."""
        if self.language:
            return self.language in SHELLS
        return self.first.startswith("#!") or bool(_FIRST.match(self.first))

    @property
    def first(self) -> str:
        """The first line that is no comment of a shell."""
        said = [line.strip() for line in self.lines if line.strip()]
        told = (line for line in said if not line.startswith("# "))
        return next(told, said[0] if said else "")

    @property
    def python(self) -> bool:
        return self.language.startswith("py") or self.first.startswith(("import ", "from "))


@dataclass(frozen=True)
class Command:
    """One command as it is written, without prompt, comment and line ends."""

    page: str
    line: int
    text: str
    inline: bool = False

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.text}"

    @property
    def words(self) -> str:
        """The command of ours in it, however it is started; empty if there is none."""
        if self.text.startswith("harness "):
            return self.text
        found = _WITHIN.search(self.text)
        return self.text[found.start() :].partition(" | ")[0].rstrip(")") if found else ""


def pages(root: Path = ROOT) -> list[str]:
    """Return the documents, by their paths from the root."""
    found = {path.relative_to(root).as_posix() for place in PLACES for path in root.glob(place)}
    return sorted(found - set(HISTORY))


def blocks(page: str, text: str) -> list[Block]:
    """Return what stands apart in a page, in order."""
    return list(_split(page, text)[0])


def _split(page: str, text: str) -> tuple[list[Block], str]:
    """Return the blocks, and the page with nothing in their place."""
    lines, found, at = text.splitlines(), [], 0
    left = list(lines)
    while at < len(lines):
        fence = _FENCE.match(lines[at])
        if fence and "`" not in lines[at][fence.end(1) :]:
            end = _closed(lines, at, fence[1])
            found.append(Block(page, at + 2, fence[2].lower(), tuple(lines[at + 1 : end])))
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1].strip()):
            end = _dedented(lines, at) - 1
            found.append(Block(page, at + 1, "", tuple(lines[at : end + 1])))
        else:
            at += 1
            continue
        left[at : end + 1] = [""] * (min(end + 1, len(lines)) - at)
        at = end + 1
    return found, "\n".join(left)


def _closed(lines: list[str], at: int, mark: str) -> int:
    for end in range(at + 1, len(lines)):
        if re.fullmatch(rf"\s*{re.escape(mark[0])}{{{len(mark)},}}\s*", lines[end]):
            return end
    raise ValueError(f"line {at + 1}: a fence that is never closed")


def _dedented(lines: list[str], at: int) -> int:
    """Return where an indented block ends: behind its last line that is not empty."""
    end = at
    while end < len(lines) and (not lines[end].strip() or lines[end].startswith("    ")):
        end += 1
    while not lines[end - 1].strip():
        end -= 1
    return end


def commands(page: str, text: str) -> list[Command]:
    """Return every command of a page, in order: of its blocks, and of its running text."""
    apart, prose = _split(page, text)
    found = [command for block in apart for part in _parts(block) for command in _of_block(part)]
    return sorted([*found, *_of_prose(page, prose)], key=lambda one: one.line)


def _parts(block: Block) -> Iterator[Block]:
    """Yield the paragraphs of a block that names no language: a figure may be one block with what printed it."""
    if block.language or block.shell:
        yield block
        return
    begun = 0
    for at, line in enumerate([*block.lines, ""]):
        if not line.strip():
            if at > begun:
                yield Block(block.page, block.line + begun, "", block.lines[begun:at])
            begun = at + 1


def _of_block(block: Block) -> Iterator[Command]:
    if block.python:
        return
    prompts = any(line.strip().startswith("$ ") for line in block.lines)
    for line, text in _joined(block):
        if block.shell:
            if prompts and not text.startswith("$ "):  # what the command prints
                continue
            for part in text.removeprefix("$ ").split(" && "):
                part = _COMMENT.sub("", part).strip()
                if part and not part.startswith("#"):  # as `#SBATCH`
                    yield Command(block.page, line, part)
        elif found := _WITHIN.search(text):
            yield Command(block.page, line, text[found.start() :])


def _joined(block: Block) -> Iterator[tuple[int, str]]:
    """Yield each line with its number; one that ends in a backslash goes on in the next."""
    begun, text = 0, ""
    for number, line in enumerate(block.lines, block.line):
        begun = begun if text else number
        text = f"{text} {line.strip()}".strip()
        if text.endswith("\\"):
            text = text[:-1].rstrip()
            continue
        if text:
            yield begun, text
        text = ""
    if text:
        yield begun, text


def _of_prose(page: str, prose: str) -> Iterator[Command]:
    for span in _SPAN.finditer(prose):
        text = " ".join(span[2].split())
        line = prose.count("\n", 0, span.start()) + 1
        for part in text.split(" && "):
            if (_FIRST.match(part) and " " in part) or _WITHIN.search(part):
                yield Command(page, line, part, inline=True)


def settings(text: str) -> Iterator[tuple[int, str]]:
    """Yield each `key=value` of a page's running text, with its line; nothing is said of one with a placeholder."""
    prose = _split("", text)[1]
    for span in _SPAN.finditer(prose):
        words = " ".join(span[2].split())
        if re.fullmatch(r"[a-z_]+=[^\s…|]+(?: [a-z_]+=[^\s…|]+)*", words):
            yield prose.count("\n", 0, span.start()) + 1, words
