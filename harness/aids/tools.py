"""Tools for a model: web search and Python in a container, all of it Inspect's own.

`check_settings` and `check_model` refuse before a run starts what could only fail, or would run
the model's code unconfined.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from harness_errors import SpecError
from inspect_ai.solver import Generate, TaskState, use_tools
from inspect_ai.tool import Tool, ToolFunction, python, web_search
from inspect_ai.util import ComposeConfig, ComposeService, SandboxEnvironmentSpec

from harness.core.spec import Spec
from harness.run.draft import Aid, Draft

# Providers whose own search Inspect's tool uses, by the name that a model's name begins with.
BUILT_IN = {
    "openai": "openai", "anthropic": "anthropic", "google": "gemini", "grok": "grok",
    "mistral": "mistral", "perplexity": "perplexity",
}  # fmt: skip
# Search services for all other models and the variables they need, in the order Inspect prefers.
EXTERNAL = {
    "tavily": ("TAVILY_API_KEY",),
    "exa": ("EXA_API_KEY",),
    "google": ("GOOGLE_CSE_API_KEY", "GOOGLE_CSE_ID"),
}
MESSAGES = 60  # in a sample: some 29 rounds of calls, then what was said so far is judged
CODE_SECONDS = 30
DOCKER_SECONDS = 10
# What Inspect uses where no file says otherwise. Spelled out, because with none Inspect would take
# any compose.yaml that happens to lie in the working directory.
_CONTAINER = ComposeService(
    image="aisiuk/inspect-tool-support", command="tail -f /dev/null", init=True,
    network_mode="none", stop_grace_period="1s", mem_limit="1g", pids_limit=256,
)  # fmt: skip


def check_settings(spec: Spec) -> None:
    """Refuse what is wrong whichever model is asked: a search that is required of no tool, and the sandbox."""
    if spec.tool_choice == "required" and spec.tools not in ("web_search", "both"):
        raise SpecError(
            f"tool_choice=required needs tools=web_search or both, not tools={spec.tools}: it requires a web search"
        )
    if spec.sandbox is not None:
        _check_sandbox(spec.sandbox, spec.tools)
    elif spec.tools in ("code", "both"):
        raise SpecError(
            f"tools={spec.tools} needs sandbox=docker: the model's code runs in a container, never as you"
        )


def check_model(tools: str, model: str) -> None:
    """Refuse tools that this model cannot use."""
    if tools == "none":
        return
    provider = model.partition("/")[0]
    if provider == "harness":
        raise SpecError(f"tools={tools}: {model} uses no tools; choose tools=none or another model")
    if provider == "perplexity" and tools != "web_search":
        raise SpecError(f"tools={tools}: {provider}/… takes no tool but its own web_search")
    if tools != "code" and provider not in BUILT_IN and not _external():
        keys = ", ".join(" with ".join(names) for names in EXTERNAL.values())
        searching = ", ".join(f"{name}/…" for name in BUILT_IN)
        raise SpecError(
            f"tools={tools}: {provider}/… has no search of its own; set one of {keys}, or use {searching}"
        )


class Tools(Aid):
    """The tools of a name, for each sample."""

    def __init__(self, name: str) -> None:
        self._name, self._tools = name, equip(name)

    async def equip(self, state: TaskState, generate: Generate) -> TaskState:
        """Return the state with the tools, which the model has to be able to use."""
        check_model(self._name, str(state.model))
        return await use_tools(*self._tools)(state, generate)


class Required(Aid):
    """A web search with which the model has to begin each turn."""

    async def equip(self, state: TaskState, generate: Generate) -> TaskState:
        """Return the state with a search required: of a tool by name, Inspect requires the first call alone."""
        state.tool_choice = ToolFunction("web_search")
        return state


def prepare(draft: Draft) -> None:
    """Put tools, sandbox and the limit of messages into a run, and what the log says of them."""
    spec = draft.spec
    if spec.sandbox:
        draft.facts["sandbox"] = spec.sandbox
        file = spec.sandbox.partition(":")[2]
        config = file or ComposeConfig(services={"default": _CONTAINER})
        draft.sandbox = SandboxEnvironmentSpec("docker", config)
    draft.aids["tools"] = spec.tools
    if spec.tool_choice == "required":
        draft.aids["tool_choice"] = draft.facts["tool_choice"] = spec.tool_choice
    # Every stage may call tools as often as a whole sample of another strategy.
    draft.messages = MESSAGES * max(1, len(draft.strategy.stages)) + 2 * draft.shots


def equip(tools: str) -> list[Tool]:
    """Return Inspect's tools of a name; search is the model's own where its provider has one."""
    kit = []
    if tools in ("web_search", "both"):
        kit.append(web_search([*BUILT_IN.values(), *_external()[:1]]))  # type: ignore[list-item]
    if tools in ("code", "both"):
        kit.append(python(timeout=CODE_SECONDS))
    return kit


def _external() -> list[str]:
    """Return the search services whose variables are all set."""
    return [name for name, keys in EXTERNAL.items() if all(os.environ.get(key) for key in keys)]


def _check_sandbox(name: str, tools: str) -> None:
    kind, colon, file = name.partition(":")
    if kind == "local":
        raise SpecError(
            f"sandbox={name} would run the model's code as you, with your files and keys; use sandbox=docker"
        )
    if kind != "docker" or (colon and not file):
        raise SpecError(f"sandbox={name[:80]}: expected docker or docker:FILE, a compose file")
    if tools not in ("code", "both"):
        raise SpecError(f"'sandbox' has no effect with tools={tools}: only code runs in one")
    if file and not Path(file).is_file():
        raise SpecError(f"sandbox={name}: no compose file {file}")
    why = _docker_fault()
    if why:
        raise SpecError(f"sandbox={name}: no Docker engine answers: {why}")


def _docker_fault() -> str:
    """Return why Docker cannot be used, in one line; empty if its engine answers."""
    program = shutil.which("docker")
    if program is None:
        return "the command `docker` is not installed"
    try:
        done = subprocess.run(  # noqa: S603 (fixed words)
            [program, "info", "--format", "{{.ServerVersion}}"],
            capture_output=True, text=True, timeout=DOCKER_SECONDS, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"`docker info` took more than {DOCKER_SECONDS} s"
    except OSError as error:
        return f"{program}: {error.strerror}"
    if done.returncode == 0 and done.stdout.strip():
        return ""
    return " ".join(done.stderr.split())[:200] or "`docker info` names no server"
