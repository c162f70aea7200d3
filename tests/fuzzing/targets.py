"""All targets by name."""

from fuzzing import targets_core, targets_formats, targets_plugins

TARGETS = {
    target.name: target
    for module in (targets_core, targets_formats, targets_plugins)
    for target in module.TARGETS
}
