"""Replies to conversions, written in many ways: which are right, which are wrong, and which are no answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from cases import each
from harness_timepuzzles.answers.score import score
from harness_timepuzzles.conversions.problem import parsed, write
from harness_timepuzzles.engines.conversions import converted
from pace import within

from harness import Item, Verdict

RIGHT, WRONG, UNPARSED = "right", "wrong", "unparsed"


def asked(source: str, text: str, target: str) -> Item:
    given = parsed(text, source)
    assert given is not None
    problem = {"task": "convert", "date": given, "to": target}
    return Item("timepuzzles", "2.3", write(problem), converted(given, target), problem)


ITEMS = {
    "gregorian": asked("hebrew", "5780 Nisan 15", "gregorian"),  # 2020-04-09
    "ordinal": asked("gregorian", "2020-04-09", "ordinal"),  # 2020-100
    "iso_week": asked("gregorian", "2020-04-09", "iso_week"),  # 2020-W15-4
    "hebrew": asked("gregorian", "2020-04-09", "hebrew"),  # 5780 Nisan 15
    "adar": asked("gregorian", "2024-03-24", "hebrew"),  # 5784 Adar II 14
    "adar_one": asked("gregorian", "2024-02-10", "hebrew"),  # 5784 Adar I 1
    "common_adar": asked("gregorian", "2023-03-07", "hebrew"),  # 5783 Adar 14
    "heshvan": asked("gregorian", "2020-11-01", "hebrew"),  # 5781 Heshvan 14
    "islamic": asked("gregorian", "2020-04-09", "islamic"),  # 1441-08-16
    "dhu": asked("gregorian", "2020-07-01", "islamic"),  # 1441-11-10
    "rabi": asked("gregorian", "2019-12-10", "islamic"),  # 1441-04-13
    "chinese": asked("gregorian", "2020-04-09", "chinese"),  # 2020-03-17
    "leap": asked("gregorian", "2020-05-24", "chinese"),  # 2020-04L-02
    "twelfth": asked("gregorian", "2021-01-24", "chinese"),  # 2020-12-12
}


def judged(item: Item, reply: str) -> Verdict:
    verdict = score(item, reply)
    assert verdict.problems(tuple(verdict.value)) == []
    return verdict


def of(item: Item, reply: str) -> str:
    verdict = judged(item, reply)
    if verdict.outcome != "scored":
        return verdict.outcome
    return RIGHT if verdict.value["exact"] == 1 else WRONG


# Calendar, verdict, and answers with bars between them.
TABLE = """
gregorian right: 2020-04-09 | 9 April 2020 | April 9, 2020 | Thursday, April 9th, 2020 | 2020/4/9
gregorian right: 9. April 2020 | 20200409 | the 9th of April 2020 | 9 avril 2020 | 2020年4月9日
gregorian right: 2020-04-09 (15 Nisan 5780) | 2020-04-09 (Thursday) | 2020-04-09 (15 Nisan)
gregorian right: 9 April 2020 CE | April 9, 2020 A.D. | 2020-04-09 (5780 Nisan 15) | 2020-04-09 (Gregorian)
gregorian wrong: 2020-04-08 | 2020-02-30 | 2019-04-09 | April 10, 2020
gregorian unparsed: 04/09/2020 | YYYY-MM-DD | April 2020 | 9 April | none
ordinal right: 2020-100 | 2020/100 | day 100 of 2020 | the 100th day of 2020 | 2020, day 100 | 2020100
ordinal right: 2020-100 (April 9) | year 2020 day 100 | ordinal date 2020-100
ordinal wrong: 2020-099 | 2020-367 | 2021-100 | 2020-10
ordinal unparsed: 2020-04-09 | 100 | YYYY-DDD | 2020-DDD | 2020-100 or 2020-101
iso_week right: 2020-W15-4 | 2020W154 | 2020-w15-4 | 2020 W15 4 | week 15 of 2020, day 4
iso_week right: Thursday of week 15, 2020 | 2020-W15-4 (Thursday) | 2020, week 15, Thursday | W15-4, 2020
iso_week right: day 4 of the 15th week of 2020
iso_week wrong: 2020-W15-5 | 2020-W54-1 | 2021-W53-1 | 2020-W14-4
iso_week unparsed: 2020-W15-4 (Friday) | 2020-W15 | 2020-04-09 | YYYY-Www-D | 2020-Www-4 | 15-4
hebrew right: 5780 Nisan 15 | 15 Nisan 5780 | 15th of Nisan, 5780 | Nisan 15, 5780 | 15 Nissan 5780
hebrew right: 5780-Nisan-15 | 15 Nisan 5780 AM | Thursday, 15 Nisan 5780 | 15 ניסן 5780 | 15 בניסן 5780
hebrew right: 15 Nisan 5780 (April 9, 2020) | the 15th day of the month of Nisan, 5780
hebrew wrong: 5780 Nisan 14 | 5780 Nisan 31 | 5780 Iyar 15 | 4780 Nisan 15
hebrew unparsed: 5780-01-15 | 15 Nisan | 5780 Month 15 | YYYY Nisan DD | about 15 Nisan 5780 | 15 Nisan 5780?
hebrew unparsed: 15 or 16 Nisan 5780 | 5780 Nisan 15/16
adar right: 5784 Adar II 14 | 14 Adar 2 5784 | 14 Adar Sheni 5784 | Adar Bet 14, 5784 | 14 Adar II, 5784
adar right: 14 Ve-Adar 5784 | 14 Second Adar 5784 | 14 אדר ב׳ 5784 | 5784 Adar-II 14
adar wrong: 5784 Adar I 14 | 5784 Adar 14 | 5784 Adar II 30
adar_one right: 5784 Adar I 1 | 1 Adar 1 5784 | 1 Adar Rishon 5784 | Adar Aleph 1, 5784
adar_one wrong: 5784 Adar 1 | Adar 1, 5784
common_adar right: 5783 Adar 14 | 14 Adar 5783
common_adar wrong: 5783 Adar II 14
heshvan right: 5781 Heshvan 14 | 14 Cheshvan 5781 | 14 Marcheshvan 5781 | 14 Mar-Cheshvan 5781 | 14 Ḥeshvan 5781
heshvan right: 14 חשוון 5781
islamic right: 1441-08-16 | 16 Sha'ban 1441 | 16 Shaʿbān 1441 AH | 1441 Sha`ban 16 | Sha'aban 16, 1441 A.H.
islamic right: 1441/8/16 | 16-08-1441 | 16/8/1441 H | 1441H-08-16 | 16 شعبان 1441 | ١٦ شعبان ١٤٤١ هـ | 14410816
islamic right: the 16th day of the 8th month of 1441 | month 8, day 16, year 1441 | 1441-08-16 (16 Sha'ban 1441)
islamic right: 1441-08-16 (16 Sha'ban) | 1441-08-16 = 16 Shaban 1441 | 1441-08-16 AH | 16th of Shaban, 1441
islamic right: 1441-08-16 (Thursday, 9 April 2020) | 1441-08-16 (9 April 2020 CE) | 16 Sha'ban, 1441 AH.
islamic unparsed: 1441-08-16 (10 April 2020) | 1441-08-16 is wrong | 16 Sha'ban or Ramadan 1441 | Sha'ban 1441
islamic unparsed: [YYYY-MM-DD] 1441-08-16 | 1441-08-16 minus one day | ~1441-08-16 | 1441-08-16 to 1441-08-17
islamic unparsed: 1441-08-1? | 1441-08-{15,16} | the day after 1441-08-15 | 16 Sha'ban (17 Sha'ban) 1441
islamic wrong: 1441-08-15 | 1441-13-01 | 1441-08-31 | 15 Sha'ban 1441 | 2020-04-09
islamic unparsed: 05-08-1441 | 1441-08-16 or 1441-08-17 | 1441-08-16/17 | 1441-08 | not 1441-08-16 | YYYY-MM-DD
islamic unparsed: 1441-08-16 (17 Sha'ban 1441) | 1441-08-16 (approximately) | 1441-08-16...1441-08-18
islamic unparsed: either 1441-08-16
dhu right: 10 Dhu al-Qa'dah 1441 | 10 Dhul Qadah 1441 | 10 Dhu'l-Qi'dah 1441 | 10 Zulqada 1441
dhu right: 10 Dhu al-Qada 1441 | 10 Dhū al-Qaʿda 1441 | 10 ذو القعدة 1441
dhu wrong: 10 Dhu al-Hijja 1441 | 10 Dhul-Hijjah 1441
rabi right: 13 Rabi al-Thani 1441 | 13 Rabi' II 1441 | 13 Rabi al-Akhir 1441 | 13 Rabīʿ ath-Thānī 1441
rabi right: 13 Rabi 2 1441
rabi wrong: 13 Rabi al-Awwal 1441 | 13 Rabi I 1441 | 13 Jumada al-Thani 1441
chinese right: 2020-03-17 | 2020年三月十七 | 农历2020年三月十七 | 二〇二〇年三月十七日
chinese right: day 17 of the third month of 2020 | 2020, 3rd month, 17th day
chinese right: the 17th day of the 3rd lunar month, 2020 | 庚子年 2020-03-17 | 2020-3-17
chinese wrong: 2020-03L-17 | 2020-03-16 | 闰三月十七 2020 | 2020-04-09 | 2020-03-31
leap right: 2020-04L-02 | 2020-L04-02 | 2020年闰四月初二 | 2020年閏四月初二 | 2020 leap month 4 day 2
leap right: 2020-04-02 (leap month) | the 2nd day of the leap 4th month of 2020 | 2nd day of leap month 4, 2020
leap right: day 2 of the 4th leap month, 2020 | 2020 intercalary month 4, day 2 | 2020-闰4-02 | 2020 leap 04-02
leap right: 2020-04 (leap)-02 | 2nd day of the leap fourth month, 2020
leap right: {"year": 2020, "month": 4, "leap": true, "day": 2}
leap wrong: 2020-04-02 | 2020-05L-02 | 2020年四月初二 | {"year": 2020, "month": 4, "leap": false, "day": 2}
leap unparsed: 2020-04-02 (leap year) | 2020-04L-02 or 2020-04-02 | 2020-04L | YYYY-MML-DD | 2020-04-02 not leap
twelfth right: 2020-12-12 | 2020年腊月十二 | 2020年十二月十二 | 12th day of the 12th month, 2020
ordinal right: Tag 100 des Jahres 2020 | der 100. Tag des Jahres 2020 | día 100 del año 2020 | 2020年第100天
ordinal unparsed: Tag 100 oder 101 des Jahres 2020 | 2020年第100天或第101天
iso_week right: KW 15 2020, Tag 4 | Donnerstag der 15. Woche 2020
iso_week right: jueves de la semana 15 de 2020 | 2020年第15周星期四
iso_week right: 2020-W15-4 (Donnerstag) | 2020-W15-4 (jueves) | 2020-W15-4（星期四）
iso_week unparsed: 2020-W15-4 (Freitag) | 2020-W15-4 (viernes) | 2020-W15-4（星期五）
hebrew right: 15. Nisan 5780 | der 15. Nissan 5780 | 15 de nisán de 5780 | el 15 de nisán del año 5780
hebrew right: 15. Tag des Monats Nisan 5780 | 15. Nisan 5780 (9. April 2020)
hebrew right: 希伯来历5780年尼散月15日 | 5780年尼散月15日
hebrew wrong: 16. Nisan 5780 | 15. Ijjar 5780 | 15 de iyar de 5780 | 5780年以珥月15日 | 5780年尼散月31日
hebrew unparsed: D. Monat YYYY | D de mes de YYYY | YYYY年月名D日 | etwa 15. Nisan 5780 | 15. Nisan | 15 de nisán
hebrew unparsed: 15. oder 16. Nisan 5780 | 15 o 16 de nisán de 5780 | 5780年尼散月15日或16日 | kein Datum
adar right: 14. Adar II 5784 | 14. Adar Scheni 5784 | 14 de adar II de 5784 | 5784年亚达二月14日
adar right: 14 de adar segundo de 5784 | 14. zweiter Adar 5784
adar wrong: 14. Adar I 5784 | 14. Adar 5784 | 14 de adar de 5784 | 5784年亚达月14日 | 5784年亚达一月14日
adar_one right: 1. Adar I 5784 | 1. Adar Rischon 5784 | 1 de adar I de 5784 | 5784年亚达一月1日
common_adar right: 14. Adar 5783 | 14 de adar de 5783 | 5783年亚达月14日
heshvan right: 14. Cheschwan 5781 | 14. Marcheschwan 5781 | 14 de jeshván de 5781 | 5781年玛西班月14日
islamic right: 16. Schaʿbān 1441 | 16 de shabán de 1441 | 1441年8月16日 | 伊斯兰历1441年8月16日 | 1441年舍尔邦月16日
islamic right: 1441-08-16 (16. Schaban 1441) | 1441-08-16 (9 de abril de 2020) | 1441-08-16（2020年4月9日）
islamic wrong: 16. Ramadan 1441 | 1441年9月16日 | 16 de rajab de 1441
islamic unparsed: vielleicht 1441-08-16 | quizás 1441-08-16 | 可能是1441-08-16 | nicht 1441-08-16 | no 1441-08-16
dhu right: 10. Dhū l-qaʿda 1441 | 10 de dhu al-qada de 1441 | 1441年都尔喀尔德月10日
dhu wrong: 10. Dhū l-hiddscha 1441 | 10 de dhu al-hijja de 1441
rabi right: 13. Rabīʿ ath-thānī 1441 | 13 de rabi al-thani de 1441 | 1441年赖比尔·阿色尼月13日
rabi wrong: 13. Rabīʿ al-awwal 1441 | 13. Dschumādā th-thāniya 1441
chinese right: 17. Tag des 3. Monats 2020 | día 17 del mes 3 de 2020 | 农历二〇二〇年三月十七
leap right: 2. Tag des 4. Schaltmonats 2020 | 2020-04-02 (Schaltmonat) | día 2 del mes intercalar 4 de 2020
leap right: 2020-04-02（闰月） | 2020年闰4月2日
"""
NOTATIONS = [
    (*head.split(), text)
    for head, _, texts in (line.partition(": ") for line in TABLE.strip().splitlines())
    for text in texts.split(" | ")
]


@each(("name", "verdict", "text"), NOTATIONS)
def test_a_marked_answer_in_usual_notations(name: str, verdict: str, text: str) -> None:
    assert of(ITEMS[name], f"Some thoughts first.\n\nAnswer: {text}") == verdict


@each(
    ("reply", "verdict"),
    [
        ("1441-08-16", RIGHT),
        ("**Answer:** 1441-08-16", RIGHT),
        ("Answer: **16 Sha'ban 1441**.", RIGHT),
        (r"\boxed{1441-08-16}", RIGHT),
        ("<answer>1441-08-16</answer>", RIGHT),
        ('{"answer": "1441-08-16"}', RIGHT),
        ('```json\n{"answer": {"year": 1441, "month": 8, "day": 16}}\n```', RIGHT),
        ("The Islamic date is 16 Sha'ban 1441.", RIGHT),
        ("Final answer: 1441-08-16", RIGHT),
        ("Answer:\n1441-08-16", RIGHT),
        ("Answer: 1441-08-16\n\nThat is a Thursday, 9 April 2020.", RIGHT),
        ("Answer: 1441-08-16, since the month began on a Wednesday.", RIGHT),
        ("It is 1441-08-15, I first thought.\n\nAnswer: 1441-08-16", RIGHT),
        ("Answer: 1441-08-15\n\nWait, I was off by one.\n\nAnswer: 1441-08-16", RIGHT),
        ("Answer: 1441-08-16\nAnswer: 1441-08-17", UNPARSED),
        ("Answer: 1441-08-16\nor 1441-08-17", UNPARSED),
        ("Answer: 1441-08-16\n1441-08-17", UNPARSED),
        ("Answer: 1441-08-16\n2020-04-09", RIGHT),
        ("Answer: 1441-08-16\n\nActually, it may be a day later.", UNPARSED),
        ("Answer: 1441-08-16\n\nAlternatively, 1441-08-17.", UNPARSED),
        ("Answer: maybe 1441-08-16", UNPARSED),
        ("Answer: between 1441-08-15 and 1441-08-17", UNPARSED),
        ("Answer: none", UNPARSED),
        ("Answer: I cannot tell.", UNPARSED),
        ("Answer: YYYY-MM-DD", UNPARSED),
        ("Answer:", UNPARSED),
        ("", UNPARSED),
        ("<think>Answer: 1441-08-16", UNPARSED),
        ("The date could be 1441-08-16 or so, hard to say.", UNPARSED),
        ("Answer: 1441-08-16" + " 16" * 500, UNPARSED),
        ("Answer: " + "1441-08-16, " * 50_000, UNPARSED),
        ("Answer: " + "(" * 100_000, UNPARSED),
        ("Answer: 99999999-08-16", UNPARSED),
        ("Answer: 1441-08-16\x00", RIGHT),
        ("Answer: 1441\u201108\u201116", RIGHT),
    ],
)
def test_where_the_answer_of_a_reply_stands(reply: str, verdict: str) -> None:
    assert of(ITEMS["islamic"], reply) == verdict


def test_many_headings_of_checks_take_no_time() -> None:
    reply = "; :$Reasoning:\n" * 3_000 + "\n\nWhich date?"
    with within(1):  # 0.1 s; quadratic reading took some seconds
        assert {of(ITEMS["islamic"], reply) for _ in range(5)} == {UNPARSED}


SPOKEN = {
    "de": ("Antwort: ", "15. Nisan 5780", "16. Nisan 5780", "Das hebräische Datum ist der 15. Nisan 5780.",
           ("oder 16. Nisan 5780", "Ich bin mir nicht sicher.", "Alternativ: 16. Nisan 5780", "16. Nisan 5780")),
    "es": ("Respuesta: ", "15 de nisán de 5780", "16 de nisán de 5780", "La fecha hebrea es el 15 de nisán de 5780.",
           ("o 16 de nisán de 5780", "No estoy seguro.", "Corrección: 16 de nisán de 5780", "16 de nisán de 5780")),
    "zh": ("答案：", "5780年尼散月15日", "5780年尼散月16日", "因此，对应的希伯来历日期是5780年尼散月15日。",
           ("或5780年尼散月16日", "但我不确定。", "更正：5780年尼散月16日", "5780年尼散月16日")),
}  # fmt: skip


DENIED = (
    "Das hebräische Datum ist nicht der 15. Nisan 5780.", "Ist es der 15. Nisan 5780?",
    "Antwort: kein 15. Nisan 5780",
    "Das Datum könnte der 15. Nisan 5780 sein.", "Antwort: 15. Nisan 5780 ist falsch",
    "Antwort: vor dem 15. Nisan 5780",
    "La fecha hebrea no es el 15 de nisán de 5780.", "¿Es el 15 de nisán de 5780?",
    "Respuesta: antes del 15 de nisán de 5780",
    "希伯来历日期不是5780年尼散月15日。", "是5780年尼散月15日吗？",
    "答案：5780年尼散月15日之前", "答案不是5780年尼散月15日",
)  # fmt: skip


@each("reply", DENIED)
def test_a_date_that_is_denied_or_asked_for_is_no_answer(reply: str) -> None:
    assert of(ITEMS["hebrew"], reply) == UNPARSED


@each("language", SPOKEN)
def test_a_reply_in_the_language_of_the_prompt(language: str) -> None:
    item = ITEMS["hebrew"]
    item = replace(item, prompt=write(item.problem, language))
    mark, right, other, sentence, doubts = SPOKEN[language]
    for reply in (
        mark + right, f"**{mark.strip()}** {right}.", f"{item.prompt}\n\n{mark}{right}", right, sentence,
        f"{mark}{item.target}", f"Answer: {right}", f"{mark}{right}\n\n2020-04-09",
    ):  # fmt: skip
        assert of(item, reply) == RIGHT, reply
    assert of(item, mark + other) == WRONG
    for reply in ("", item.prompt, mark, *(f"{mark}{right}\n\n{doubt}" for doubt in doubts)):
        assert of(item, reply) == UNPARSED, reply


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1441-08-17", "The answer is 1 day too late."),
        ("1441-07-16", "The answer is 29 days too early."),
        ("1441-08-31", "From 1981-10-28 to 2050-12-31 there is no Islamic date 1441-08-31."),
    ],
)
def test_how_far_a_wrong_answer_is_off(text: str, said: str) -> None:
    assert said in judged(ITEMS["islamic"], f"Answer: {text}").explanation


def test_the_table_is_long() -> None:
    counts: dict[str, Any] = dict.fromkeys((RIGHT, WRONG, UNPARSED), 0)
    for _, verdict, _ in NOTATIONS:
        counts[verdict] += 1
    assert min(counts.values()) > 20
