"""How months are called in answers: the Hebrew and the Islamic ones in usual spellings (English, German, Spanish,
Chinese, their own), the Chinese in numerals.

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


_AL = r"(?: ?(?:al|ul|el|il|ath|ut|as|us|th|l))? ?"
_AWWAL = r"(?:aww?al|ula|oola|ala|uwla)"
_THANI = r"(?:thani(?:y{0,2}ah?)?|sani(?:yah?)?|aa?kh[aie]r(?:ah?)?|akhera)"
_JUMADA = r"(?:j|y|dsch)[ua]m[ai]d[ai]"
_DHU = r"(?:dhu|dhul|dhi|dhil|zu|zul|zi|zil|thu|thul|dul|du)"
ISLAMIC = {
    1: "(?:al )?m[uo]harr?[ae]m|محرم|穆哈[兰拉]姆月",
    2: "saff?ar|صفر|色法尔月",
    3: rf"rabi{_AL}{_AWWAL}|rabi (?:i|1)|ربيع الاول|赖比尔·?敖外鲁月",
    4: rf"rabi{_AL}{_THANI}|rabi (?:ii|2)|ربيع (?:الثاني|الاخر)|赖比尔·?阿色尼月",
    5: rf"{_JUMADA}{_AL}{_AWWAL}|{_JUMADA} (?:i|1)|جمادى الاولى|主马达·?敖外鲁月",
    6: rf"{_JUMADA}{_AL}{_THANI}|{_JUMADA} (?:ii|2)|جمادى (?:الثانية|الاخرة)|主马达·?阿色尼月",
    7: "ra(?:j|y|dsch)ab|رجب|赖哲卜月",
    8: "sc?ha ?a?ba?an|شعبان|舍尔邦月",
    9: "rama[dzs]h?aa?n|رمضان|赖买丹月|斋月",
    10: "sc?haww?aa?l|شوال|闪瓦鲁月",
    11: rf"{_DHU}{_AL}q[ai]+d+ah?|ذو القعدة|都尔喀尔德月",
    12: rf"{_DHU}{_AL}hi(?:j+|y+|ddsch)ah?|ذو الحجة|都尔黑哲月",
}
HEBREW = {
    "Tishri": "tisc?hr(?:i|ei|ey|e)|תשרי|提斯利月",
    "Heshvan": "(?:mar ?)?(?:ch|kh|h|c|j)esc?h[vw]an|(?:מר)?חשוו?ן|玛西班月",
    "Kislev": "(?:k|ch)isle[vw]|כסלו|基斯流月",
    "Tevet": "te[vbw]e(?:th?|s)|טבת|提别月",
    "Shevat": "sc?he?[vbw]a(?:th?|s)|שבט|细罢特月",
    "Adar I": "adar (?:i|a|alef|aleph|risc?hon|primero)|(?:1st|first|erster|primer) adar|אדר (?:א|ראשון)|亚达一月",
    "Adar II": "adar (?:ii|b|beth?|beis|sc?heni|segundo)|(?:2nd|second|zweiter|segundo) adar|ve? ?adar|אדר (?:ב|שני)"
    "|亚达二月",
    "Adar": "adar|אדר|亚达月",
    "Nisan": "niss?an|ניסן|尼散月",
    "Iyar": "i(?:yy?|jj?)ar|אייר|以珥月",
    "Sivan": "si[vw]an|סיוו?ן|西弯月",
    "Tammuz": "tamm?u[zs]|תמוז|搭模斯月",
    "Av": "(?:mena[ck]h?em )?a[vbw]|(?:מנחם )?אב|埃波月",
    "Elul": "ell?ul|אלול|以禄月",
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
