"""Words for "true" and "false" in many languages: of each language both words, or neither.

A language of which one word alone is understood would favour that answer.
"""

from __future__ import annotations

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
    "Polish": (("prawda", "prawdziwe", "prawdziwa"), ("fałsz", "fałszywe", "fałszywa")),
    "Portuguese": (("verdadeiro", "verdadeira"), ("falso", "falsa")),
    "Russian": (("истина", "истинно", "верно", "правда"), ("ложь", "ложно", "неверно", "неправда")),
    "Spanish": (("verdadero", "verdadera", "cierto"), ("falso", "falsa")),
    "Swedish": (("sant", "sann"), ("falskt", "falsk")),
    "Turkish": (("doğru",), ("yanlış",)),
    "Ukrainian": (("істина", "істинно", "правда"), ("хибність", "хибно", "неправда")),
    "Vietnamese": (("đúng",), ("sai",)),
}

MEANING: dict[str, bool] = {
    word: truth
    for pair in TRUTH.values()
    for truth, words in zip((True, False), pair, strict=True)
    for word in words
}
"""Every word, in small letters, with what it says."""
