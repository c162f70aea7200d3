"""A reply of a model: what its client trips over is asked for again, and a provider's error is no answer."""

from __future__ import annotations

import warnings

import anyio
from harness_errors import EngineError
from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
from inspect_ai.model import GenerateConfigArgs, ModelOutput
from inspect_ai.solver import Generate, TaskState

from harness.run import models
from harness.run.compat import active_generate_config

# What pydantic says of an answer in another form than the client expects would be lines on standard error.
warnings.filterwarnings("ignore", "Pydantic serializer warnings", UserWarning)

# Seconds before the second try, twice as many before each further one: as Inspect waits.
PAUSE = 3.0

# What clients raise on half an answer, on none at all, on bytes that are no JSON or no UTF-8, on
# JSON of another form. Inspect gives up at once on them.
_TRIPPED = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


async def reply(state: TaskState, generate: Generate, config: GenerateConfigArgs) -> TaskState:
    """Return the state with the model's reply to its messages; tries as often as ``max_retries`` says.

    Raises:
        EngineError: none of the answers could be read.
        Exception: whatever else Inspect and the provider's client raise in the end.
    """
    told = active_generate_config().max_retries
    retries = models.RETRIES if told is None else told
    tried = 0
    while True:
        try:
            return _own_words(await generate(state, **config))
        except _TRIPPED as error:
            if not _unreadable(_last_call()):
                raise
            if tried >= retries:
                raise EngineError(_why(error, state)) from error
        await anyio.sleep(PAUSE * 2**tried)
        tried += 1


def _last_call() -> ModelEvent | None:
    events = reversed(transcript().events)
    return next((event for event in events if isinstance(event, ModelEvent)), None)


def _unreadable(call: ModelEvent | None) -> bool:
    """Return whether the last call failed, and not a tool that the model called or a part of ours."""
    return call is not None and (call.error is not None or not call.output.choices)


def _why(error: Exception, state: TaskState) -> str:
    call = _last_call()
    if call is not None and call.error is None:
        return "the provider's answer holds no choice"
    return f"the provider's answer cannot be read: {type(error).__name__}: {models.plain(error)}"


def _own_words(state: TaskState) -> TaskState:
    """Take from the output what the provider said in the model's place, refusing the request.

    Inspect hands out the text of some errors (a content filter's, a context too long) as if it were a
    completion. It stays among the messages, and is the output's ``error``.
    """
    call = _last_call()
    if call is not None and call.call is not None and call.call.error:
        said = state.output
        state.output = ModelOutput.from_content(
            said.model, "", said.stop_reason, said.completion, said.choices[0].stop_details
        )
    return state
