//! Time puzzles: all dates of a range on which every clue holds, given the facts of the certificate; and conversions.

use crate::calendar::{self, begin, civil, date, easter, hebrew, month_of, week, weekday, written, Day, Month};
use crate::words::{Pattern, Words};
use crate::{json::Json, json::Read, spend, Check, Fail::Refuted, Fail::Unknown};
use std::collections::{BTreeSet, HashMap};

macro_rules! files {
    ($($name:literal)*) => { [$(include_str!(concat!("../../harness_proof/prompts/", $name, ".txt"))),*] };
}

/// Puzzles and conversions in each language.
const PUZZLES: [&str; 4] = files!["timepuzzles" "timepuzzles_de" "timepuzzles_es" "timepuzzles_zh"];
const CONVERSIONS: [&str; 4] = files!["conversions" "conversions_de" "conversions_es" "conversions_zh"];

type Test = Box<dyn Fn(&Day) -> bool>;

/// What clues rest on: the certificate, and the first and the last day of the range.
struct Basis<'a> {
    proof: &'a Json,
    first: i64,
    last: i64,
}

pub fn check(prompt: &str, target: &str, proof: &Json) -> Check {
    let begins = |file: &&str| file.split(['«', '\n']).next().is_some_and(|words| prompt.starts_with(&words[1..]));
    let file = PUZZLES.into_iter().chain(CONVERSIONS).find(begins).ok_or(Unknown("a prompt of another form"))?;
    let words = Words::new(file, prompt).read(prompt)?;
    if words.row("written").is_some() {
        return convert(&words, target, proof);
    }
    let range = date(words.value("first")).zip(date(words.value("last")));
    let (first, last) =
        range.filter(|(first, last)| (0..366_000).contains(&(last - first))).ok_or(Unknown("the range"))?;
    let tests = Basis { proof, first, last }.tests(&words)?;
    spend((1 + last - first) as usize * (10 + tests.len()))?;
    let found = (first..=last).map(civil).filter(|day| tests.iter().all(|test| test(day)));
    let found: Vec<String> = found.map(|day| written(day.count)).collect();
    let right = if found.is_empty() { "none".to_string() } else { found.join(", ") };
    Refuted("the clues hold on other dates").when(target != right)
}

/// Whether something of a day is one of these numbers.
fn is(what: impl Fn(&Day) -> i64 + 'static, wanted: impl IntoIterator<Item = i64>) -> Test {
    let wanted: BTreeSet<i64> = wanted.into_iter().collect();
    Box::new(move |d| wanted.contains(&what(d)))
}

impl Basis<'_> {
    /// The tests of all clues, if the notes are those that they need.
    fn tests(&self, words: &Words) -> Check<Vec<Test>> {
        let form = |(before, text)| (before, Pattern::new(&words.fill(text)));
        let forms: Vec<(&str, Pattern)> = words.all("clue ").map(form).collect();
        let places: HashMap<&str, i64> = words.all("list ").flat_map(|(_, text)| text.split('|').zip(1..)).collect();
        let (mut tests, mut needed) = (Vec::new(), Vec::new());
        for (i, line) in words.value("clues").lines().enumerate() {
            let sentence = line.strip_prefix(&format!("{}. ", i + 1)).filter(|_| i < 40).unwrap_or("");
            let clue = forms.iter().find_map(|(before, pattern)| Some((before, pattern.fit(sentence)?)));
            let (before, groups) = clue.ok_or(Unknown("a clue of another form"))?;
            let (meaning, note) = before.split_once(' ').unwrap_or((before, ""));
            let (meaning, more) = meaning.split_once(':').unwrap_or((meaning, ""));
            let values = groups.into_iter().chain(more.split(':')).filter(|value| !value.is_empty());
            let number = |value: &str| places.get(value).copied().or(value.parse().ok());
            let numbers: Vec<i64> = values.clone().filter_map(number).collect();
            let texts: Vec<&str> = values.filter(|value| number(value).is_none()).collect();
            tests.push(self.clue(meaning, &numbers, &texts)?);
            let note = words.text(note).map(|note| format!("- {note}\n"));
            needed.extend(note.filter(|note| !needed.contains(note)));
        }
        words.says("notes", &needed.concat()).map(|_| tests)
    }

    fn clue(&self, meaning: &str, numbers: &[i64], texts: &[&str]) -> Check<Test> {
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| numbers.get(i).copied().unwrap_or(0));
        let text = texts.first().copied().unwrap_or("");
        Ok(match meaning {
            "year" => is(|d| d.year, [a]),
            "decade" => is(|d| d.year, a..a + 10),
            "leap" => is(|d| begin(d.year, 3) - begin(d.year, 2), [29]),
            "years" => {
                let years = text.split(|c: char| !c.is_ascii_digit()).filter_map(|year| year.parse().ok());
                is(|d| d.year, years.chain(numbers.iter().copied()))
            }
            "month" => is(|d| d.month, [a]),
            "season" => is(|d| d.month % 12 / 3 + 1, [a]),
            "sign" => is(sign, [a]),
            "week" => is(|d| week(d.count).1, [a]),
            "nth" => Box::new(move |day| weekday(day.count) == b && nth(day, c == 1, d == -1) == a),
            "end" => is(|d| begin(d.year, d.month + 1) - d.count, [1]),
            "day" => is(|d| d.day, [a]),
            "before" => is(|d| d.day, 1..a),
            "after" => is(|d| d.day, a + 1..32),
            "day-of-year" => is(|d| d.count - begin(d.year, 1) + 1, [a]),
            "weekday" => is(|d| weekday(d.count), numbers.iter().copied()),
            "easter" => is(move |d| d.count - easter(d.year, a), [0]),
            "from-easter" => is(move |d| d.count - easter(d.year, b), [a * c]),
            "calendar" => {
                let months = match b {
                    3 => hebrew(civil(self.first).year, civil(self.last).year),
                    4 => calendar::read("islamic", self.proof, self.first, self.last)?,
                    _ => calendar::read("chinese", self.proof, self.first, self.last)?,
                };
                is(move |d| month_of(&months, d.count).number, [a])
            }
            "zodiac" => {
                let months = calendar::read("chinese", self.proof, self.first, self.last)?;
                is(move |d| (month_of(&months, d.count).year - 4).rem_euclid(12) + 1, [a])
            }
            "spans" => {
                let ends = |span: &str| Some((span.get(..10)?.to_string(), span.get(span.len() - 10..)?.to_string()));
                let spans = text.split([';', '；']).map(str::trim);
                let spans = spans.filter(|span| span.starts_with(|c: char| c.is_ascii_digit())).map(ends);
                self.days(spans.collect::<Option<_>>().ok_or(Unknown("a period"))?)?
            }
            "period" => self.days(self.fact(text)?)?,
            "office" => self.days(self.fact(&texts.join(" held the office of "))?)?,
            "fact" => {
                let years: Vec<i64> = self.fact(text)?;
                Unknown("a year of a fact").when(!years.iter().all(|year| (1..=9999).contains(year)))?;
                is(|d| d.year, years)
            }
            "event" => {
                // What may be missing of the date does not matter, but what is there has to exist.
                let mut fact: String = self.fact(text)?;
                let known = [4, 7, 10].iter().position(|length| *length == fact.len()).filter(|last| a <= *last as i64);
                fact += "0001-01-01".get(fact.len()..).unwrap_or("");
                let fact = date(&fact).filter(|_| known.is_some()).map(civil).ok_or(Unknown("a date"))?;
                let part = move |d: &Day| [d.year, d.month, d.day][a as usize];
                is(part, [part(&fact)])
            }
            "again" => self.again(text, a)?,
            _ => return Err(Unknown("a clue of another meaning")),
        })
    }

    /// A fact of the certificate.
    fn fact<T: Read>(&self, name: &str) -> Check<T> {
        let facts: Json = self.proof.get("facts")?;
        Ok(facts.get::<(T, Json)>(name)?.0)
    }

    /// That a day of the range is in one of these periods.
    fn days(&self, periods: Vec<(String, String)>) -> Check<Test> {
        let (mut days, mut least, mut count) = (Vec::new(), i64::MIN, 0);
        for (from, to) in periods {
            let (from, to) = date(&from).zip(date(&to)).ok_or(Unknown("a period"))?;
            count += to - from + 1;
            Unknown("periods in another order, or too long").when(from <= least || from > to || count > 500_000)?;
            days.extend(from.max(self.first)..=to.min(self.last));
            least = to;
        }
        Ok(is(|d| d.count, days))
    }

    /// That a day is one of those of something that comes again after `n` days or one more.
    fn again(&self, name: &str, n: i64) -> Check<Test> {
        let (first, signs): (String, String) = self.fact(name)?;
        let first = date(&first).ok_or(Unknown("the first day of a fact"))?;
        let (mut last, mut days) = (first, vec![first]);
        for sign in signs.chars() {
            Unknown("a sign of a fact").when(!"+-".contains(sign))?;
            last += n + i64::from(sign == '+');
            days.push(last);
        }
        Refuted("a fact does not cover the range").when(first - n >= self.first || last + n <= self.last)?;
        Ok(is(|d| d.count, days))
    }
}

/// The sign of the zodiac.
fn sign(d: &Day) -> i64 {
    const BEGINS: [i64; 12] = [20, 19, 21, 20, 21, 21, 23, 23, 23, 23, 22, 22];
    let before = d.day < BEGINS[d.month as usize - 1];
    (d.month + 11 - i64::from(before)) % 12 + 1
}

/// Which of the same days of the week of its year or month a day is, or counted from the end.
fn nth(d: &Day, of_year: bool, from_end: bool) -> i64 {
    let (first, after) = if of_year { (1, 13) } else { (d.month, d.month + 1) };
    (if from_end { begin(d.year, after) - 1 - d.count } else { d.count - begin(d.year, first) }) / 7 + 1
}

/// Checks a conversion: the certificate's day has to be written so in both calendars.
fn convert(words: &Words, target: &str, proof: &Json) -> Check {
    let day = date(&proof.get::<String>("day")?).ok_or(Unknown("a day of another form"))?;
    let said = |what, calendar: &str, value| words.row(&format!("{what} {calendar}")) == Some(words.value(value));
    let find = |called, rule| {
        let mut names = words.all("name ").map(|row| row.0);
        names.find(|name| said("name", name, called) && said("rule", name, rule))
    };
    let calendars = find("source", "given").zip(find("wanted", "asked"));
    let (source, wanted) = calendars.ok_or(Unknown("a calendar that is not known"))?;
    Unknown("the form of the answer").when(!said("form", wanted, "form"))?;
    Refuted("the day is not the date of the prompt").when(write(words, source, day, proof)? != words.value("date"))?;
    // Labels are English in all languages.
    Refuted("the label is not the day").when(write(&Words::new(CONVERSIONS[0], ""), wanted, day, proof)? != target)
}

/// A day as it is written in a calendar.
fn write(words: &Words, calendar: &str, day: i64, proof: &Json) -> Check<String> {
    let year = civil(day).year;
    let months = match calendar {
        "gregorian" => return Ok(written(day)),
        "ordinal" => return Ok(format!("{year:04}-{:03}", day - begin(year, 1) + 1)),
        "iso_week" => return Ok(format!("{:04}-W{:02}-{}", week(day).0, week(day).1, weekday(day))),
        "hebrew" => hebrew(year, year),
        _ => calendar::read(calendar, proof, day, day)?,
    };
    let Month { first, year, number, again } = month_of(&months, day);
    let (year, day) = (format!("{year:04}"), day - first + 1);
    if calendar != "hebrew" {
        return Ok(format!("{year}-{number:02}{}-{day:02}", "L".repeat(*again)));
    }
    let name = words.row("hebrew").and_then(|names| names.split('|').nth(*number as usize - 1 + again)).unwrap_or("");
    let form = words.row("written").unwrap_or("").replace("«year»", &year);
    Ok(form.replace("«month»", name).replace("«day»", &day.to_string()))
}
