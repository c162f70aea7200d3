"""What the answer reader looks for in a quicker way is what its patterns find by themselves."""

import re

from cases import some
from harness_answers.cleaning import plain_lines
from harness_ltlbench.answers import cleaning, verdicts
from hypothesis import given, settings
from hypothesis import strategies as st

# The plain patterns, of which some stand in the code no more.
_NEWLINE = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_PIECES = (
    *verdicts._MARKS, *verdicts.MEANING, "final_", "_", "__", "*", "`", " ", "\n", ":", "x", "a", "1", "é",
    "\r", "\r\n", "\x85", "/", ",", "Falſch", "Vraİ", "TRUE", "(x)", "[ ]", "[x] true", "false", "( ) False",
    "☑ true", "☐ false", "🗹 FALSE",
)  # fmt: skip


@given(st.lists(st.sampled_from(_PIECES), max_size=14).map("".join))
@settings(max_examples=some(1500))
def test_shortcuts_find_what_the_plain_patterns_find(text):
    low = text.lower()
    marks = [m.span() for m in verdicts.marks_of(low)]
    assert marks[::-1] == [m.span() for m in verdicts.MARK.finditer(low)]
    assert plain_lines(text) == _NEWLINE.sub("\n", text)
    ticked = cleaning._TICKED.search(text)
    assert not ticked or cleaning._TICK.search(text) or set(text) & set("☑☒🗹")
    said = verdicts._TRANSLATED.sub(_english, text)
    assert verdicts.translated(text) == said


def _english(found):
    """Return a claim in English, but none that is unsettled behind, or has words behind it and no mark before."""
    meaning, rest = verdicts.MEANING.get(found[2].lower()), (found["rest"] or "").lower()
    unmarked = found["rest"] is not None and not re.search(r"\w", found[1])
    if meaning is None or unmarked or verdicts._UNSETTLED.match(rest):
        return found[0]
    return found[0] if verdicts._gainsaid(rest, meaning) else found[1] + str(meaning)
