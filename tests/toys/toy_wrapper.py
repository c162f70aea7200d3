"""A plugin that is no benchmark: counts the answers judged, and can rewrite every prompt."""

from dataclasses import replace

from harness import hookimpl

judged = []
prefix = ""


@hookimpl(wrapper=True)
def score(item, completion):
    judged.append(item.id)
    return (yield)


@hookimpl(wrapper=True)
def generate(config, index, rng, salt):
    item = yield
    return replace(item, prompt=prefix + item.prompt) if prefix else item
