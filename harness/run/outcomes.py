"""What the manner in which a reply ended says of it: refused, cut off, failed, and how many tokens it took."""

from __future__ import annotations

from inspect_ai.event import ErrorEvent, ModelEvent
from inspect_ai.log import transcript
from inspect_ai.model import ContentText, ModelOutput
from inspect_ai.solver import TaskState

from harness.run.models import tokens

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
    events = [event for event in transcript().events if isinstance(event, ModelEvent)]
    counts = [tokens(event.output.usage.output_tokens) for event in events if event.output.usage]
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None
