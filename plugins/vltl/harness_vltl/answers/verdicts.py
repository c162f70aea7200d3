"""Read whether a reply says that a trace satisfies its formula (`harness_vltl.answers.extraction`)."""

from __future__ import annotations

import re
from itertools import pairwise

from harness_answers.claims import DOUBTED, MAX_CONTENT, Answer, agreed, cut, entry, marked_in
from harness_answers.json_reader import loads
from harness_answers.languages import ANSWER, SATISFACTION, meaning
from harness_answers.object_answers import plain_key
from harness_answers.revocation import RECONSIDERED, is_revoked
from harness_answers.suppositions import without_counterfactuals
from harness_answers.text import plain

from harness_vltl.answers.conclusions import OPEN, PARTED, TURN, stands, stated, ticked, with_lines
from harness_vltl.answers.foreign import foreign_verdict

__all__ = ["truth"]

_VERDICTS = {"satisfied": True, "satisfies": True, "satisfy": True, "satisfying": True}
_VERDICTS |= dict.fromkeys(("true", "yes", "holds", "hold", "sat", "accepted", "fulfilled"), True)
_VERDICTS |= dict.fromkeys(("meets", "meet", "obeys", "obey", "respects", "respect"), True)
_VERDICTS |= dict.fromkeys(("violated", "violates", "violate", "violating", "violation"), False)
_VERDICTS |= dict.fromkeys(("falsified", "falsifies", "falsify", "falsifying"), False)
_VERDICTS |= dict.fromkeys(("false", "no", "fails", "unsatisfied", "unsat", "rejected"), False)
_VERDICTS |= meaning(SATISFACTION)
_NOT = {"not", "never", "cannot"}
_KEYS = ("verdict", "result", "conclusion")
_RECONSIDERED = re.compile(rf"\b{RECONSIDERED}\b")  # "hold on" says nothing of what holds
_CUT_OFF = {"sat", "satisfy", "violate", "falsify", "viola"}  # alone, they are no verdict yet
_FILLER = re.compile(
    r"the|th[ia]s|that|an?|it|given|formula|ltl|trace|property|specification|requirement|word|path"
    r"|is|are|was|does|do|did|be|has|been|by|on|of|in|for|over|along|so|thus|therefore|hence|final"
    r"|answer|verdict|result|conclusion|i|think|believe|probably|likely|clearly|indeed|also|s|whole|entire|vacuously|trivially|shows?|means?"
)
_EMPTY = re.compile(rf"(?=((?:\W|\b(?:{_FILLER.pattern})\b)*))\1")  # taken for good
_CLAUSE = re.compile(
    r"[.;:,()!\n—–]|[ \t]-[ \t]|\b(?:because|since|as|due to|given that|with|where|when)\b"
)
_SHOULD = re.compile(r"\bshould (?:have been|be)\b")  # says behind a verdict what it is
_NOT_THE_CASE = re.compile(
    r"\bit (?:is not|isn't|is never|can ?not be|can't be) (?:said|the case|true|correct|right) that\b"
)
_ASSERTED = re.compile(
    r"\A\W*(?:(?:(?:there (?:is|can be)|i have) no doubt|it (?:turns out|is (?:clear|evident|easy to (?:see|check)))"
    r"|(?:i|we) (?:can )?(?:find|claim|say|see|know)|one can (?:see|check|verify)) that|without (?:a |any )?doubt)\b"
)
_COUNTER = re.compile(r"\bcounter-?example(?: (?:to|of|for|against))?\b")
_PLACE_IN = re.compile(
    r"\b(?:at|from|after)\b(?!.*\b(?:but|while|whereas|and|or|not)\b).*", re.DOTALL
)
_VERDICT_WORD = re.compile(
    r"\b(?:(?:un|dis)?satisf\w*|violat\w*|true|false|fails?|holds?|meets?|obeys?|respects?|counter-?example)\b"
    rf"|{'|'.join(word for words in SATISFACTION.values() for side in words for word in side)}",
    re.IGNORECASE,
)


def truth(completion: str, prompt: str) -> Answer[bool] | None:
    """Return whether a completion says that the trace satisfies the formula, or None.

    The first clause of the answer has to be a verdict and nothing else, no later one may be the opposite
    verdict. If that is not so, the ticked one of two boxes counts, or the last verdict on the whole.
    """
    text = with_lines(without_counterfactuals(plain(completion, prompt)))
    text = _chosen(_MODELS.sub(lambda w: f"the trace {_SAID[not w['not']]} the formula", text))
    marked = marked_in(text)
    answer = agreed(marked, _truth) if marked else None
    behind = _of_the_whole(_SHOULD.sub("is", marked.rest)) if answer and marked else None
    if answer and behind and behind.value is not answer.value and not _PART.search(behind.quote):
        return None
    if answer is None and not (marked and marked.above):
        said = marked.content if marked and marked.start >= 0 else text
        answer = _truth(_last_object(said) or ticked(said)) or _of_the_whole(said)
    return answer


_OBJECT = re.compile(r"\{(?![^{}]*\"(?:step|time|index|position)\")[^{}]*\}")  # not of one step
_PART = re.compile(r"\b[GFXURWM]\b")  # of the formula: "the trace violates G p"
# "w, 1 ⊨ φ", of the first step and the whole formula.
_MODELS = re.compile(
    r"(?<![\w\\^])\$?\(?(?:[wtπσρτ]|\\(?:pi|sigma|rho|tau))(?:,[ ]?[01])?\)?[ \t]?\$?"
    r"(?:(?P<not>\\not ?\\models|\\n(?:vDash|models)|⊭)|\\models|\\vDash|⊨|\|=)"
    r"[ \t]?\$?(?:\\(?:var)?phi|φ|ϕ)(?![\w^']|[ \t]*(?:[&|∧∨→]|\\\w|[URWM]\b))\$?"
)
_SAID = ("violates", "satisfies")
_OPTION = re.compile(r"^\W{0,9}([ab12])[.):]\W{0,3}(satisfied|violated)\W*$", re.I | re.M)
_CHOICE = re.compile(
    rf"\b(?:answer|{ANSWER})\b\W{{0,3}}(?:\b(?:is|ist|est|es|è|é)\b|:)"
    rf"(?:\W|\b(?:donc|also|thus|the|la|die|option|answer|{ANSWER})\b){{0,9}}(?<!\w)([ab12])\W*\Z",
    re.IGNORECASE,
)


def _last_object(text: str) -> str:
    """Return the object that ends a reply; "" if there is none, or the line above leaves it open."""
    text = text.rstrip()
    start = text.rfind("\n{") + 1
    lead = text[:start].rstrip().rpartition("\n")[2]
    return text[start:] if _OBJECT.fullmatch(text, start) and not OPEN.search(lead) else ""


def _chosen(text: str) -> str:
    """Return a text that lists the verdicts as a) and b), and ends with one of the letters, with that verdict."""
    options = {key.lower(): said for key, said in _OPTION.findall(text)}
    last = PARTED.split(text.rstrip())[-1]
    chosen = _CHOICE.search(last)
    if len(set(options.values())) < 2 or not chosen or OPEN.search(last) or " not " in last:
        return text
    return f"{text.rstrip()[: -len(last)]}Answer: {options.get(chosen[1].lower(), '')}"


_END = 2_000  # characters of a reply that are looked at
_SPLIT = re.compile(
    r"(?P<so>\b(?:so|hence|thus|therefore|overall|consequently|in (?:conclusion|summary)|means|follows|conclude"
    r"|correct myself)\b(?: that\b)?|(?:->|[→⇒])(?=\W*(?:satisfied|violated)\W*\Z))"
    r"|[,;()—–]|(?P<is>[:=]|->|[→⇒])|(?-i:\b[GFXURWM]\b)"
    r"|\A\W*(?:with|given|because of|due to)\b(?!.*\b(?:only|any|other|removed|changed|instead)\b)"
    r"[^\d\n,;]{1,80}?(?=\b(?:the|this) (?:formula|trace|property)\b)"
    r"|\b(?:and|but|because|since|as|while|whereas)\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\W*(?:(?:wenn|falls|sofern|si|se(?! (?:cumple|satisface|viola|incumple))|als|jeśli|если|eğer)\b|如果|若|もし)",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:trace|formula|property|specification|requirement|path|run|whole|total|root|phi|value"
    r"|disjunction|conjunction|implication|equivalence|formel|f[oó]rmula|formule|formuła|traza)\b|φ|公式|性质|轨迹|式は|공식",
    re.IGNORECASE,
)


def _of_the_whole(text: str) -> Answer[bool] | None:
    """Return the verdict on the trace or the formula that an unmarked text states last, in a clause of its own."""
    text = text.rstrip()[-_END:]
    ends = [*(found.end() for found in PARTED.finditer(text)), len(text)]
    answer, last = None, ""
    for begin, end in reversed(list(pairwise([0, *ends]))):
        sentence = text[begin:end]
        if not _VERDICT_WORD.search(sentence):
            continue
        if answer is None and (OPEN.search(sentence) or _SUPPOSED.match(sentence)):
            return None
        verdict = _last_clause(sentence)
        if answer is None and verdict is not None:
            if not stands(text[end:]):
                return None
            answer, last = Answer(verdict, cut(sentence)), sentence
        elif answer and verdict is (not answer.value) and not TURN.search(last):
            return None
    return answer


def _last_clause(sentence: str) -> bool | None:
    """Return the verdict of the last clause that speaks of the whole, draws a conclusion or is all of a sentence."""
    position, concludes, verdict = 0, False, None
    first = _verdict(_SPLIT.split(sentence, maxsplit=1)[0].lower())
    for mark in [*_SPLIT.finditer(sentence), None]:
        clause = sentence[position : mark.start() if mark else len(sentence)]
        alone = not re.search(r"\w", sentence.replace(clause, "", 1))
        if alone or concludes or _WHOLE.search(clause):
            found = _verdict(clause.lower()) if re.search(r"\w", clause) else None
            verdict = verdict if found is None else found
        if mark:
            position = mark.end()
            concludes = bool(mark["so"] or (mark["is"] and (concludes or _WHOLE.search(clause))))
    return None if first is (not verdict) else verdict


def _truth(content: str) -> Answer[bool] | None:
    content = content[:MAX_CONTENT].strip()
    parsed = loads(content) if content[:1] == "{" else None
    if parsed and isinstance(parsed[0], dict):
        entries = [
            (_verdict(plain_key(key).replace("_", " ")), value) for key, value in parsed[0].items()
        ]
        values = {verdict == value for verdict, value in entries
                if verdict is not None and isinstance(value, bool)}  # fmt: skip
        values |= {
            said
            for key, value in parsed[0].items()
            if plain_key(key) in _KEYS
            if (said := _verdict(str(value).lower())) is not None
        }
        if values:
            return Answer(values.pop(), cut(content)) if len(values) == 1 else None
    words = entry(content, _KEYS)
    words = stated(words)
    if DOUBTED.search(words) or is_revoked(words):
        return None
    words = re.sub(r"\\text\w{0,6}|[{}$\"'\[\]\\]", lambda m: "'" if m[0] == "'" else " ", words)
    words = re.sub(r"\bSAT\b", "satisfied", words)  # small, it may be a word cut off
    clauses = [part for part in _CLAUSE.split(words.lower()) if not _EMPTY.fullmatch(part)]
    verdicts = [_verdict(clause) for clause in clauses[:1]]
    verdicts += [_verdict(_SHOULD.sub("is", clause)) for clause in clauses[1:50]]
    if not verdicts or verdicts[0] is None or (not verdicts[0]) in verdicts:
        return None
    return Answer(verdicts[0], cut(words))


def _verdict(clause: str) -> bool | None:
    """Return the verdict that a clause is, or None if it is anything else."""
    if clause.strip(" .!") in _CUT_OFF or _RECONSIDERED.search(clause):
        return None
    told = foreign_verdict(clause)
    if told is not None:
        return told
    clause = _ASSERTED.sub(" ", clause)
    clause = re.sub(r"n't\b", " not", _PLACE_IN.sub("", clause.replace("fails to", "not")))
    clause = _COUNTER.sub("violation", _NOT_THE_CASE.sub("not ", clause))
    clause = re.sub(r"\bno (?=violat)|\bdissatisf|\bnot in (?=violation)", "not ", clause)
    words = re.findall(r"\w+|[/|&=<>+%]", clause)
    negated = False
    verdicts: set[bool] = set()
    for word in words:
        if word in _NOT:
            negated = not negated
        elif word in _VERDICTS:
            verdicts.add(_VERDICTS[word] != negated)
            negated = False
        elif not _FILLER.fullmatch(word):
            return None
    return verdicts.pop() if len(verdicts) == 1 and not negated else None
