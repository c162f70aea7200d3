"""A reply of a model: asked for again where its client trips over it; how it ended, and how long it is."""

from __future__ import annotations

import warnings

import anyio
from harness_errors import EngineError
from inspect_ai.event import ErrorEvent, ModelEvent, ToolEvent
from inspect_ai.log import transcript
from inspect_ai.model import ContentText, GenerateConfigArgs, ModelOutput
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
    configured = active_generate_config().max_retries
    retries = models.RETRIES if configured is None else configured
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


def _calls() -> list[ModelEvent]:
    return [event for event in transcript().events if isinstance(event, ModelEvent)]


def _last_call() -> ModelEvent | None:
    return next(reversed(_calls()), None)


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
        output = state.output
        state.output = ModelOutput.from_content(
            output.model, "", output.stop_reason, output.completion, output.choices[0].stop_details
        )
    return state


# ------------------------------------------------------------------------------- how a reply ended

# Why an answer is unparsed: Inspect's names, and one of ours.
REFUSED, EMPTY, UNREADABLE, CUT_OFF = (
    *("refusal", "no_response", "invalid_response_format"),
    "cut_off",
)
_LENGTH = ("max_tokens", "model_length")

# What the explanation of such an answer says besides; the plugin that wrote it saw the text alone.
NOTES = {
    REFUSED: "\n\nThe model or its provider refused to answer.",
    CUT_OFF: "\n\nThe reply was cut off: it reached the limit of tokens (`max_tokens`, or the model's own).",
}


def reason(output: ModelOutput) -> str:
    """Return why an answer that nobody can read is none; a refusal counts as one before all else."""
    if not output.choices:  # a limit ended the sample before there was anything to judge
        return EMPTY
    if refused(output):
        return REFUSED
    if output.stop_reason in _LENGTH:
        return CUT_OFF
    return UNREADABLE if output.completion.strip() else EMPTY


def refused(output: ModelOutput) -> bool:
    """Return whether the provider says that this is a refusal, or that its filter took the answer."""
    content = output.message.content
    parts = [] if isinstance(content, str) else content
    marked = any(isinstance(part, ContentText) and part.refusal for part in parts)
    return marked or output.stop_reason == "content_filter"


def complete_lines(output: ModelOutput) -> str | None:
    """Return a reply without the line in which it was cut off; None of one that was not."""
    if output.choices and output.stop_reason in (*_LENGTH, "content_filter"):
        return output.completion.rpartition("\n")[0]
    return None


def failed(state: TaskState) -> bool:
    """Return whether a log that is scored anew says that every try at the sample failed.

    In a run such a sample is never judged; Inspect scores all samples of a log.
    """
    return not state.output.choices and any(
        isinstance(event, ErrorEvent) for event in transcript().events
    )


def written(state: TaskState) -> int | None:
    """Return the output tokens of all turns of a sample, from the events that its log holds too.

    None where nothing or nonsense is known of them; the embedded models make their usage up.
    """
    if state.model.api == "harness":
        return None
    counts = [
        models.tokens(call.output.usage.output_tokens) for call in _calls() if call.output.usage
    ]
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None


def searches() -> int | None:
    """Return how many web searches a sample made without an error, from its events; None where it had no search."""
    asked = _calls()
    if not any(tool.name == SEARCH for event in asked for tool in event.tools):
        return None
    called = [event for event in transcript().events if isinstance(event, ToolEvent)]
    made = sum(event.function == SEARCH and not event.error for event in called)
    return made + sum(_searches_inside(event.output) for event in asked)


SEARCH = "web_search"


def _searches_inside(output: ModelOutput) -> int:
    """Return how many searches of the provider's own a reply tells of; one where it only cites what was found."""
    content = output.choices[0].message.content if output.choices else ""
    parts = [] if isinstance(content, str) else content
    uses = [part for part in parts if part.type == "tool_use" and part.tool_type == SEARCH]
    cites = any(part.type == "text" and part.citations for part in parts)
    return sum(not use.error for use in uses) if uses else int(cites)
