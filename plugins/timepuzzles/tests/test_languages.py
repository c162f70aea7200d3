"""Prompts in other languages: the same puzzles, read back letter by letter, and answers in these languages."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cases import each, slow, some
from harness_timepuzzles import facts, wording
from harness_timepuzzles.answers.extraction import extract
from harness_timepuzzles.answers.statements import Answer
from harness_timepuzzles.clues import catalogue
from harness_timepuzzles.conversions import problem as conversion
from harness_timepuzzles.conversions.calendar_dates import BOUNDS, date_of
from harness_timepuzzles.languages.language import OTHERS, LanguageError, all_clues, of
from harness_timepuzzles.problem import Problem
from harness_timepuzzles.reading import read

from harness import HarnessError, Item
from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make

PLUGIN = registry().get("timepuzzles")
MODES = ("implicit", "spelled", "explicit")
FORMS = [(language, mode) for language in OTHERS for mode in MODES]


@cache
def generated(n: int, **config: Any) -> tuple[Item, ...]:
    return tuple(fresh.items(PLUGIN, make(PLUGIN, {"n": n, **config})))


@cache
def problems(mode: str) -> tuple[dict[str, Any], ...]:
    """Some dozen puzzles, or hundreds, in one of the three forms."""
    puzzles = [item.problem for item in generated(some(210), solutions="1-20", necessary="event")]
    return tuple(spelled(puzzle, mode) for puzzle in puzzles)


def spelled(problem: dict[str, Any], mode: str) -> dict[str, Any]:
    first, last = map(date.fromisoformat, problem["range"])
    clues = [
        clue.explicit(first, last)
        if mode == "explicit" or (mode == "spelled" and clue.historical)
        else clue
        for clue in catalogue.parse_all(problem)
    ]
    return {**problem, "clues": [clue.params() for clue in clues]}


def write(problem: dict[str, Any], language: str) -> str:
    return wording.write(Problem.parse(problem), language)


def sentences(language: str) -> dict[str, Any]:
    """Every sentence of a language but lists of years and periods, with its clue."""
    return {of(language).sentence(clue): clue for clue in all_clues()}


PROBLEM = {
    "range": ["1800-01-01", "2050-12-31"],
    "clues": [
        {"type": "event", "name": "the flight of Apollo 11 (from launch to splashdown, UTC)",
         "date": "1969-07-24", "edge": "end", "relation": "year"},
        {"type": "event", "name": "the coronation of Queen Elizabeth II",
         "date": "1953-06-02", "edge": "on", "relation": "day"},
        {"type": "office", "name": "John Paul II", "office": "Pope", "terms": [["1978-10-16", "2005-04-02"]]},
        {"type": "weekday_in_month", "weekday": 4, "nth": -2},
        {"type": "zodiac", "animal": "dragon"},
        {"type": "day_range", "side": "before", "day": 12},
        {"type": "weekdays", "weekdays": [0, 2, 4]},
    ],
}  # fmt: skip
PROMPTS = {
    "de": """\
Welche Kalendertage erfüllen alle folgenden Hinweise?

Hinweise:
1. Der gesuchte Tag liegt im selben Jahr wie der letzte Tag des Flugs von Apollo 11 (vom Start bis zur \
Wasserung, UTC).
2. Unabhängig von Monat und Jahr fällt der gesuchte Tag auf denselben Tag des Monats wie die Krönung von \
Königin Elisabeth II.
3. An diesem Tag hatte Johannes Paul II. das Amt des Papstes inne.
4. Es ist, vom Ende her gezählt, der 2. Freitag des Monats.
5. Nach dem chinesischen Tierkreis liegt der Tag in einem Jahr des Drachen.
6. Innerhalb seines Monats liegt der Tag vor dem 12.
7. Der Wochentag ist Montag, Mittwoch oder Freitag.

So sind die Hinweise zu verstehen:
- Es zählen nur Tage des gregorianischen Kalenders von 1800-01-01 bis 2050-12-31, beide Tage eingeschlossen.
- Das Datum eines historischen Ereignisses ist das gregorianische Datum an dem Ort, an dem es stattfand, sofern \
der Hinweis nichts anderes sagt.
- Ein Amt hat man vom ersten bis zum letzten Tag einer Amtszeit inne, beide Tage eingeschlossen; die Amtszeit \
eines Papstes beginnt mit seiner Wahl.
- Vom Ende her gezählt ist der letzte der 1.; der 2. ist der davor.
- Ein Jahr des chinesischen Tierkreises ist ein Jahr des offiziellen chinesischen Kalenders: Es beginnt mit dem \
chinesischen Neujahr, weder am 1. Januar noch am Frühlingsanfang.
- „Vor“ und „nach“ einem Tag des Monats schließen diesen Tag selbst aus.

Es kann einen solchen Tag geben, mehrere oder keinen. Finde alle. Beende deine Antwort mit einer einzigen \
Zeile, die ihre Daten in aufsteigender Reihenfolge nennt, in der Form
Antwort: YYYY-MM-DD, YYYY-MM-DD
oder, wenn kein Tag alle Hinweise erfüllt,
Antwort: keine""",
    "es": """\
¿Qué fechas cumplen todas las pistas siguientes?

Pistas:
1. La fecha cae en el mismo año que el último día del vuelo del Apolo 11 (desde el despegue hasta el amerizaje, \
UTC).
2. Sin importar el mes ni el año, la fecha cae en el mismo día del mes que la coronación de la reina Isabel II \
del Reino Unido.
3. Ese día, Juan Pablo II ocupaba el cargo de papa.
4. Contando desde el final, es el segundo viernes del mes.
5. El año del zodiaco chino es un año del Dragón.
6. El día del mes es anterior al 12.
7. Es lunes, miércoles o viernes.

Cómo deben entenderse las pistas:
- Solo cuentan las fechas del calendario gregoriano desde el 1800-01-01 hasta el 2050-12-31, ambas incluidas.
- La fecha de un acontecimiento histórico es la fecha gregoriana del lugar donde ocurrió, salvo que la pista \
diga otra cosa.
- Un cargo se ocupa desde el primer día hasta el último día de un mandato, ambos incluidos; el mandato de un \
papa comienza con su elección.
- Contando desde el final, el último es el primero; el segundo es el que va antes de ese.
- Un año del zodiaco chino es un año del calendario chino oficial: comienza con el Año Nuevo chino, no el 1 de \
enero ni al comienzo de la primavera.
- «Anterior» y «posterior» a un día del mes dejan fuera ese mismo día.

Puede haber una sola fecha que las cumpla, varias o ninguna. Encuéntralas todas. Termina tu respuesta con una \
sola línea que las enumere en orden ascendente, en la forma
Respuesta: YYYY-MM-DD, YYYY-MM-DD
o, si ninguna fecha cumple todas las pistas,
Respuesta: ninguna""",
    "zh": """\
哪些日期满足下列所有线索？

线索：
1. 该日期与以下事件在同一年：阿波罗11号的飞行（从发射到溅落，协调世界时）的最后一天。
2. 不论年份和月份，该日期的“日”（即几号）与以下事件的“日”相同：英国女王伊丽莎白二世加冕。
3. 在这一天，若望·保禄二世正担任教皇。
4. 该日期是当月的倒数第2个星期五。
5. 该日期所在的中国生肖年是龙年。
6. 该日期在当月12日之前。
7. 该日期是星期一、星期三或星期五。

如何理解这些线索：
- 只计公历（格里历）1800-01-01至2050-12-31之间的日期，首尾两日均包括在内。
- 历史事件的日期是事件发生地的公历日期，除非线索另有说明。
- 从任期的第一天到最后一天都算在任，首尾两日均包括在内；教皇的任期从当选之日开始。
- 从末尾数起，最后一个是倒数第1个，它前面的一个是倒数第2个。
- 中国生肖年是中国官方农历的年：从农历新年（春节）开始，既不从1月1日开始，也不从立春开始。
- 当月某日“之前”和“之后”都不包括这一日本身。

这样的日期可能有一个、多个，也可能没有。请全部找出。请在回答的最后单独用一行按从早到晚的顺序列出这些日期，格式为
答案：YYYY-MM-DD, YYYY-MM-DD
如果没有日期满足所有线索，则写
答案：无""",
}  # fmt: skip


@each("language", OTHERS)
def test_the_words_of_a_prompt(language: str) -> None:
    assert write(PROBLEM, language) == PROMPTS[language]
    assert read(PROMPTS[language]) == PROBLEM


# -------------------------------------------------------------------------- written and read back


@each(("language", "mode"), FORMS)
def test_every_prompt_is_read_back_to_its_problem(language: str, mode: str) -> None:
    prompts = [write(problem, language) for problem in problems(mode)]
    assert len(set(prompts)) >= some(200)
    assert [read(prompt) for prompt in prompts] == list(problems(mode))


@each(("language", "mode"), FORMS)
def test_an_item_is_the_same_puzzle_as_in_english(language: str, mode: str) -> None:
    for item, english in zip(
        generated(6, language=language, mode=mode), generated(6, mode=mode), strict=True
    ):
        assert (item.problem, item.target, item.certificate) == (
            english.problem,
            english.target,
            english.certificate,
        )
        assert item.family == english.family
        assert item.id != english.id
        assert item.prompt == write(item.problem, language) != english.prompt
        assert read(item.prompt) == read(english.prompt) == item.problem


@each("language", OTHERS)
def test_every_clue_has_a_sentence_of_its_own(language: str) -> None:
    clues = list(all_clues())
    assert len(sentences(language)) == len(clues) == len(set(clues)) > 3000
    assert {clue.type for clue in clues} == set(catalogue.TYPES)
    assert all(of(language).clue(said) == clue for said, clue in sentences(language).items())
    for known, there in zip(
        ("events", "recurring", "offices"),
        (
            [event.name for event in facts.builtin().events],
            [known.name for known in facts.builtin().recurring],
            [held.office for held in facts.builtin().offices],
        ),
        strict=True,
    ):
        assert set(of(language).words[known]) == set(there)


@each("language", OTHERS)
def test_every_convention_is_said(language: str) -> None:
    noted = [clue for clue in all_clues() if clue.note]
    notes = {(of(language).note(clue), clue.note) for clue in noted}
    assert len(notes) == len({theirs for theirs, _ in notes}) == len({ours for _, ours in notes})
    assert set(of(language).words["notes"]) == {clue.type for clue in noted} | {"periods"}
    assert not any(of(language).note(clue) for clue in all_clues() if not clue.note)


# ------------------------------------------------------------------------------ changed prompts


@each("language", OTHERS)
def test_a_changed_prompt_is_not_read_as_another_puzzle(language: str) -> None:
    """A word left out, a letter changed or a number raised: nothing is read, or exactly what is written."""
    rng, refused = Random(7), 0
    prompts = [write(problem, language) for mode in MODES for problem in problems(mode)[:25]]
    for prompt in prompts:
        for _ in range(some(8)):
            text = changed(prompt, rng)
            problem = read(text)
            assert problem is None or text.startswith(write(problem, language))
            assert problem is None or problem != read(prompt)
            refused += problem is None
    assert refused > some(300)


@each("language", OTHERS)
def test_the_last_puzzle_counts_in_whatever_language_it_is(language: str) -> None:
    one, two = problems("implicit")[:2]
    english, other = write(one, "en"), write(two, language)
    assert read(f"{english}\n\nAnswer: none\n\n{other}") == two
    assert read(f"{other}\n\nAnswer: none\n\n{english}") == one
    assert read(f"{english}\n\n{of(language)['opening']}") is None


def changed(text: str, rng: Random) -> str:
    """Change a word anywhere but in the first line's first and the last line's last: they border on other text."""
    at = rng.choice([found.span() for found in re.finditer(r"\w+", text)][1:-1])
    word = text[slice(*at)]
    others = [word[:-1], word + word, word.swapcase(), ""]
    if word.isdigit():
        others = [str(int(word) + rng.choice((1, 10, 100)))]
    return text[: at[0]] + rng.choice([new for new in others if new != word]) + text[at[1] :]


# --------------------------------------------------------------------------------------- words


@each("language", OTHERS)
def test_no_english_is_left(language: str) -> None:
    texts = [*sentences(language), *of(language).words["notes"].values()]
    texts += [of(language)[part].replace("YYYY-MM-DD", "") for part in wording.FRAME]
    if language == "zh":  # but for X rays, the weeks of ISO, and the library of a table
        letters = {word for text in texts for word in re.findall("[A-Za-z]+", text)}
        assert letters - {"first", "last"} == {"X", "ISO", "Python", "hijridate"}
        assert not any(" " in text.replace("ISO 8601", "") for text in texts if "答案" not in text)
        return
    english = r"\b(?:the|of|and|or|from|with|which|first|last|day|year|month|answer|none)\b"
    texts = [re.sub(r"\{\w+\}", "", text) for text in texts]
    assert [text for text in texts if re.search(english, text)] == []


@each("language", OTHERS)
def test_sentences_are_well_formed(language: str) -> None:
    end = "。" if language == "zh" else "."
    for text in (*sentences(language), *of(language).words["notes"].values()):
        assert text.endswith(end)
        assert not re.search(r"  |\.\.|。。| [.,]|[{}]|: \.", text)
        assert text.count("(") == text.count(")")
        assert text.count("（") == text.count("）")
        assert text.count("《") == text.count("》")


@each("language", OTHERS)
def test_a_phrase_fits_its_frame(language: str) -> None:
    """An event of one day is a subject, a longer one says whose first day it is."""
    words = of(language).words["events"]
    begins = {"de": ("der ", "des "), "es": ("de ", "del ")}.get(language, ("",))
    alone = {"de": ("der ", "die ", "das "), "es": ("el ", "la ", "los ")}.get(language, ("",))
    for event in facts.builtin().events:
        assert words[event.name].startswith(begins if event.end else alone), event.name
        assert not re.search(r"[12][0-9]{3}", words[event.name].replace("2000", "")), event.name


# --------------------------------------------------------------------------------- conversions

DATE = {"calendar": "hebrew", "year": 5784, "month": "Adar II", "day": 14}
CONVERSION = {"task": "convert", "date": DATE, "to": "chinese"}
CONVERSIONS = {
    "de": """\
Welches chinesische Datum bezeichnet denselben Tag wie das hebräische Datum „14. Adar II 5784“?

So werden die Daten geschrieben:
- Ein hebräisches Datum wird D. Monat YYYY geschrieben, wobei der Monat Tischri, Cheschwan, Kislew, Tewet, Schewat, \
Adar (in einem Schaltjahr Adar I oder Adar II), Nisan, Ijjar, Siwan, Tammus, Aw oder Elul ist; es steht für den Tag, \
auf den seine hellen Stunden fallen, nicht für den Abend davor.
- Ein chinesisches Datum ist eines des offiziellen Mondkalenders von China und wird YYYY-MM-DD geschrieben, wobei \
das Jahr das gregorianische Jahr ist, in dem das chinesische Jahr beginnt; ein Schaltmonat hat die Nummer des \
Monats, den er wiederholt, und dahinter ein L.

Beende deine Antwort mit einer einzigen Zeile, die das chinesische Datum nennt, in der Form
Antwort: YYYY-MM-DD (in einem Schaltmonat YYYY-MML-DD)""",
    "es": """\
¿Qué fecha china corresponde al mismo día que la fecha hebrea «14 de adar II de 5784»?

Cómo se escriben las fechas:
- Una fecha hebrea se escribe D de mes de YYYY, donde el mes es tishrei, jeshván, kislev, tevet, shevat, adar (en un \
año de trece meses, adar I o adar II), nisán, iyar, siván, tamuz, av o elul; corresponde al día en que caen sus \
horas de luz, no a la noche anterior.
- Una fecha china es del calendario lunar oficial de China y se escribe YYYY-MM-DD, donde el año es el año \
gregoriano en que comienza el año chino; un mes intercalar lleva el número del mes que repite, seguido de una L.

Termina tu respuesta con una sola línea que indique la fecha china, en la forma
Respuesta: YYYY-MM-DD (en un mes intercalar, YYYY-MML-DD)""",
    "zh": """\
哪个农历日期与希伯来历日期“5784年亚达二月14日”是同一天？

日期的写法：
- 希伯来历日期写作YYYY年月名D日，其中月名是提斯利月、玛西班月、基斯流月、提别月、细罢特月、\
亚达月（闰年为亚达一月或亚达二月）、尼散月、以珥月、西弯月、搭模斯月、埃波月或以禄月；它指的是其白昼所在的那一天，而不是前一天的晚上。
- 农历日期采用中国的官方农历，写作YYYY-MM-DD，其中年份是该农历年开始时的公历年份；\
闰月使用它所重复的那个月的数字，并在后面加上L。

请在回答的最后单独用一行给出农历日期，格式为
答案：YYYY-MM-DD（闰月为YYYY-MML-DD）""",
}  # fmt: skip


@cache
def conversions() -> tuple[dict[str, Any], ...]:
    """Thousands of dates, of every ordered pair of calendars the same number."""
    rng, found = Random(3), []
    for source, target in permutations(conversion.CALENDARS, 2):
        first, last = (day.toordinal() for day in BOUNDS[source])
        for _ in range(some(120)):
            given = date_of(date.fromordinal(rng.randint(first, last)), source)
            found.append({"task": "convert", "date": given, "to": target})
    return tuple(found)


@each("language", OTHERS)
def test_the_words_of_a_conversion(language: str) -> None:
    assert conversion.write(CONVERSION, language) == CONVERSIONS[language]
    assert PLUGIN.call("read", prompt=CONVERSIONS[language]) == CONVERSION


@each("language", ("en", *OTHERS))
def test_every_conversion_is_read_back(language: str) -> None:
    prompts = [conversion.write(problem, language) for problem in conversions()]
    assert len(set(prompts)) > some(3000)
    assert [conversion.read(f"One.\n{prompt}\nTwo.") for prompt in prompts] == [*conversions()]
    for problem in conversions():
        given = problem["date"]
        said = conversion.text(given, language)
        assert conversion.parsed(said, given["calendar"], language) == given


@slow
@each("language", OTHERS)
def test_a_conversion_is_the_same_item_as_in_english(language: str) -> None:
    mark = {"de": "Antwort: ", "es": "Respuesta: ", "zh": "答案："}[language]
    shared = {"task": "convert", "n": 90}
    for item, english in zip(
        fresh.items(PLUGIN, make(PLUGIN, {**shared, "language": language})),
        fresh.items(PLUGIN, make(PLUGIN, shared)),
        strict=True,
    ):
        assert item.features == {**english.features, "language": language}
        parts = [(one.problem, one.target, one.certificate) for one in (item, english)]
        assert parts[0] == parts[1]
        assert item.prompt == conversion.write(item.problem, language) != english.prompt
        assert PLUGIN.call("read", prompt=item.prompt) == item.problem
        assert PLUGIN.call("check", item=item) == []
        gold = conversion.parsed(item.target, item.problem["to"])
        assert gold is not None
        for later in (0, 1):
            said = conversion.text({**gold, "year": gold["year"] + later}, language)
            verdict = PLUGIN.call("score", item=item, completion=mark + said)
            assert (verdict.outcome, verdict.value["exact"]) == ("scored", 1 - later), said


@each("language", ("en", *OTHERS))
def test_a_changed_conversion_is_not_read_as_another_one(language: str) -> None:
    rng, refused = Random(8), 0
    for problem in conversions()[::12]:
        prompt = conversion.write(problem, language)
        for _ in range(4):
            text = changed(prompt, rng)
            found = conversion.read(text)
            assert found is None or text.startswith(conversion.write(found, language))
            assert found is None or found != problem
            refused += found is None
    assert refused > some(800)


@each("language", OTHERS)
def test_the_last_conversion_counts_in_whatever_language_it_is(language: str) -> None:
    one, two = conversions()[0], conversions()[-1]
    english, other = conversion.write(one), conversion.write(two, language)
    assert conversion.read(f"{english}\n\nAnswer: 2020-01-01\n\n{other}") == two
    assert conversion.read(f"{other}\n\nAnswer: 2020-01-01\n\n{english}") == one
    assert conversion.read(f"{english}\n\n{other[:-3]}") is None


@each("language", OTHERS)
def test_the_words_of_conversions_are_well_formed(language: str) -> None:
    said, names = (of(language).words[part] for part in ("conversion", "words"))
    assert set(said["calendars"]) == set(conversion.CALENDARS)
    months = [names["hebrew"][month.lower()] for month in conversion.HEBREW_MONTHS]
    assert len({*months}) == len(months) == len(names["hebrew"])
    assert all(month in said["calendars"]["hebrew"]["convention"] for month in months)
    for calendar, words in said["calendars"].items():
        form = words["form"].partition("（")[0].partition(" (")[0]
        assert form in words["convention"], calendar
        assert words["convention"].endswith("。" if language == "zh" else ".")
        assert not re.search(r"[{}]|  ", words["convention"])


# ------------------------------------------------------------------------------------- settings


@each(
    ("config", "why"),
    [
        ({"language": "xx"}, "language=xx: 'xx' is not one of"),
        ({"language": "de", "facts": True}, "language=de takes no facts="),
    ],
)
def test_what_a_language_does_not_go_with_is_said_in_one_line(
    config: dict[str, Any], why: str, tmp_path: Path
) -> None:
    file = tmp_path / "facts.csv"
    file.write_text("kind,name,start\nevent,the opening of our museum,1950-06-01\n")
    if "facts" in config:
        config = {**config, "facts": str(file)}
    with pytest.raises(HarnessError) as error:
        list(fresh.items(PLUGIN, make(PLUGIN, {"n": 1, **config})))
    assert str(error.value).startswith(why)
    assert "\n" not in str(error.value)


def test_a_fact_without_words_is_an_error_of_one_line() -> None:
    problem = {
        "range": ["1800-01-01", "2050-12-31"],
        "clues": [{"type": "alive", "name": "Nobody", "born": "1900-01-01", "died": "1950-01-01"}],
    }
    with pytest.raises(LanguageError, match=r"^language=de has no words for 'Nobody'$"):
        write(problem, "de")


@each("language", OTHERS)
def test_what_is_english_only_is_left_out(language: str) -> None:
    for item in generated(3, language=language):
        assert PLUGIN.call("trace", item=item) is None
        record = PLUGIN.call("publish", item=item, format="timepuzzles_json", record={})
        assert record is None
        assert PLUGIN.call("explain", item=item)


# -------------------------------------------------------------------------------------- answers

A, B = "1969-03-03", "1969-04-12"
GOOD = {
    "de": (
        ("Antwort: 1969-03-03, 1969-04-12", [A, B]),
        ("**Antwort:** 3. März 1969", [A]),
        ("Antwort: Montag, 3. März 1969 und Samstag, 12. April 1969", [A, B]),
        ("Die Antwort lautet: der 3. März 1969", [A]),
        ("Antwort: 03.03.1969, 12.04.1969", [A, B]),
        ("Antwort: 1969-03-03 bis 1969-03-05", [A, "1969-03-04", "1969-03-05"]),
        ("Antwort: 1969-03-03\n\nKein anderes Datum erfüllt alle Hinweise.", [A]),
        ("Antwort: keine", []),
        ("Antwort: kein Tag", []),
    ),
    "es": (
        ("Respuesta: 1969-03-03, 1969-04-12", [A, B]),
        ("**Respuesta:** 3 de marzo de 1969", [A]),
        ("Respuesta: lunes, 3 de marzo de 1969 y sábado, 12 de abril de 1969", [A, B]),
        ("La respuesta es: 3 de marzo de 1969", [A]),
        ("Respuesta: del 3 al 5 de marzo de 1969", [A, "1969-03-04", "1969-03-05"]),
        ("Respuesta: 1969-03-03\n\nNinguna otra fecha cumple todas las pistas.", [A]),
        ("Respuesta: ninguna", []),
        ("Respuesta: ninguna fecha", []),
    ),
    "zh": (
        ("答案：1969-03-03, 1969-04-12", [A, B]),
        ("答案：1969年3月3日", [A]),
        ("**答案：** 1969年3月3日、1969年4月12日", [A, B]),
        ("答案：1969-03-03（星期一），1969-04-12（星期六）", [A, B]),
        ("答案：1969-03-03至1969-03-05", [A, "1969-03-04", "1969-03-05"]),
        ("答案：1969-03-03\n\n没有其他日期满足所有线索。", [A]),
        ("答案：无", []),
        ("答案：没有", []),
    ),
}  # fmt: skip
HEDGED = {
    "de": (
        "Antwort: 1969-03-03 oder 1969-04-12", "Antwort: vielleicht 1969-03-03", "Antwort: nicht 1969-03-03",
        "Antwort: keine außer 1969-03-03", "Antwort: keine Ahnung", "Antwort: 1969-03-03 (oder 1969-04-12)",
        "Antwort: 1969-03-03\n\nIch bin mir nicht sicher.", "Antwort: 1969-03-03\nKorrektur: doch 1969-04-12",
        "Antwort: 1969-03-03\n\nVielleicht ist es ein anderer.", "Antwort: 1969-03-03 usw.",
        "Antwort: 1969-03-03\n\nEs gibt weitere Tage.", "Antwort: YYYY-MM-DD",
    ),
    "es": (
        "Respuesta: 1969-03-03 o 1969-04-12", "Respuesta: quizás 1969-03-03", "Respuesta: no 1969-03-03",
        "Respuesta: ninguna salvo 1969-03-03", "Respuesta: no lo sé", "Respuesta: 1969-03-03 (o 1969-04-12)",
        "Respuesta: 1969-03-03\n\nNo estoy seguro.", "Respuesta: 1969-03-03\nCorrección: 1969-04-12",
        "Respuesta: 1969-03-03\n\nTal vez sea otra.", "Respuesta: 1969-03-03, etc.",
        "Respuesta: 1969-03-03\n\nPuede haber otras fechas.", "Respuesta: YYYY-MM-DD",
    ),
    "zh": (
        "答案：1969-03-03或1969-04-12", "答案：可能是1969-03-03", "答案：不是1969-03-03", "答案：除1969-03-03外无",
        "答案：无法确定", "答案：1969-03-03（或1969-04-12）", "答案：1969-03-03\n\n但我不确定。",
        "答案：1969-03-03\n更正：1969-04-12", "答案：1969-03-03\n\n也许是另一天。", "答案：1969-03-03等",
        "答案：1969-03-03\n\n还有其他日期。", "答案：YYYY-MM-DD",
    ),
}  # fmt: skip


@each(
    ("language", "reply", "dates"),
    [(name, *case) for name, cases in GOOD.items() for case in cases],
)
def test_an_answer_in_the_language_is_read(language: str, reply: str, dates: list[str]) -> None:
    prompt = write(problems("implicit")[0], language)
    for text in (reply, f"…\n\n{reply}", f"{prompt}\n\n{reply}"):
        answer = extract(text, prompt)
        assert isinstance(answer, Answer), text
        assert sorted(answer.dates) == dates


@each(
    ("language", "reply"), [(name, reply) for name, replies in HEDGED.items() for reply in replies]
)
def test_a_hedged_answer_is_none(language: str, reply: str) -> None:
    assert isinstance(extract(reply, write(problems("implicit")[0], language)), str)


@each("language", OTHERS)
def test_items_are_scored_in_their_language(language: str) -> None:
    mark = {"de": "Antwort: ", "es": "Respuesta: ", "zh": "答案："}[language]
    none = {"de": "keine", "es": "ninguna", "zh": "无"}[language]
    items = [
        *generated(6, language=language),
        *generated(3, language=language, solutions="0", clues="4"),
    ]
    assert {item.target == "none" for item in items} == {True, False}
    for item in items:
        right = mark + (none if item.target == "none" else item.target)
        wrong = mark + ("1801-01-01" if item.target == "none" else none)
        assert mark + none in item.prompt
        assert PLUGIN.call("score", item=item, completion=right).value["exact"] == 1
        assert PLUGIN.call("score", item=item, completion=wrong).value["exact"] == 0
        either = PLUGIN.call("score", item=item, completion=f"{right}\n{wrong}")
        assert either.value["exact"] == 0


@each("language", OTHERS)
def test_an_echoed_prompt_answers_nothing(language: str) -> None:
    prompt = write(problems("implicit")[0], language)
    assert [extract(prompt, known) for known in (prompt, "")] == ["no answer is stated"] * 2
