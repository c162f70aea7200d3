"""How months are called in answers: the Hebrew and the Islamic ones in usual spellings, the Chinese in numerals.

The patterns are for a text in small letters without accents and apostrophes, as `plain_names` returns it.
"""

from __future__ import annotations

import re
import unicodedata

_APOSTROPHES = dict.fromkeys(map(ord, "'`´‘’ʿʾʻʼ׳״\""), "")
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")


def plain_names(text: str) -> str:
    """Return a text in small letters, without accents and apostrophes, with blanks for hyphens between letters."""
    letters = unicodedata.normalize("NFKD", text).casefold().translate(_APOSTROPHES)
    return _HYPHEN.sub(" ", "".join(c for c in letters if not unicodedata.combining(c)))


_AL, _AWWAL = r"(?: ?(?:al|ul|el|il|ath|ut|as|us|l))? ?", r"(?:aww?al|ula|oola|ala|uwla)"
_THANI = r"(?:thani(?:y{0,2}ah?)?|sani(?:yah?)?|akh[aie]r(?:ah?)?|akhera)"
_DHU = r"(?:dhu|dhul|dhi|dhil|zu|zul|zi|zil|thu|thul|dul|du)"
ISLAMIC = {
    1: "(?:al )?m[uo]harr?[ae]m|محرم",
    2: "saff?ar|صفر",
    3: rf"rabi{_AL}{_AWWAL}|rabi (?:i|1)|ربيع الاول",
    4: rf"rabi{_AL}{_THANI}|rabi (?:ii|2)|ربيع (?:الثاني|الاخر)",
    5: rf"jum[ai]da{_AL}{_AWWAL}|jumada (?:i|1)|جمادى الاولى",
    6: rf"jum[ai]da{_AL}{_THANI}|jumada (?:ii|2)|جمادى (?:الثانية|الاخرة)",
    7: "rajab|رجب",
    8: "sha ?a?ban|شعبان",
    9: "rama[dzs]h?an|رمضان",
    10: "shaww?al|شوال",
    11: rf"{_DHU}{_AL}q[ai]+d+ah?|ذو القعدة",
    12: rf"{_DHU}{_AL}hij+ah?|ذو الحجة",
}
HEBREW = {
    "Tishri": "tishr(?:i|ei|ey|e)|תשרי",
    "Heshvan": "(?:mar ?)?(?:ch|kh|h|c)esh[vw]an|(?:מר)?חשוו?ן",
    "Kislev": "(?:k|ch)isle[vw]|כסלו",
    "Tevet": "te[vb]e(?:th?|s)|טבת",
    "Shevat": "she?[vb]a(?:th?|s)|שבט",
    "Adar I": "adar (?:i|a|alef|aleph|rishon)|(?:1st|first) adar|אדר (?:א|ראשון)",
    "Adar II": "adar (?:ii|b|beth?|beis|sheni)|(?:2nd|second) adar|ve? ?adar|אדר (?:ב|שני)",
    "Adar": "adar|אדר",
    "Nisan": "niss?an|ניסן",
    "Iyar": "iyy?ar|אייר",
    "Sivan": "si[vw]an|סיוו?ן",
    "Tammuz": "tamm?uz|תמוז",
    "Av": "(?:mena[ck]h?em )?a[vb]|(?:מנחם )?אב",
    "Elul": "ell?ul|אלול",
}
NUMBERED_ADARS = {"Adar I": "adar 1", "Adar II": "adar 2"}
"""Names that end in what may be the number of a day."""

_TENS = ("", "十", "二十", "三十")
_DIGITS = "一二三四五六七八九"


def numeral(number: int) -> str:
    """Return a number from 1 to 39 in Chinese."""
    tens, ones = divmod(number, 10)
    return _TENS[tens] + (_DIGITS[ones - 1] if ones else "")


CHINESE = {
    12: "[腊臘]月|十二月", 11: "冬月|十一月", **{month: f"{numeral(month)}月" for month in range(10, 1, -1)},
    1: "正月|一月",
}  # fmt: skip
CHINESE_DAYS = {
    f"初{numeral(day)}" if day < 11 else numeral(day).replace("二十", tens): day
    for day in range(1, 31)
    for tens in ("二十", "廿")
    if tens == "二十" or day > 20
}
