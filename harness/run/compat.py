"""The private names of Inspect that we use, all of them: tests/run/test_compat.py says what each is for.

Inspect promises nothing of them, so its version is bounded in pyproject.toml, and nothing else imports one.
"""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import yaml
from inspect_ai._display.core.results import tasks_results as tasks_results
from inspect_ai._display.rich import display as rich_display
from inspect_ai._eval.task import PreviousTask as PreviousTask
from inspect_ai._eval.task.results import eval_results as eval_results
from inspect_ai._util.asyncfiles import AsyncFilesystem as AsyncFilesystem
from inspect_ai._util.error import PrerequisiteError as PrerequisiteError
from inspect_ai._util.package import get_installed_package_name as get_installed_package_name
from inspect_ai._util.registry import registry_find as registry_find
from inspect_ai._util.registry import registry_params as registry_params
from inspect_ai._util.registry import registry_unqualified_name as registry_unqualified_name
from inspect_ai.model._generate_config import active_generate_config as active_generate_config
from inspect_ai.model._model_data import model_data
from inspect_ai.util import display_type
from inspect_ai.util._display import init_display_type as init_display_type

# Names of loggers.
WRITER_OF_LOGS = "inspect_ai.log._recorders.file"
HOOKS_OF_PROVIDERS = "inspect_ai.model._providers.util.hooks"

# A module of a package that Inspect depends on, and imports for each run.
AGENT_PROTOCOL = "acp.schema"


def view(log_dir: str, host: str, port: int) -> None:
    """Serve Inspect's viewer until it is interrupted."""
    from inspect_ai._view.view import view as serve  # slow to import, and hardly ever of use

    serve(log_dir=log_dir, host=host, port=port)


def read_known_models_quickly() -> None:
    """Have Inspect read its list of known models with YAML's parser in C, seven times as fast as the other."""
    parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    vars(model_data)["yaml"] = SimpleNamespace(safe_load=partial(yaml.load, Loader=parser))


def lay_out_no_hidden_table() -> None:
    """Have Inspect lay out the table of a run's results only where it is displayed: it takes half of a short run."""
    vars(rich_display)["tasks_results"] = lambda tasks: (
        "" if display_type() == "none" else tasks_results(tasks)
    )
