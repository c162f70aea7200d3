//! Time puzzles: all dates of a range on which every clue holds, given the facts of the certificate.

use crate::{form, json::Json, number, refuted_if, spend, unknown_if, Fail, Need};
use std::collections::BTreeSet;

/// How clues are to be read, each after its mark.
const RULES: &str = include_str!("prompts/timepuzzles_rules.txt");
const FORM: &str = include_str!("prompts/timepuzzles.txt");
const MONTHS: &str = "January February March April May June July August September October November December";
const DAYS: &str = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday";
const SEASONS: &str = "winter spring summer autumn";
const ANIMALS: &str = "Rat Ox Tiger Rabbit Dragon Snake Horse Goat Monkey Rooster Dog Pig";

/// What clues ask of a date. Days are counted from 1970-01-01, days of the week and animals from 0.
struct Day {
    count: i64,
    year: i64,
    month: i64,
    day: i64,
    length: i64, // of its month
    weekday: i64,
    moon: i64,
    animal: i64,
}

type Test = Box<dyn Fn(&Day) -> bool>;
/// What stands before and after the words that matter, the mark of the rule, and what these words ask.
type Form = (&'static str, &'static str, &'static str, fn(&str, &Json) -> Option<Test>);

/// The clues; a form whose words do not fit leaves the clue to a later one.
const FORMS: [Form; 25] = [
    ("The year is one of the years of ", "", "years", of_years),
    ("", " were held in that year", "games", of_years),
    ("", " was held in that year", "games", of_years),
    ("On that day, ", " was alive", "alive", of_periods),
    ("On that day, ", "", "office", |s, facts| of_periods(Some(s).filter(|s| s.contains(OFFICE))?, facts)),
    ("It is in the same year as ", "", "event", |s, facts| event(s, facts, |d, e| d.year == e.0)),
    (SAME_MONTH, "", "event", |s, facts| event(s, facts, |d, e| d.month == e.1)),
    (SAME_DAY, "", "event", |s, facts| event(s, facts, |d, e| d.day == e.2)),
    ("The date lies in the period from ", "", "period", |s, _| within(vec![period(s)?])),
    ("The date lies in one of these periods: ", "", "period", |s, _| within(all(s, "; ", period)?)),
    ("The day of the month is before the ", "", "before", |s, _| is(ordinal(s, 31)?, |d, n| d.day < *n)),
    ("The day of the month is after the ", "", "before", |s, _| is(ordinal(s, 31)?, |d, n| d.day > *n)),
    ("The day of the month is ", "", "", |s, _| is(whole(s).filter(|n| (1..=31).contains(n))?, |d, n| d.day == *n)),
    ("The month is ", "", "", |s, _| is(place(MONTHS, s)? + 1, |d, n| d.month == *n)),
    ("The season is ", "", "season", |s, _| is(place(SEASONS, s)?, |d, n| d.month % 12 / 3 == *n)),
    ("The year is ", "a leap year", "", |s, _| is((), |d, _| leap(d.year)).filter(|_| s.is_empty())),
    ("The year is one of the ten years from ", "", "", |s, _| {
        let (from, to) = s.split_once(" to ")?;
        is(whole(from).filter(|n| whole(to) == Some(n + 9))?, |d, n| (*n..n + 10).contains(&d.year))
    }),
    ("The year is one of these: ", "", "", |s, _| is(all(s, ", ", whole)?, |d, y: &BTreeSet<i64>| y.contains(&d.year))),
    ("The year is ", "", "", |s, _| is(whole(s)?, |d, n| d.year == *n)),
    ("The Chinese zodiac year is a year of the ", "", "zodiac", |s, _| is(place(ANIMALS, s)?, |d, n| d.animal == *n)),
    ("It is a day in the ", " month of the Chinese lunar calendar", "lunar", |s, _| {
        is(ordinal(s, 12)?, |d, n| d.moon == *n)
    }),
    ("It is the ", " day of its month", "", |s, _| is(place("first last", s)?, |d, n| d.day - 1 == n * (d.length - 1))),
    ("It is the ", " of its month", "", |s, _| {
        let (n, weekday) = s.split_once(' ')?;
        let which = (if n == "last" { 0 } else { ordinal(n, 5)? }, place(DAYS, weekday)?);
        is(which, |d, w| d.weekday == w.1 && if w.0 == 0 { d.day + 7 > d.length } else { (d.day + 6) / 7 == w.0 })
    }),
    ("It is the ", " of its month", "last", |s, _| {
        let (n, weekday) = s.split_once("-to-last ")?;
        let which = (ordinal(n, 5).filter(|n| *n > 1)?, place(DAYS, weekday)?);
        is(which, |d, (n, weekday)| d.weekday == *weekday && (d.length - d.day) / 7 + 1 == *n)
    }),
    ("It is a ", "", "", |s, _| {
        let (most, last) = s.split_once(" or a ").map_or((s, None), |(most, last)| (most, Some(last)));
        let days = most.split(", a ").chain(last).map(|day| place(DAYS, day)).collect::<Option<BTreeSet<i64>>>()?;
        is(days, |d, days| days.contains(&d.weekday)).filter(|_| last.is_some() || !s.contains(','))
    }),
];
const OFFICE: &str = " held the office of ";
const SAME_MONTH: &str = "Whatever the year, it is in the same month of the year as ";
const SAME_DAY: &str = "Whatever the month and year, it has the same day of the month as ";

pub fn check(prompt: &str, target: &str, proof: &Json) -> Result<(), Fail> {
    spend(prompt.len())?;
    let said = form::read(FORM, prompt).or_unknown("the prompt is built otherwise")?;
    let mut tests: Vec<Test> = Vec::new();
    // The rules stand in the order in which the clues first need them.
    let mut marks: Vec<&str> = Vec::new();
    for line in said.lines("clues") {
        let text = line.strip_prefix(&format!("{}. ", tests.len() + 1)).and_then(|rest| rest.strip_suffix('.'));
        let text = text.filter(|_| tests.len() < 100).unwrap_or("");
        let words = |form: &Form| text.strip_prefix(form.0)?.strip_suffix(form.1);
        let clue = FORMS.iter().find_map(|form| Some((form.3(words(form)?, proof)?, form.2)));
        let (test, mark) = clue.or_unknown(&format!("a clue, or its fact: {line}"))?;
        tests.push(test);
        if !mark.is_empty() && !marks.contains(&mark) {
            marks.push(mark);
        }
    }
    let rule = |mark: &&str| RULES.lines().find_map(|line| line.strip_prefix(mark)?.strip_prefix('|')).unwrap_or("?");
    let needed: Vec<&str> = marks.iter().map(rule).collect();
    unknown_if(said.lines("rules") != needed, "the rules are not those that the clues need")?;
    let (first, last) = period(said.slot("range")).or_unknown("the range of dates")?;
    let mut moons = Vec::new();
    if marks.contains(&"zodiac") || marks.contains(&"lunar") {
        moons = read_calendar(proof.get("chinese"))?;
        let all = moons.first().is_some_and(|moon| moon.0 <= first) && moons.last().is_some_and(|moon| moon.0 > last);
        unknown_if(!all, "the Chinese calendar does not have all dates of the range")?;
    }
    let mut found: Vec<String> = Vec::new();
    let mut place = 0;
    for count in first..=last {
        spend(10 + tests.len())?;
        while moons.get(place + 1).is_some_and(|next| next.0 <= count) {
            place += 1;
        }
        let (_, moon, animal) = moons.get(place).copied().unwrap_or((0, 0, 0));
        let (year, month, day) = civil(count);
        let length = days_before(year, month + 1) - days_before(year, month);
        let date = Day { count, year, month, day, length, weekday: (count + 3).rem_euclid(7), moon, animal };
        if tests.iter().all(|holds| holds(&date)) {
            found.push(format!("{year:04}-{month:02}-{day:02}"));
        }
    }
    let right = if found.is_empty() { "none".to_string() } else { found.join(", ") };
    refuted_if(target != right, &format!("the clues hold on other dates, {} of them", found.len()))
}

fn leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// The days before a month of a year, from 1970 on; month 13 is the next January.
fn days_before(year: i64, month: i64) -> i64 {
    const DAYS: [i64; 13] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];
    let before = year - 1;
    let years = before * 365 + before / 4 - before / 100 + before / 400 - 719_162;
    years + DAYS[month as usize - 1] + i64::from(month > 2 && leap(year))
}

/// Year, month and day of the month of a day in the years 1 to 9999.
fn civil(count: i64) -> (i64, i64, i64) {
    // At most two years too early in a century, and never too late.
    let mut year = (count + 719_162) / 366 + 1;
    year += (count - days_before(year, 1)) / 366;
    while days_before(year, 13) <= count {
        year += 1;
    }
    let month = (1..=12).rev().find(|&month| days_before(year, month) <= count).unwrap_or(1);
    (year, month, count - days_before(year, month) + 1)
}

/// A date such as 1969-07-20.
fn date(text: &str) -> Option<i64> {
    let digits = |range| text.get(range).filter(|s: &&str| s.bytes().all(|b| b.is_ascii_digit()))?.parse::<i64>().ok();
    let (year, month, day) = (digits(0..4)?, digits(5..7)?, digits(8..10)?);
    let fine = year > 0 && (1..=12).contains(&month) && day > 0 && text == format!("{year:04}-{month:02}-{day:02}");
    let first = if fine { days_before(year, month) } else { return None };
    (first + day <= days_before(year, month + 1)).then_some(first + day - 1)
}

/// Two dates, as in `1969-07-16 to 1969-07-24`.
fn period(text: &str) -> Option<(i64, i64)> {
    let (from, to) = text.split_once(" to ")?;
    Some((date(from)?, date(to)?)).filter(|(from, to)| from <= to)
}

fn whole(text: &str) -> Option<i64> {
    number(text).map(i64::from)
}

/// A number such as 1st, 2nd, 13th, from 1 to `most`.
fn ordinal(text: &str, most: i64) -> Option<i64> {
    let n = whole(text.get(..text.len().checked_sub(2)?)?)?;
    let suffix = match (n % 10, n / 10 % 10) {
        (1, tens) if tens != 1 => "st",
        (2, tens) if tens != 1 => "nd",
        (3, tens) if tens != 1 => "rd",
        _ => "th",
    };
    Some(n).filter(|n| text.ends_with(suffix) && (1..=most).contains(n))
}

/// The place of a word in a list, from 0 on.
fn place(list: &str, word: &str) -> Option<i64> {
    list.split(' ').position(|w| w == word).map(|i| i as i64)
}

fn all<T, L: FromIterator<T>>(text: &str, between: &str, read: fn(&str) -> Option<T>) -> Option<L> {
    text.split(between).map(read).collect()
}

fn is<T: 'static>(what: T, holds: fn(&Day, &T) -> bool) -> Option<Test> {
    Some(Box::new(move |d| holds(d, &what)))
}

/// The fact of that name in the certificate, if it has a source.
fn fact<'a>(name: &str, proof: &'a Json) -> Option<&'a Json> {
    let [fact, Json::Str(_)] = proof.get("facts")?.get(name)?.arr()? else { return None };
    Some(fact)
}

fn event(name: &str, facts: &Json, holds: fn(&Day, &(i64, i64, i64)) -> bool) -> Option<Test> {
    is(civil(date(fact(name, facts)?.str()?)?), holds)
}

fn of_years(name: &str, facts: &Json) -> Option<Test> {
    let years = fact(name, facts)?.arr()?.iter().map(Json::int).collect::<Option<BTreeSet<i128>>>()?;
    is(years, |d, years| years.contains(&d.year.into()))
}

fn of_periods(name: &str, facts: &Json) -> Option<Test> {
    let pair = |json: &Json| match json.arr()? {
        [from, to] => period(&format!("{} to {}", from.str()?, to.str()?)),
        _ => None,
    };
    within(fact(name, facts)?.arr()?.iter().map(pair).collect::<Option<_>>()?)
}

/// Whether a day is in one of the periods; each gets the last end so far, so that only one has to be looked at.
fn within(mut periods: Vec<(i64, i64)>) -> Option<Test> {
    periods.sort();
    for i in 1..periods.len() {
        periods[i].1 = periods[i].1.max(periods[i - 1].1);
    }
    is(periods, |d, all| all[..all.partition_point(|p| p.0 <= d.count)].last().is_some_and(|p| p.1 >= d.count))
}

/// The first day of each Chinese month, with its number and the animal of its year; then the day after the last one.
fn read_calendar(json: Option<&Json>) -> Result<Vec<(i64, i64, i64)>, Fail> {
    let mut moons: Vec<(i64, i64, i64)> = Vec::new();
    let mut next = None;
    for year in json.and_then(Json::arr).unwrap_or(&[]) {
        let form = || Fail::Unknown("a Chinese calendar of another form".into());
        let Some([Json::Str(first), repeated, Json::Str(signs)]) = year.arr() else { return Err(form()) };
        let repeated = repeated.int().ok_or_else(form)?;
        let mut day = date(first).filter(|_| signs.bytes().all(|sign| b"+-".contains(&sign))).ok_or_else(form)?;
        let (western, month, of_month) = civil(day);
        let begins = (month == 1 && of_month >= 20) || (month == 2 && of_month <= 21);
        let follows = begins && next.is_none_or(|next| next == day);
        let fits = (0..=12).contains(&repeated) && signs.len() == 12 + usize::from(repeated != 0);
        refuted_if(!follows || !fits, &format!("the Chinese year that begins in {western} cannot be right"))?;
        let mut number = 0;
        for (i, sign) in signs.bytes().enumerate() {
            // The repeated month has the number of the one before it.
            number += i64::from(repeated == 0 || i as i128 != repeated);
            moons.push((day, number, (western - 4).rem_euclid(12)));
            day += if sign == b'+' { 30 } else { 29 };
        }
        next = Some(day);
    }
    moons.extend(next.map(|day| (day, 0, 0)));
    Ok(moons)
}
