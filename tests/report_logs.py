"""Real logs for the tests of reports: runs of the embedded models, and answers chosen freely."""

import json
from pathlib import Path

from inspect_ai.log import read_eval_log, write_eval_log

from harness.core.plugins import registry
from harness.core.spec import make
from harness.datasets import dataset
from harness.run import evaluation, samples

_made = {}


def run_log(folder, plugin, model="harness/random", **keys):
    """Run a plugin's items (``n=5`` unless told otherwise) past a model; return the log's path."""
    words = {"n": 5, **keys, "model": model, "log_dir": str(folder)}
    log = evaluation.run(make(registry().get(plugin), words))
    return Path(log.location)


def items_of(plugin, **keys):
    """Return the items that a run with these keys asks about, as (sample id, item); made once for all who ask."""
    name = repr((plugin, sorted(keys.items())))
    if name not in _made or "dataset" in keys:  # whose file may be another by now
        items = dataset.load(owner := registry().get(plugin), make(owner, {"n": 5, **keys}))
        assert owner.benchmark.name == plugin
        pairs = zip(samples.samples(items), items, strict=True)
        _made[name] = [(one.id, item) for one, item in pairs]
    return list(_made[name])


def scripted_log(folder, plugin, completions, model="acme/wise-1", **keys):
    """Score completions as a run's answers: ``completions[i]`` is that to item ``i``; None leaves it out.

    Lists of completions are several samples of an item, or with ``epochs`` its repeats. ``completions`` may also be a
    function from an item to its completion. Everything is real but that nobody was asked; ``model`` is any name that
    the log shall have (``recorded/…`` is the honest one).
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if callable(completions):
        said = [(own, completions(item)) for own, item in items_of(plugin, **keys)]
    else:
        found = items_of(plugin, **{"n": len(completions), **keys})
        said = [(own, text) for (own, _), text in zip(found, completions, strict=True)]
        keys = {"n": len(completions), **keys}
    answers = folder / f"answers-{len(list(folder.iterdir()))}.jsonl"
    told = [
        {"id": own, "response": text}
        for own, found in said
        for text in (found if isinstance(found, list) else [found])
        if text is not None
    ]
    most = max(len(one) if isinstance(one, list) else 1 for _, one in said)
    keys = {"samples": most, **keys} if most > 1 and "epochs" not in keys else keys
    answers.write_text("".join(json.dumps(one) + "\n" for one in told))
    path = run_log(folder, plugin, "recorded/x", responses=str(answers), **keys)
    answers.unlink()
    return edited(path, lambda log: setattr(log.eval, "model", model))


def edited(path, change):
    """Change a whole log as Inspect reads it, and write it back."""
    log = read_eval_log(str(path))
    change(log)
    write_eval_log(log, str(path))
    return path
