"""The verdict of a clause in another language: "die Formel ist nicht erfüllt", "该轨迹不满足公式".

A clause is read only if every word of it is known: one that is not may be a doubt or a condition.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from harness_answers.languages import SATISFACTION

_LONGEST = 300
_WORD = re.compile(r"[\w\u064b-\u0652\u0900-\u097f]+")  # Hindi's vowel signs are no \w


class _Words(NamedTuple):
    """The words of a language beside "satisfied" and "violated"; ``joined``: it is written without blanks."""

    negations: str
    others: str
    joined: bool = False


_LANGUAGES = {
    "Arabic": _Words("لا لم غير ليست ليس", "المسار الصيغة الأثر هذا هذه هي هو إذن لذلك"),
    "Chinese": _Words(
        "不 未 没有 沒有 没 沒",
        "该 該 此 这 這 条 條 个 個 轨迹 軌跡 路径 路徑 序列 公式 性质 性質 要求 是 的 了 被 得到 并 並 能 所以"
        " 因此 故 在 第 步",
        joined=True,
    ),
    "Dutch": _Words(
        "niet", "de het deze dit trace pad spoor formule specificatie is wordt aan door dus in stap"
    ),
    "French": _Words(
        "pas non",
        "la le l les cette ce elle il trace formule propriété exécution chemin est n ne par donc ainsi à étape",
    ),
    "German": _Words(
        "nicht keineswegs",
        "der die das den dem vom diese dieser diesen es er sie trace pfad lauf ablauf formel spezifikation ist wird"
        " von durch also somit daher folglich damit im in schritt",
    ),
    "Hindi": _Words("नहीं", "सूत्र ट्रेस पथ यह इस को का की से द्वारा है करता करती होता होती किया गया"),
    "Italian": _Words(
        "non", "la il questa traccia esecuzione formula proprietà è viene dalla quindi dunque pertanto al passo"
    ),
    "Japanese": _Words(
        "ない なかった ません ず",
        "この その 与えられた 実行列 実行 列 トレース 軌跡 経路 論理式 公式 式 性質 は が を に も の し て い いる"
        " います する します した ます です だ である され さ れ る よって したがって ゆえに",
        joined=True,
    ),
    "Korean": _Words(
        "않는다 않습니다 않았다 않았습니다 않음 않다 못한다 못합니다 아니다 아닙니다 불 미",
        "이 그 주어진 트레이스 경로 궤적 실행 공식 수식 논리식 식 은 는 이 가 을 를 에 의해 한다 합니다 함 하지 된다"
        " 됩니다 됨 되지 했다 되었다 하였다 따라서 그러므로",
        joined=True,
    ),
    "Polish": _Words(
        "nie", "formuła formułę formuły ta ten ślad ścieżka przebieg jest została zostaje przez zatem więc w kroku"
    ),
    "Portuguese": _Words(
        "não", "a o esta este traço trajetória execução fórmula propriedade é está pelo pela portanto logo em passo"
    ),
    "Russian": _Words(
        "не", "формула формулу формуле эта трасса трассе трассой путь след на шаге следовательно значит итак поэтому"
    ),
    "Spanish": _Words(
        "no", "la el esta este traza ejecución camino fórmula propiedad se es está ha sido por lo tanto en paso"
    ),
    "Turkish": _Words(
        "değil edilmiyor edilmedi edilmez etmiyor etmedi etmez edilmemiştir",
        "formül formülü bu iz yürütme ediliyor edildi edilir edilmiştir ediyor etti eder",
    ),
}  # fmt: skip


def foreign_verdict(clause: str) -> bool | None:
    """Return the verdict of a clause in small letters, or None if it is no sentence of these languages."""
    if len(clause) > _LONGEST:
        return None
    verdicts = {_verdict(clause, language) for language in _LANGUAGES} - {None}
    return verdicts.pop() if len(verdicts) == 1 else None


def _verdict(clause: str, language: str) -> bool | None:
    satisfied, violated = SATISFACTION[language]
    negations, known, pieces = _lexicon(language)
    words = (pieces or _WORD).findall(clause)
    rest = (
        _WORD.findall(pieces.sub(" ", clause)) if pieces else [w for w in words if w not in known]
    )
    if not all(map(str.isdigit, rest)):
        return None
    verdicts = {word in satisfied for word in words if word in satisfied or word in violated}
    negated = sum(word in negations for word in words) % 2 == 1
    return verdicts.pop() != negated if len(verdicts) == 1 else None


@cache
def _lexicon(language: str) -> tuple[set[str], set[str], re.Pattern[str] | None]:
    """Return a language's negations, all its words, and the pattern of these if there are no blanks between."""
    words = _LANGUAGES[language]
    negations = set(words.negations.split())
    known = {*sum(SATISFACTION[language], ()), *negations, *words.others.split()}
    pieces = "|".join(sorted(known, key=len, reverse=True))
    return negations, known, re.compile(pieces) if words.joined else None
