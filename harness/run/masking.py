"""Keys and passwords are kept out of logs: providers, proxies and client libraries quote them in what fails.

Inspect writes errors, the raw answers they came with, and its trace of HTTP requests to disk as they are. What a
model answered is never touched: it is what is judged.
"""

from __future__ import annotations

import logging
import os
import re
import traceback
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote, urlsplit

from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
from inspect_ai.model import Model, ModelAPI, ModelCall, ModelOutput

from harness.run import faults
from harness.run.compat import HOOKS_OF_PROVIDERS

MASK = "[secret]"
SHORTEST = (
    8  # characters of what is masked: a shorter word would spoil messages and protect nothing
)
# Loggers whose lines name addresses; the first is Inspect's own, and goes to its trace file.
LOGGERS = (HOOKS_OF_PROVIDERS, "httpx", "httpcore", "openai", "anthropic")
_NAMED = re.compile("KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_MARK = "_harness_masked"


T = TypeVar("T")


def protect(model: Model) -> Model:
    """Return the model, whose failures and retries name no key from now on; twice is as good as once."""
    if not hasattr(model.api, _MARK):
        _wrap(model.api)
        _FILTER.hidden.update(secrets(model.api))
        for name in LOGGERS:
            logging.getLogger(name).addFilter(_FILTER)
    return model


def secrets(api: ModelAPI | None = None) -> tuple[str, ...]:
    """Return what must not be kept, the longest first: a model's key, and what the environment holds of the kind.

    Of an address (`…_BASE_URL`, `HTTPS_PROXY`) that are its user, password and the values of its query.
    """
    hidden = {value for name, value in os.environ.items() if _NAMED.search(name)}
    addresses = [value for value in os.environ.values() if "://" in value]
    if api is not None:
        hidden.add(api.api_key or "")
        addresses.append(api.base_url or "")
    for address in addresses:
        hidden.update(_parts(address))
    hidden |= {quote(value, safe="") for value in hidden}
    return tuple(
        sorted((secret for secret in hidden if len(secret) >= SHORTEST), key=lambda s: (-len(s), s))
    )


def _parts(address: str) -> Iterator[str]:
    try:
        split = urlsplit(address)
        yield from (split.username or "", split.password or "")
        yield from (value for _, value in parse_qsl(split.query))
    except ValueError:  # no address, whatever it looks like
        return


def masked(value: T, hidden: tuple[str, ...]) -> T:
    """Return a text, or a JSON value with all texts in it, with `MASK` in the place of every secret."""
    plain: Any = value
    if isinstance(value, str):
        for secret in hidden:
            plain = plain.replace(secret, MASK)
    elif isinstance(value, Mapping):
        plain = {masked(key, hidden): masked(part, hidden) for key, part in value.items()}
    elif isinstance(value, list | tuple):
        plain = type(value)(masked(part, hidden) for part in value)
    return plain  # type: ignore[no-any-return]


def without_secrets(api: ModelAPI, text: str) -> str:
    """Return a text about a request to a model without the model's key and the environment's."""
    return masked(text, secrets(api))


class _Filter(logging.Filter):
    """Masks the lines of a library's log before any handler sees them."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        line = record.getMessage()
        quoted = [secret for secret in self.hidden if secret in line]
        if quoted:
            record.msg, record.args = masked(line, tuple(sorted(quoted, key=len, reverse=True))), ()
        return True


_FILTER = _Filter()  # one for all models: a logger keeps it once


def _wrap(api: ModelAPI) -> None:
    generate = api.generate

    async def quiet(*args: Any, **options: Any) -> Any:
        # The secrets are looked for anew at each failure: a key may be renewed in mid-run.
        try:
            result = await generate(*args, **options)
        except Exception as error:
            hidden = secrets(api)
            _mask_event(hidden)
            plain = _masked_error(error, hidden)
            faults.failed(plain)
            if plain is error:
                raise
            raise plain from None
        faults.answered()
        return _masked_failure(result, secrets(api)) if _failed(result) else result

    setattr(api, "generate", quiet)  # noqa: B010 (mypy takes no assignment to a method)
    setattr(api, _MARK, True)


def _failed(result: Any) -> bool:
    output, call = result if isinstance(result, tuple) else (result, None)
    return isinstance(output, Exception) or bool(output.error or (call and call.error))


def _masked_failure(result: Any, hidden: tuple[str, ...]) -> Any:
    output, call = result if isinstance(result, tuple) else (result, None)
    if call is not None:
        _mask_call(call, hidden)
    if isinstance(output, Exception):
        output = _masked_error(output, hidden)
    else:
        output = ModelOutput.model_validate(masked(output.model_dump(), hidden))
    return (output, call) if isinstance(result, tuple) else output


def _mask_call(call: ModelCall, hidden: tuple[str, ...]) -> None:
    call.request, call.response = masked(call.request, hidden), masked(call.response, hidden)


def _mask_event(hidden: tuple[str, ...]) -> None:
    """Mask what the provider has noted of a failed call in the transcript already."""
    last = next(
        (event for event in reversed(transcript().events) if isinstance(event, ModelEvent)), None
    )
    if last is not None and last.pending and last.call is not None:
        _mask_call(last.call, hidden)


def _masked_error(error: Exception, hidden: tuple[str, ...]) -> Exception:
    """Return the error, masked in place with those behind it; one of our own where it cannot be changed.

    In place, for its class and status decide whether the request is tried again.
    """
    link: BaseException | None = error
    seen: set[int] = set()
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        link.args = masked(link.args, hidden)
        for name, value in list(vars(link).items()):
            if isinstance(value, str | dict | list):
                vars(link)[name] = masked(value, hidden)
        link = link.__cause__ or link.__context__
    trace = "".join(traceback.format_exception(error))
    if any(secret in trace for secret in hidden):
        kind = ValueError if isinstance(error, ValueError) else RuntimeError
        return kind(masked(f"{type(error).__name__}: {error}", hidden))
    return error
