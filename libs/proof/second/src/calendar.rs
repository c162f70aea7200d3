//! Calendars. Days are counted from 1970-01-01.

use crate::{json::Json, json::Read, refuted_if, unknown, unknown_if, Fail};

/// A month of the Hebrew, Islamic or Chinese calendar.
pub struct Month {
    pub first: i64,
    pub year: i64,
    pub number: i64,
    /// Chinese: 1 if it repeats the number of the last one. Hebrew: 1 of Adar I, 2 of Adar II. Else 0.
    pub again: usize,
}

pub fn leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// The days before a month of a year; month 13 is the next January.
pub fn days_before(year: i64, month: i64) -> i64 {
    const DAYS: [i64; 13] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];
    let before = year - 1;
    let years = before * 365 + before / 4 - before / 100 + before / 400 - 719_162;
    years + DAYS[month as usize - 1] + i64::from(month > 2 && leap(year))
}

/// Year, month and day of the month of a day in the years 1 to 9999.
pub fn civil(count: i64) -> (i64, i64, i64) {
    // 400 years have 146,097 days; this may be the year before.
    let mean = (count + 719_162) * 400 / 146_097 + 1;
    let year = (mean..).find(|&year| days_before(year, 13) > count).unwrap_or(mean);
    let month = (1..=12).rev().find(|&month| days_before(year, month) <= count).unwrap_or(1);
    (year, month, count - days_before(year, month) + 1)
}

/// A day as `1969-07-20`.
pub fn written(count: i64) -> String {
    let (year, month, day) = civil(count);
    format!("{year:04}-{month:02}-{day:02}")
}

/// A date such as 1969-07-20.
pub fn date(text: &str) -> Option<i64> {
    let part = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (part(0..4)?, part(5..7)?, part(8..10)?);
    let fine = year > 0 && (1..=12).contains(&month) && day > 0;
    fine.then(|| days_before(year, month) + day - 1).filter(|count| written(*count) == text)
}

/// From 1 (Monday) on.
pub fn weekday(count: i64) -> i64 {
    (count + 3).rem_euclid(7) + 1
}

/// Year and number of the ISO week.
pub fn week(count: i64) -> (i64, i64) {
    // A week belongs to the year of its Thursday.
    let thursday = count + 4 - weekday(count);
    let year = civil(thursday).0;
    (year, (thursday - days_before(year, 1)) / 7 + 1)
}

/// Easter Sunday of the Western (1) or Orthodox (2) churches.
pub fn easter(year: i64, church: i64) -> i64 {
    let (p, h) = (year % 19, year / 100);
    let mut a = 14 + 11 * p;
    let april = days_before(year, 4) + 18;
    let moon = if church == 1 {
        a = (a + (13 + 8 * h) / 25 - 3 * (h + 1) / 4).rem_euclid(30);
        april - a - i64::from(a == 0 || (a == 1 && p > 10))
    } else {
        april + h - h / 4 - 2 - a % 30
    };
    moon + 7 - weekday(moon) % 7
}

/// The month in which a day lies.
pub fn month_of(months: &[Month], day: i64) -> &Month {
    &months[months.partition_point(|month| month.first <= day) - 1]
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
        let (second, third) = (29 + i64::from(length % 10 == 5), 30 - i64::from(length % 10 == 3));
        let early = (7..).zip([30, second, third, 29, 30]).map(|(number, days)| (number, days, 0));
        let adar = if length > 380 { &[(12, 30, 1), (12, 29, 2)][..] } else { &[(12, 29, 0)] };
        let late = (1..).zip([30, 29, 30, 29, 30, 29]).map(|(number, days)| (number, days, 0));
        for (number, days, again) in early.chain(adar.iter().copied()).chain(late) {
            months.push(Month { first, year, number, again });
            first += days;
        }
    }
    months
}

/// The months of the table of a calendar in a certificate, which has all days from `first` to `last`.
pub fn read(name: &str, proof: &Json, first: i64, last: i64) -> Result<Vec<Month>, Fail> {
    let (mut months, mut next) = (Vec::new(), None);
    for parts in proof.get::<Vec<Vec<Json>>>(name)? {
        let leap = if name == "islamic" { Some(0) } else { parts.get(1).and_then(i64::read) };
        let ends = parts.first().zip(parts.last()).map(|(day, signs)| (String::read(day), String::read(signs)));
        let (Some(leap), Some((Some(day), Some(signs)))) = (leap, ends) else { return Err(unknown("a year")) };
        let mut day = date(&day).ok_or(unknown("a year of a calendar"))?;
        refuted_if(next.is_some_and(|next| next != day), "a year of a calendar does not follow")?;
        let (mut year, month, of_month) = civil(day);
        if name == "islamic" {
            let since = day - days_before(622, 7) - 18;
            year = (30 * (since + 15) + 10646).div_euclid(10631);
            let off = 354 * (year - 1) + (11 * year + 3).div_euclid(30) - since;
            refuted_if(off.abs() > 5, "an Islamic year cannot begin so")?;
        } else {
            let fine = (month == 1 && of_month >= 20) || (month == 2 && of_month <= 21);
            refuted_if(!fine, "a Chinese year cannot begin so")?;
        }
        let fine = (0..=12).contains(&leap) && signs.len() == 12 + usize::from(leap != 0);
        refuted_if(!fine || !signs.bytes().all(|sign| b"+-".contains(&sign)), "the months of a year")?;
        for (i, sign) in (0..).zip(signs.bytes()) {
            let past = leap != 0 && i >= leap;
            let again = usize::from(past && i == leap);
            months.push(Month { first: day, year, number: i + i64::from(!past), again });
            day += if sign == b'+' { 30 } else { 29 };
        }
        next = Some(day);
    }
    let all = months.first().is_some_and(|month| month.first <= first) && next.is_some_and(|next| next > last);
    unknown_if(!all, "the calendar does not have all days")?;
    Ok(months)
}
