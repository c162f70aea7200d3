//! Time puzzles: all dates of a range on which every clue holds, given the facts of the certificate; and conversions.

use crate::calendar::{self, civil, date, days_before, easter, hebrew, leap, month_of, week, weekday, written, Month};
use crate::words::{Pattern, Words};
use crate::{json::Json, json::Read, refuted_if, spend, unknown, unknown_if, Fail};
use std::collections::{BTreeSet, HashMap};

const FILES: [&str; 4] = [
    include_str!("../../harness_proof/prompts/timepuzzles.txt"),
    include_str!("../../harness_proof/prompts/timepuzzles_de.txt"),
    include_str!("../../harness_proof/prompts/timepuzzles_es.txt"),
    include_str!("../../harness_proof/prompts/timepuzzles_zh.txt"),
];
const CONVERSIONS: [&str; 4] = [
    include_str!("../../harness_proof/prompts/conversions.txt"),
    include_str!("../../harness_proof/prompts/conversions_de.txt"),
    include_str!("../../harness_proof/prompts/conversions_es.txt"),
    include_str!("../../harness_proof/prompts/conversions_zh.txt"),
];

/// A day by its number, and year, month and day of the month.
struct Day {
    count: i64,
    year: i64,
    month: i64,
    day: i64,
}

/// Something of a day, which has to be one of these numbers.
type Test = (Box<dyn Fn(&Day) -> i64>, BTreeSet<i64>);

/// What clues rest on: the certificate, and the first and the last day of the range.
struct Basis<'a> {
    proof: &'a Json,
    first: i64,
    last: i64,
}

pub fn check(prompt: &str, target: &str, proof: &Json) -> Result<(), Fail> {
    spend(prompt.len())?;
    let first = format!("|{}", prompt.lines().next().unwrap_or(""));
    let Some(file) = FILES.into_iter().find(|file| file.lines().next() == Some(&first)) else {
        return convert(prompt, target, proof);
    };
    let words = Words::new(file, prompt).read(prompt).ok_or(unknown("the prompt has a sentence that is not known"))?;
    let range = date(words.value("first")).zip(date(words.value("last"))).ok_or(unknown("the range of dates"))?;
    let basis = Basis { proof, first: range.0, last: range.1 };
    unknown_if(!(0..366_000).contains(&(basis.last - basis.first)), "the range of dates")?;
    let tests = basis.tests(&words)?;
    let mut found = Vec::new();
    for count in basis.first..=basis.last {
        spend(10 + tests.len())?;
        let (year, month, day) = civil(count);
        let day = Day { count, year, month, day };
        if tests.iter().all(|(what, wanted)| wanted.contains(&what(&day))) {
            found.push(written(count));
        }
    }
    let right = if found.is_empty() { "none".to_string() } else { found.join(", ") };
    refuted_if(target != right, &format!("the clues hold on other dates, {} of them", found.len()))
}

/// A test of one thing.
fn is(what: impl Fn(&Day) -> i64 + 'static, wanted: impl IntoIterator<Item = i64>) -> Vec<Test> {
    vec![(Box::new(what), wanted.into_iter().collect())]
}

impl Basis<'_> {
    /// The tests of all clues, if the notes are those that they need.
    fn tests(&self, words: &Words) -> Result<Vec<Test>, Fail> {
        let forms = words.rows.iter().filter_map(|(before, _, text)| Some((before.strip_prefix("clue ")?, text)));
        let forms: Vec<_> = forms.map(|(before, text)| (before, Pattern::new(&words.fill(text)))).collect();
        let lists = words.rows.iter().filter(|(before, ..)| before.starts_with("list "));
        let places: HashMap<&str, i64> = lists.flat_map(|(.., text)| text.split('|').zip(1..)).collect();
        let (mut tests, mut needed) = (Vec::new(), Vec::new());
        for (i, line) in words.value("clues").lines().enumerate() {
            let sentence = line.strip_prefix(&format!("{}. ", i + 1)).filter(|_| i < 40).unwrap_or("");
            let clue = forms.iter().find_map(|(before, pattern)| Some((before, pattern.fit(sentence)?)));
            let (before, groups) = clue.ok_or_else(|| unknown(format!("a clue: {line}")))?;
            let (meaning, note) = before.split_once(' ').unwrap_or((before, ""));
            let (meaning, more) = meaning.split_once(':').unwrap_or((meaning, ""));
            let (mut numbers, mut texts) = (Vec::new(), Vec::new());
            for group in groups.into_iter().chain(more.split(':')).filter(|group| !group.is_empty()) {
                match places.get(group).copied().or(group.parse().ok()) {
                    Some(number) => numbers.push(number),
                    None => texts.push(group),
                }
            }
            tests.extend(self.clue(meaning, &numbers, &texts)?);
            let note = words.text(note).map(|note| format!("- {note}\n"));
            needed.extend(note.filter(|note| !needed.contains(note)));
        }
        unknown_if(words.value("notes") != needed.concat(), "the notes are not those that the clues need")?;
        Ok(tests)
    }

    fn clue(&self, meaning: &str, numbers: &[i64], texts: &[&str]) -> Result<Vec<Test>, Fail> {
        let (text, n) = (texts.first().copied().unwrap_or(""), |i: usize| numbers.get(i).copied().unwrap_or(0));
        let (a, b) = (n(0), n(1));
        Ok(match meaning {
            "year" => is(|d| d.year, [a]),
            "decade" => is(|d| d.year, a..a + 10),
            "leap" => is(|d| leap(d.year).into(), [1]),
            "years" => {
                let years = text.split(|c: char| !c.is_ascii_digit()).filter_map(|year| year.parse().ok());
                is(|d| d.year, years.chain(numbers.iter().copied()))
            }
            "month" => is(|d| d.month, [a]),
            "season" => is(|d| d.month % 12 / 3 + 1, [a]),
            "sign" => is(sign, [a]),
            "week" => is(|d| week(d.count).1, [a]),
            "nth" => {
                [is(|d| weekday(d.count), [b]), is(nth(n(2) == 1, n(3) == -1), [a])].into_iter().flatten().collect()
            }
            "end" => is(|d| days_before(d.year, d.month + 1) - d.count, [1]),
            "day" => is(|d| d.day, [a]),
            "before" => is(|d| d.day, 1..a),
            "after" => is(|d| d.day, a + 1..32),
            "day-of-year" => is(|d| d.count - days_before(d.year, 1) + 1, [a]),
            "weekday" => is(|d| weekday(d.count), numbers.iter().copied()),
            "easter" => is(move |d| d.count - easter(d.year, a), [0]),
            "from-easter" => is(move |d| d.count - easter(d.year, b), [a * n(2)]),
            "calendar" => {
                let months = match b {
                    3 => hebrew(civil(self.first).0, civil(self.last).0),
                    4 => self.months("islamic")?,
                    _ => self.months("chinese")?,
                };
                is(move |d| month_of(&months, d.count).number, [a])
            }
            "zodiac" => {
                let months = self.months("chinese")?;
                is(move |d| (month_of(&months, d.count).year - 4).rem_euclid(12) + 1, [a])
            }
            "spans" => {
                let ends = |span: &str| Some((span.get(..10)?.to_string(), span.get(span.len() - 10..)?.to_string()));
                let spans = text.split([';', '；']).map(str::trim);
                let spans = spans.filter(|span| span.starts_with(|c: char| c.is_ascii_digit())).map(ends);
                let spans = spans.collect::<Option<Vec<_>>>().ok_or(unknown("a period"))?;
                is(|d| d.count, self.days(spans)?)
            }
            "period" => is(|d| d.count, self.days(self.fact(text)?)?),
            "office" => is(|d| d.count, self.days(self.fact(&texts.join(" held the office of "))?)?),
            "fact" => is(|d| d.year, self.fact::<Vec<i64>>(text)?),
            "event" => {
                let part = self.fact::<String>(text)?.split('-').nth(a as usize).and_then(|part| part.parse().ok());
                is(move |d| [d.year, d.month, d.day][a as usize], part)
            }
            "again" => is(|d| d.count, self.again(text, a)?),
            _ => return Err(unknown("a clue of another meaning")),
        })
    }

    fn months(&self, name: &str) -> Result<Vec<Month>, Fail> {
        calendar::read(name, self.proof, self.first, self.last)
    }

    /// A fact of the certificate.
    fn fact<T: Read>(&self, name: &str) -> Result<T, Fail> {
        let facts: Json = self.proof.get("facts")?;
        Ok(facts.get::<(T, Json)>(name)?.0)
    }

    /// The days of periods that are in the range.
    fn days(&self, periods: Vec<(String, String)>) -> Result<Vec<i64>, Fail> {
        let (mut days, mut least, mut count) = (Vec::new(), i64::MIN, 0);
        for (from, to) in periods {
            let (from, to) = date(&from).zip(date(&to)).ok_or(unknown("a period"))?;
            count += to - from + 1;
            unknown_if(from <= least || from > to || count > 500_000, "periods in another order, or too long")?;
            days.extend(from.max(self.first)..=to.min(self.last));
            least = to;
        }
        Ok(days)
    }

    /// The days of something that comes again after `n` days or one more.
    fn again(&self, name: &str, n: i64) -> Result<Vec<i64>, Fail> {
        let (first, signs): (String, String) = self.fact(name)?;
        let mut days = vec![date(&first).ok_or(unknown("the first day of a fact"))?];
        for sign in signs.chars() {
            let step = if sign == '+' { n + 1 } else { n };
            unknown_if(!"+-".contains(sign), "a sign of a fact")?;
            days.push(days[days.len() - 1] + step);
        }
        let all = days[0] - n < self.first && days[days.len() - 1] + n > self.last;
        refuted_if(!all, "a fact does not cover the range")?;
        Ok(days)
    }
}

/// The sign of the zodiac.
fn sign(d: &Day) -> i64 {
    const BEGINS: [i64; 12] = [20, 19, 21, 20, 21, 21, 23, 23, 23, 23, 22, 22];
    let sign = d.month - i64::from(d.day < BEGINS[d.month as usize - 1]);
    if sign == 0 {
        12
    } else {
        sign
    }
}

/// Which of the same days of the week of its year or month a day is, or counted from the end.
fn nth(of_year: bool, from_end: bool) -> impl Fn(&Day) -> i64 {
    move |d| {
        let (first, after) = if of_year { (1, 13) } else { (d.month, d.month + 1) };
        let (first, after) = (days_before(d.year, first), days_before(d.year, after));
        (if from_end { after - 1 - d.count } else { d.count - first }) / 7 + 1
    }
}

/// Checks a conversion: the certificate's day has to be written so in both calendars.
fn convert(prompt: &str, target: &str, proof: &Json) -> Result<(), Fail> {
    let begins = |file: &&str| file.split('«').next().is_some_and(|words| prompt.starts_with(&words[1..]));
    let file = CONVERSIONS.into_iter().find(begins).ok_or(unknown("a prompt of another form"))?;
    let words = Words::new(file, prompt).read(prompt).ok_or(unknown("the prompt has a sentence that is not known"))?;
    // Labels are those of the English prompts.
    let english = Words::new(CONVERSIONS[0], "");
    let day = date(&proof.get::<String>("day")?).ok_or(unknown("a day of another form"))?;
    let names = || words.rows.iter().filter_map(|(before, ..)| before.strip_prefix("name "));
    let said = |what, calendar: &str, value| words.row(&format!("{what} {calendar}")) == Some(words.value(value));
    let source = names().find(|name| said("name", name, "source") && said("rule", name, "given"));
    let wanted = names().find(|name| said("name", name, "wanted") && said("rule", name, "asked"));
    let (source, wanted) = source.zip(wanted).ok_or(unknown("a calendar that is not known"))?;
    unknown_if(!said("form", wanted, "form"), "the form of the answer")?;
    refuted_if(write(&words, source, day, proof)? != words.value("date"), "the day is not the date of the prompt")?;
    refuted_if(write(&english, wanted, day, proof)? != target, "the label is not the day")
}

/// A day as it is written in a calendar.
fn write(words: &Words, calendar: &str, day: i64, proof: &Json) -> Result<String, Fail> {
    let year = civil(day).0;
    Ok(match calendar {
        "gregorian" => written(day),
        "ordinal" => format!("{year:04}-{:03}", day - days_before(year, 1) + 1),
        "iso_week" => format!("{:04}-W{:02}-{}", week(day).0, week(day).1, weekday(day)),
        "hebrew" => {
            let months = hebrew(year, year);
            let Month { first, year, number, again } = month_of(&months, day);
            let name = words.row("hebrew").and_then(|names| names.split('|').nth(*number as usize - 1 + again));
            let form = words.row("written").unwrap_or("").replace("«year»", &format!("{year:04}"));
            form.replace("«month»", name.unwrap_or("")).replace("«day»", &(day - first + 1).to_string())
        }
        _ => {
            let months = calendar::read(calendar, proof, day, day)?;
            let Month { first, year, number, again } = month_of(&months, day);
            format!("{year:04}-{number:02}{}-{:02}", "L".repeat(*again), day - first + 1)
        }
    })
}
