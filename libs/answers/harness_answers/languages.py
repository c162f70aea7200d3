"""Words of many languages: "true" and "false", "satisfied" and "violated", and what marks an answer.

Of each language both words of a pair are understood, or neither: one alone would favour that answer.
"""

from __future__ import annotations

import re

TRUTH: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "Arabic": (("صحيح", "صواب"), ("خطأ", "خاطئ")),
    "Chinese": (("真", "正确", "正確", "对", "對"), ("假", "错误", "錯誤", "错", "錯")),
    "Czech": (("pravda", "pravdivé"), ("nepravda", "nepravdivé")),
    "Danish": (("sandt", "sand"), ("falsk",)),
    "Dutch": (("waar", "juist"), ("onwaar", "onjuist")),
    "Finnish": (("tosi", "totta"), ("epätosi",)),
    "French": (("vrai", "vraie"), ("faux", "fausse")),
    "German": (("wahr", "richtig"), ("falsch", "unwahr")),
    "Greek": (("αληθές", "αληθής", "σωστό"), ("ψευδές", "ψευδής", "λάθος")),
    "Hebrew": (("אמת", "נכון"), ("שקר", "לא נכון")),
    "Hindi": (("सत्य", "सही"), ("असत्य", "गलत")),
    "Hungarian": (("igaz",), ("hamis",)),
    "Indonesian": (("benar",), ("salah",)),
    "Italian": (("vero", "vera"), ("falso", "falsa")),
    "Japanese": (("真", "正しい"), ("偽", "誤り", "正しくない")),
    "Korean": (("참", "참입니다", "참이다"), ("거짓", "거짓입니다", "거짓이다")),
    "Norwegian": (("sant",), ("usant", "falskt")),
    "Persian": (("درست",), ("نادرست", "غلط")),
    "Polish": (("prawda", "prawdziwe", "prawdziwa"), ("fałsz", "fałszywe", "fałszywa")),
    "Portuguese": (("verdadeiro", "verdadeira"), ("falso", "falsa")),
    "Russian": (
        ("истина", "истинно", "истинна", "верно", "верна", "правда"),
        ("ложь", "ложно", "ложна", "неверно", "неверна", "неправда"),
    ),
    "Spanish": (("verdadero", "verdadera", "cierto"), ("falso", "falsa")),
    "Swedish": (("sant", "sann"), ("falskt", "falsk")),
    "Thai": (("จริง", "ถูกต้อง"), ("เท็จ", "ไม่จริง")),
    "Turkish": (("doğru",), ("yanlış",)),
    "Ukrainian": (
        ("істина", "істинно", "істинне", "істинна", "правда"),
        ("хибність", "хибно", "хибне", "хибна", "неправда"),
    ),
    "Vietnamese": (("đúng",), ("sai",)),
}

SATISFACTION: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "Arabic": (
        ("مستوفاة", "محققة", "يحقق", "يستوفي", "تتحقق"),
        ("منتهكة", "مخالفة", "ينتهك", "يخالف"),
    ),
    "Chinese": (("满足", "滿足", "符合", "成立"), ("违反", "違反", "违背", "違背")),
    "Dutch": (("voldaan", "vervuld", "voldoet", "geldt"), ("geschonden", "schendt")),
    "French": (
        ("satisfaite", "satisfait", "respectée", "respecte", "vérifiée"),
        ("violée", "violé", "viole", "enfreinte", "enfreint"),
    ),
    "German": (("erfüllt", "gilt", "eingehalten"), ("verletzt",)),
    "Hindi": (("संतुष्ट",), ("उल्लंघन", "उल्लंघित")),
    "Italian": (
        ("soddisfatta", "soddisfatto", "soddisfa", "rispettata"),
        ("violata", "violato", "viola"),
    ),
    "Japanese": (
        ("満たす", "満たされる", "満たされ", "満たさ", "満たし", "充足", "成立"),
        ("違反",),
    ),
    "Korean": (("만족", "충족", "성립"), ("위반",)),
    "Polish": (
        ("spełniona", "spełniony", "spełnione", "spełnia"),
        ("naruszona", "naruszony", "naruszone", "narusza"),
    ),
    "Portuguese": (("satisfeita", "satisfeito", "satisfaz"), ("violada", "violado", "viola")),
    "Russian": (
        ("выполнена", "выполнено", "выполняется", "удовлетворена", "удовлетворяет", "соблюдается"),
        ("нарушена", "нарушено", "нарушается", "нарушает"),
    ),
    "Spanish": (
        ("satisfecha", "satisfecho", "satisface", "cumple"),
        ("violada", "violado", "viola", "incumplida", "incumple"),
    ),
    "Turkish": (
        ("sağlanıyor", "sağlanır", "sağlandı", "sağlıyor", "sağlar"),
        ("ihlal", "sağlanmıyor", "sağlanmaz", "sağlanmadı", "sağlamıyor", "sağlamaz"),
    ),
}


def meaning(pairs: dict[str, tuple[tuple[str, ...], tuple[str, ...]]]) -> dict[str, bool]:
    """Return every word of some pairs, in small letters, with what it says."""
    return {
        word: truth
        for pair in pairs.values()
        for truth, words in zip((True, False), pair, strict=True)
        for word in words
    }


ANSWER = (
    "antwort|réponse|reponse|respuesta|resposta|risposta|antwoord|svar|vastaus|odpowiedź|odpověď|válasz|răspuns|cevap"
    "|jawaban|đáp án|trả lời|ответ|відповідь|απάντηση|תשובה|उत्तर|الإجابة|الجواب|yanıt|คำตอบ|پاسخ"
    "|anwser|asnwer|awnser|answr|anser|answerr|answe"
)
"""The word "answer" in other languages and with typing errors, as a pattern.

`ANSWER_SIGNS` is one where no blanks part words.
"""

ANSWER_SIGNS = "答案|回答|解答|答え|答|정답|답변|답"

RESULT = (
    "tl;dr|tldr|endergebnis|ergebnis|fazit|schlussfolgerung|lösung|résultat|resultado|risultato|resultaat|resultat"
    "|conclusión|conclusão|conclusione|conclusie|solución|solução|soluzione|oplossing|slutsats|wynik|wniosek"
    "|вывод|итог|результат|висновок|sonuç|hasil|kesimpulan|kết quả|kết luận|निष्कर्ष|परिणाम|النتيجة|الخلاصة"
)
"""The words "result", "conclusion" and "solution" in other languages, as a pattern; `RESULT_SIGNS` likewise."""

RESULT_SIGNS = "结论|結論|判断|判斷|结果|結果|결론|결과"

RESULT_NAMES = "conclusions?|verdict|results?|decision|solutions?|output|status|tl;?dr"
"""English words that mark an answer where none is marked as such, as a pattern."""

_ABBREVIATED = "ans(?=[ \t]{0,3}[.:])"
_ARTICLES = (
    "l[ae]|die|der|das|het|a|o|o meu|mi|meine|ma|itt|nihai|final|endgültige|окончательный|итоговый|правильный"
    "|ostateczna|最终|最終的な|最終|正确|최종|अंतिम"
)
_MARK = re.compile(
    rf"([^\w\n]{{0,9}})(?=\w)(?:(?:{_ARTICLES})[ \t]*){{0,3}}"
    rf"(?:(?P<answer>{ANSWER}|{ANSWER_SIGNS}|{_ABBREVIATED})|{RESULT}|{RESULT_SIGNS})"
    r"(?:[ \t]+(?:finale?|النهائية))?"
    r"(?:[ \t]{0,3}(?:est|es|é|è|ist|lautet|is|jest|är|это|είναι|είναι η|là|是|为|為|は|은|는))?"
    r"(?:[^\w\n:：]{0,9}[:：]|(?<=ans)\.(?=[ \t])|(?<=dr)[ \t*_]{1,9}[—–-](?=[ \t])|[ \t*_]{0,9}$)",
    re.IGNORECASE,
)
_LINES = 1_000  # at the end of a text, at whose start a mark is looked for

# "| Answer | X |", and "A: X" below "Q: …".
_ROW = re.compile(
    r"^[ \t]{0,9}\|[ \t]{0,9}((?:final )?answer)[ \t:]{0,9}\|([^|\n]+)\|?[ \t]*$(?!\n[ \t]*\|[ \t:]*-)",
    re.I | re.M,
)
_ASKED = re.compile(r"(^\W{0,9}Q:[^\n]*\n\W{0,18}|\A\W{0,9}(?![^\n]*\n\W{0,9}B\b))A:", re.MULTILINE)


# "## Answer in the requested format"
_IN_FORM = re.compile(
    r"^(\W{0,9}(?:(?:the|my) )?(?:final )?answer) (?:in|as) (?![^\n]*\b(?:(?:an)?other|different|alternative)\b)"
    r"(?:[\w'-]+ ){0,4}(?:form|format|spelling|notation|style)[ \t:*_]*$",
    re.IGNORECASE | re.MULTILINE,
)


def with_english_marks(text: str) -> str:
    """Return a text in which an answer that a line marks in another way is marked with "Answer:", or "Result:"."""
    text = _ROW.sub(r"\1:\2", text) if "|" in text else text
    text = _ASKED.sub(r"\1Answer:", text) if "A:" in text else text
    text = _IN_FORM.sub(r"\1:", text)
    lines = text.rsplit("\n", _LINES)
    begin = 1 if len(lines) > _LINES else 0
    for at in range(begin, len(lines)):
        if mark := _MARK.match(lines[at]):
            word = "Answer" if mark["answer"] else "Result"
            lines[at] = f"{mark[1]}{word}:{lines[at][mark.end() :]}"
    return "\n".join(lines)
