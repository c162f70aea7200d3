//! Calendars. Days are counted from 1970-01-01.

use crate::{json::Json, Check, Fail::Refuted, Fail::Unknown};

pub struct Month {
    pub first: i64,
    pub year: i64,
    pub number: i64,
    /// Chinese: 1 if it repeats the number of the last one. Hebrew: 1 of Adar I, 2 of Adar II. Else 0.
    pub again: usize,
}

/// The first day of a month of a year; month 13 is the next January.
pub fn begin(year: i64, month: i64) -> i64 {
    // Counted from March on, each five months have 153 days.
    let (year, march) = (year - i64::from(month < 3), (month + 9) % 12);
    365 * year + year / 4 - year / 100 + year / 400 + (153 * march + 2) / 5 - 719_468
}

/// The month in which a day lies.
pub fn month_of(months: &[Month], day: i64) -> &Month {
    &months[months.partition_point(|month| month.first <= day) - 1]
}

/// A day by its number, and year, month and day of the month.
pub struct Day {
    pub count: i64,
    pub year: i64,
    pub month: i64,
    pub day: i64,
}

pub fn civil(count: i64) -> Day {
    // 400 years have 146,097 days, months at most 31; this may be the year or the month before.
    let mean = (count + 719_162) * 400 / 146_097 + 1;
    let year = mean + i64::from(begin(mean, 13) <= count);
    let least = (count - begin(year, 1)) / 32 + 1;
    let month = least + i64::from(begin(year, least + 1) <= count);
    Day { count, year, month, day: count - begin(year, month) + 1 }
}

/// A day as `1969-07-20`.
pub fn written(count: i64) -> String {
    let Day { year, month, day, .. } = civil(count);
    format!("{year:04}-{month:02}-{day:02}")
}

/// A date such as 1969-07-20.
pub fn date(text: &str) -> Option<i64> {
    let part = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (part(0..4)?, part(5..7)?, part(8..10)?);
    Some(begin(year, month) + day - 1).filter(|count| year > 0 && written(*count) == text)
}

/// From 1 (Monday) on.
pub fn weekday(count: i64) -> i64 {
    (count + 3).rem_euclid(7) + 1
}

/// Year and number of the ISO week.
pub fn week(count: i64) -> (i64, i64) {
    // A week belongs to the year of its Thursday.
    let thursday = count + 4 - weekday(count);
    let year = civil(thursday).year;
    (year, (thursday - begin(year, 1)) / 7 + 1)
}

/// Easter Sunday of the Western (1) or Orthodox (2) churches.
pub fn easter(year: i64, church: i64) -> i64 {
    let (p, h) = (year % 19, year / 100);
    let mut a = 14 + 11 * p;
    let april = begin(year, 4) + 18;
    let moon = if church == 1 {
        a = (a + (13 + 8 * h) / 25 - 3 * (h + 1) / 4).rem_euclid(30);
        april - a - i64::from(a == 0 || (a == 1 && p > 10))
    } else {
        april + h - h / 4 - 2 - a % 30
    };
    moon + 7 - weekday(moon) % 7
}

/// The months of the Hebrew years that begin in a year from `from` to `to`, or in the one before.
pub fn hebrew(from: i64, to: i64) -> Vec<Month> {
    let epoch = |year: i64| {
        let m = (235 * year - 234).div_euclid(19);
        let d = 29 * m + (12084 + 13753 * m).div_euclid(25920);
        d - 1_373_427 + i64::from(3 * (d + 1) % 7 < 3) - 719_163
    };
    let begin = |year: i64| {
        let late = epoch(year + 1) - epoch(year) == 356;
        epoch(year) + if late { 2 } else { i64::from(epoch(year) - epoch(year - 1) == 382) }
    };
    let mut months = Vec::new();
    for year in from + 3760..=to + 3761 {
        let (mut first, length) = (begin(year), begin(year + 1) - begin(year));
        let adar = if length > 380 { 1..=2 } else { 0..=0 };
        let numbers = (7..12).map(|n| (n, 0)).chain(adar.map(|again| (12, again))).chain((1..7).map(|n| (n, 0)));
        for (number, again) in numbers {
            months.push(Month { first, year, number, again });
            first += match (number, length % 10) {
                (8, 5) => 30,
                (9, 3) => 29,
                _ => 29 + number % 2 + i64::from(again == 1),
            };
        }
    }
    months
}

/// The months of the table of a calendar in a certificate, which has all days from `first` to `last`.
pub fn read(name: &str, proof: &Json, first: i64, last: i64) -> Check<Vec<Month>> {
    let years: Vec<(String, i64, String)> = if name == "islamic" {
        proof.get::<Vec<_>>(name)?.into_iter().map(|(day, signs)| (day, 0, signs)).collect()
    } else {
        proof.get(name)?
    };
    let (mut months, mut next) = (Vec::new(), None);
    for (day, leap, signs) in years {
        let mut day = date(&day).ok_or(Unknown("a year of a calendar"))?;
        Refuted("a year of a calendar does not follow").when(next.is_some_and(|next| next != day))?;
        let Day { mut year, month, day: of_month, .. } = civil(day);
        let mut fine = matches!((month, of_month), (1, 20..) | (2, ..=21));
        if name == "islamic" {
            let since = day - begin(622, 7) - 18;
            year = (30 * (since + 15) + 10646).div_euclid(10631);
            fine = (354 * (year - 1) + (11 * year + 3).div_euclid(30) - since).abs() <= 5;
        }
        Refuted("a year of a calendar cannot begin so").when(!fine)?;
        let fine = (0..=12).contains(&leap) && signs.len() == 12 + usize::from(leap != 0);
        Refuted("the months of a year").when(!fine || !signs.bytes().all(|sign| b"+-".contains(&sign)))?;
        let numbers = (1..=12).flat_map(|number| (0..=usize::from(number == leap)).map(move |again| (number, again)));
        for ((number, again), sign) in numbers.zip(signs.chars()) {
            months.push(Month { first: day, year, number, again });
            day += if sign == '+' { 30 } else { 29 };
        }
        next = Some(day);
    }
    let all = months.first().is_some_and(|month| month.first <= first) && next.is_some_and(|next| next > last);
    Unknown("the calendar does not have all days").when(!all)?;
    Ok(months)
}
