"""Words of many languages in lists of dates: months, dates, weekdays, "and", "no date", "no other date", "all clues".

The table is our own: locale and time zone do not matter. A word is left out where another language
means something else by it, such as "o", which is "the" in Portuguese and "or" in Spanish.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# English; German, French, Spanish, Italian, Portuguese, Dutch, Russian; Polish, Turkish, Hindi, Arabic; Swedish,
# Danish, Norwegian; Ukrainian, Czech, Finnish, Hungarian, Romanian, Indonesian, Greek, where they are others.
MONTHS = (
    "january|jan|januar|jänner|janvier|enero|gennaio|janeiro|januari|января|stycznia|ocak|जनवरी|يناير|січня|ledna"
    "|tammikuuta|január|ianuarie|ιανουαρίου",
    "february|feb|februar|février|febrero|febbraio|fevereiro|februari|февраля|lutego|şubat|फ़रवरी|फरवरी|فبراير|лютого"
    "|února|helmikuuta|február|februarie|φεβρουαρίου",
    "march|mar|märz|mars|marzo|março|maart|марта|marca|mart|मार्च|مارس|marts|березня|března|maaliskuuta|március"
    "|martie|maret|μαρτίου",
    "april|apr|avril|abril|aprile|апреля|kwietnia|nisan|अप्रैल|أبريل|ابريل|квітня|dubna|huhtikuuta|április|aprilie"
    "|απριλίου",
    "may|mai|mayo|maggio|maio|mei|мая|maja|mayıs|मई|مايو|maj|травня|května|toukokuuta|május|μαΐου",
    "june|jun|juni|juin|junio|giugno|junho|июня|czerwca|haziran|जून|يونيو|червня|června|kesäkuuta|június|iunie"
    "|ιουνίου",
    "july|jul|juli|juillet|julio|luglio|julho|июля|lipca|temmuz|जुलाई|يوليو|липня|července|heinäkuuta|július|iulie"
    "|ιουλίου",
    "august|aug|août|agosto|augustus|августа|sierpnia|ağustos|अगस्त|أغسطس|augusti|серпня|srpna|elokuuta|augusztus"
    "|agustus|αυγούστου",
    "september|sept|sep|septembre|septiembre|setiembre|settembre|setembro|сентября|września|eylül|सितंबर|सितम्बर"
    "|سبتمبر|вересня|září|syyskuuta|szeptember|septembrie|σεπτεμβρίου",
    "october|oct|oktober|okt|octobre|octubre|ottobre|outubro|октября|października|ekim|अक्टूबर|अक्तूबर|أكتوبر"
    "|жовтня|října|lokakuuta|október|octombrie|οκτωβρίου",
    "november|nov|novembre|noviembre|novembro|ноября|listopada|kasım|नवंबर|नवम्बर|نوفمبر|листопада|listopadu"
    "|marraskuuta|noiembrie|νοεμβρίου",
    "december|dec|dezember|dez|décembre|diciembre|dicembre|dezembro|декабря|grudnia|aralık|दिसंबर|दिसम्बर|ديسمبر"
    "|грудня|desember|prosince|joulukuuta|decembrie|δεκεμβρίου",
)


def _one_of(names: Iterable[str]) -> str:
    """Return a pattern of the longest of some names, tried by first letters: far cheaper than all in turn."""
    groups: dict[str, list[str]] = {}
    for name in sorted(names, key=len, reverse=True):
        groups.setdefault(name[0], []).append(name[1:])
    tried = "|".join(f"{first}(?:{'|'.join(rests)})" for first, rests in groups.items())
    return f"(?:(?=[{''.join(groups)}])(?:{tried}))"


MONTH_NUMBERS = {name: at for at, names in enumerate(MONTHS, 1) for name in names.split("|")}
MONTH = _one_of(MONTH_NUMBERS)

DATE = re.compile(
    rf"""(?<![0-9A-Za-z_/.-])(?:
    [0-9]{{4}}[-/.][0-9]{{1,2}}(?![0-9])(?:[-/.][0-9]{{0,2}})?
    |[0-9]{{1,2}}[-/.][0-9]{{1,2}}[-/.][0-9]{{4}}
    |[0-9]{{4}}[ ]?年[ ]?[0-9]{{1,2}}[ ]?月[ ]?[0-9]{{1,2}}[ ]?日
    |[0-9]{{1,2}}(?:st|nd|rd|th|\.)?(?:[ ](?:of|de))?[ ]{MONTH}\b\.?,?[ ](?:del?[ ])?[0-9]{{3,4}}
    |{MONTH}\b\.?[ ](?:the[ ])?[0-9]{{1,2}}(?:st|nd|rd|th)?,?[ ][0-9]{{3,4}}
    |[0-9]{{8}}(?![\w-])
    |(?P<partial>[0-9]{{1,2}}(?:st|nd|rd|th|\.)?(?:[ ](?:of|de))?[ ]{MONTH}\b
      |{MONTH}\b\.?[ ](?:the[ ])?[0-9]{{1,2}}(?:st|nd|rd|th)?(?!\w))
    )""",
    re.VERBOSE | re.IGNORECASE,
)
"""The name of a date in a text; ``partial`` where it has no year."""

_WEEKDAYS = (
    "mon|monday|tue|tues|tuesday|wed|wednesday|thu|thur|thurs|thursday|fri|friday|sat|saturday|sun|sunday"
    "|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag"
    "|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
    "|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
    "|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica"
    "|segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira"
    "|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag"
    "|måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag|mandag|tirsdag|lørdag|søndag"
    "|poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela"
    "|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье"
    "|понеділок|вівторок|середа|пʼятниця|субота|неділя"
    "|pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar"
    "|सोमवार|मंगलवार|बुधवार|गुरुवार|शुक्रवार|शनिवार|रविवार"
    "|الاثنين|الثلاثاء|الأربعاء|الخميس|الجمعة|السبت|الأحد"
)
WEEKDAY = _one_of(_WEEKDAYS.split("|"))

AND = "und|et|y|e|en|och|og|oraz|i|и|та|і|ve|और"
TO = "bis|hasta|al?|au"
NOISE = "года|году|року|yılı|les?|l[ao]s|la|el|il|der|die|das|den|het"

CLUES = (
    r"(?:,? (?:das|der|die) (?:alle|sämtliche) (?:hinweise|bedingungen|kriterien) erfüll(?:t|en)"
    r"| erfüll(?:t|en) (?:alle|sämtliche) (?:hinweise|bedingungen|kriterien)"
    r"|(?: qui)?(?: ne)? (?:satisf\w+|respect\w+|vérifi\w+|rempli\w+)(?: à)? tou(?:te)?s les"
    r" (?:conditions|contraintes|indices|critères)"
    r"|(?: que)? (?:cumpl\w+|satisf\w+)(?: con)? tod[oa]s l[oa]s (?:pistas|condiciones|restricciones)"
    r"|(?: che)? (?:soddisf\w+|rispett\w+) tutt[ie] (?:gli indizi|le condizioni)"
    r"|(?: que)? (?:satisf\w+|atend\w+|cumpr\w+)(?: a)? tod[oa]s as (?:pistas|condições)"
    r"|(?: die)? (?:voldoe\w+ )?aan alle (?:aanwijzingen|voorwaarden)(?: voldoe\w+)?"
    r"|(?:满足|符合)(?:所有|全部)(?:的)?(?:线索|条件))"
)
"""Which satisfy all the clues."""

_NO_DATE = (
    r"(?:es gibt )?kein(?:e[nrs]?)?(?: (?:solche[nrs]?|gültige[nrs]?|einzige[nrs]?))?"
    r"(?: (?:datum|daten|tage?|lösung(?:en)?))?"
    r"|(?:il n'y a |il n'existe )?aucune?(?: (?:dates?|jours?|solutions?))?"
    r"(?: ne (?:convien\w+|correspond\w*|fonctionne\w*)(?! pas))?"
    r"|(?:no (?:hay|existe) )?ningun[oa]?(?: (?:fecha|día|solución))?"
    r"|(?:non (?:c'è|esiste) )?nessun[oa]?(?: (?:data|giorno|soluzione))?"
    r"|(?:não (?:há|existe) )?nenhuma?(?: (?:data|dia|solução))?"
    r"|(?:er is )?geen(?: enkele?)?(?: (?:datum|data|dag|oplossing))?"
    r"|ing(?:a|en|et)(?: (?:datum|dag|dato|datoer|lösning))?"
    r"|brak(?: takich)?(?: (?:dat|daty|rozwiązań))?|żadna(?: data)?|žádn[áéý](?: datum)?|nincs(?: ilyen dátum)?"
    r"|(?:таких )?(?:дат|решений) нет|нет(?: таких)?(?: (?:дат|решений))?|ни одной(?: даты)?"
    r"|(?:таких )?дат немає|немає(?: таких)?(?: дат)?|жодно[їго]+(?: дати)?|καμία(?: ημερομηνία)?"
    r"|(?:(?:böyle |uygun )?(?:bir )?tarih )?yok|hiçbir(?:i| tarih)|tidak ada(?: tanggal)?|nicio dată"
    r"|कोई (?:भी )?(?:(?:तिथि|तारीख|तारीख़) )?नहीं(?: है)?|لا (?:يوجد|توجد)(?: أي)?(?: (?:تاريخ|تواريخ))?"
    r"|没有|沒有|(?:没有|沒有|[无無])任?何?(?:这样的|(?:符合|满足|滿足)(?:所有|全部|以上)?(?:条件|條件|线索|線索)的)?"
    r"(?:日期|解|答案)|不存在|[无無]"
    r"|該当(?:する日(?:付)?は?)?な[しい]|(?:該当する日(?:付)?は)?存在しない|なし"
    r"|해당(?: 날짜)? ?없음|(?:(?:그런|해당하는) )?날짜[가는] 없(?:다|음|습니다)|없(?:다|음|습니다)"
)
# (That a letter follows is looked at first: it is far cheaper than to try every word.)
_FITS = (
    "(?: (?:erfüllt sie|passt|convient|cumple|sirve|va bene|soddisfa|serve|satisfaz|atende|voldoet|voldoen|past"
    "|passar"
    "|passer|pasuje|подходит|подходят|uygun))"
)
NO_DATES = rf"(?=[^\W\d_])(?<!\w)(?:{_NO_DATE})(?:{CLUES}|{_FITS})?(?!\w)"

NO_OTHER = (
    r"(?:th[eo]se (?:[a-z]{3,5}(?: dates?)?,? )?)?(?:and )?(?:no (?:others?|more)(?: dates?| days?| solutions?)?"
    r"|nothing else)"
    r"|kein(?:e|en)? (?:andere[nrs]?|weitere[nrs]?)(?: (?:datum|daten|tage?))?|aucune? autre(?: (?:date|jour))?"
    r"|ningun[oa] otr[oa]|ninguna otra fecha|nessun'altra(?: data)?|nenhuma outra(?: data)?|geen andere(?: data)?"
    r"|inga andra(?: datum)?|других (?:дат )?нет|інших (?:дат )?немає|brak innych(?: dat)?|başka (?:tarih )?yok"
    r"|(?:没有|沒有|[无無])其他(?:日期|解|答案)?|(?:他|ほか)に(?:日付)?はない|他になし"
    r"|다른 (?:날짜|답)[은는] 없(?:다|음|습니다)"
)
"""That there is no date beside those of the list."""

_THE_DATES = (
    r"(?:das datum|der tag|die lösung|die (?:[a-zäöüß]{3,6} )?(?:daten|tage|lösungen)|la date|la solution"
    r"|les (?:\w{4,6} )?(?:dates|solutions)|la (?:fecha|solución)|las (?:\w{3,6} )?(?:fechas"
    r"|soluciones)|la (?:data|soluzione)|le (?:date|soluzioni)"
    r"|a (?:data|solução)|as (?:datas|soluções)|de (?:datum|data|oplossing(?:en)?))"
)
_ONLY_DATES = (
    r"(?:das einzige datum|der einzige tag|die einzige lösung|die einzigen (?:daten|tage|lösungen)"
    r"|das gesuchte datum|der gesuchte tag|die gesuchten (?:tage|daten)|las? fechas? buscadas?"
    r"|la seule date|l'unique date|la seule solution|les seules (?:dates|solutions)"
    r"|la única (?:fecha|solución)|las únicas (?:fechas|soluciones)"
    r"|l'unica (?:data|soluzione)|le uniche (?:date|soluzioni)|a única (?:data|solução)|as únicas (?:datas|soluções)"
    r"|de enige (?:datum|data|oplossing(?:en)?))"
)
ONLY_DATE = (
    rf"(?:(?:{_ONLY_DATES}{CLUES}?|{_THE_DATES}{CLUES}),? (?:ist|sind|est|sont|es|son|è|sono|é|são|is|zijn)"
    r"|(?:somit |also |damit )?erfüllen (?:genau|nur) (?:[a-zäöüß]{3,8} )?(?:tage|daten)"
    r" alle (?:hinweise|bedingungen)|alle (?:hinweise|bedingungen) erfüllen (?:genau|nur)"
    rf"|{CLUES}的(?:日期|解|答案)(?:共|一共|总共)?有[一二两三四五六七八九十0-9]+[个個]"
    rf"|[^\n:]{{0,40}}(?:唯一(?:{CLUES})?的?|{CLUES}的)(?:日期|解|答案)[是为為]"
    r"|(?:よって|したがって|ゆえに)?,? ?(?:求める|該当する)日(?:付)?は)"
)
"""The only date is, the dates that satisfy all clues are: words in front of a list."""

DOUBTS = (
    r"\b(?:nicht (?:ganz |völlig |mehr )?sicher|zurücknehm\w+|nehme[^.\n]{1,30}zurück|unsicher|vielleicht"
    r"|möglicherweise|eventuell|vermutlich|wahrscheinlich"
    r"|geraten|korrektur|korrigiere|irrtum|geirrt|vergessen|übersehen|stattdessen|(?:ist|war) falsch|unvollständig"
    r"|(?<!kein )(?<!keine )(?<!keinen )weitere[nrs]? (?:tage?|datum|daten|lösung(?:en)?)"
    r"(?![^.\n]*\b(?:nicht|keine)\b))\b"
    r"|\b(?:no estoy (?:del todo |muy )?segur[oa]|insegur[oa]|quizás?|tal vez|a lo mejor|posiblemente|probablemente"
    r"|corrección|corrijo|rectifico|me equivoqu\w+|me retracto|retiro (?:mi|la|lo|esa|esta)|en realidad"
    r"|olvid\w+|es incorrect[oa]|incomplet[oa]s?|adivin\w+"
    r"|(?:podría|puede)n? haber)\b"
    r"|\b(?:pas (?:tout à fait |entièrement |complètement )?(?:sûre?s?|certaine?s?)|peut-être|probablement"
    r"|plutôt|trompée?|correction|corrige|en fait|oublié\w*|incomplète?s?|il se p(?:eut|ourrait)"
    r"|non (?:ne )?sono (?:del tutto )?sicur[oa]|forse|probabilmente|sbagliat\w+|correzione|in realtà|dimenticat\w+"
    r"|não (?:tenho certeza|estou certo)|talvez"
    r"|provavelmente|errei|enganei|correção|na verdade|esquec\w+|niet (?:helemaal )?zeker|misschien|waarschijnlijk"
    r"|vergist|correctie|eigenlijk|не уверен\w*|возможно|вероятно|ошиб\w+|исправ\w+|на самом деле|забыл\w*)\b"
    r"|不(?:太|大|能|完全)?(?:确定|確定|肯定)|(?:也|还|很|有)可能|可能(?:是|还|为|有|不|漏)|也许|也許|或许|或許|大概|猜测|猜的|更正|纠正|弄错|错了|有误|其实|作废|撤回|重新确认"
    r"|不完整|遗漏|还有其[他它]"
)
"""Words behind a list that doubt it or take it back, in the languages of our prompts other than English."""
