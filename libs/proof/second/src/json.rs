//! A small reader of JSON. Of a key that an object has twice, the later value counts.

use crate::{Check, Fail::Unknown};
use std::collections::BTreeMap;

/// How deep values may be nested: the reader calls itself.
const DEPTH: usize = 200;
const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

#[derive(Clone, Eq, Ord, PartialEq, PartialOrd)]
pub enum Json {
    /// A number, as it is written, or `null`, `true`, `false`.
    Word(String),
    Str(String),
    Arr(Vec<Json>),
    Obj(BTreeMap<String, Json>),
}

/// What a value can be read as; `None` if it is of another form.
pub trait Read: Sized {
    fn read(json: &Json) -> Option<Self>;
}

impl Json {
    pub fn get<T: Read>(&self, key: &str) -> Check<T> {
        let value = if let Json::Obj(pairs) = self { pairs.get(key) } else { None };
        value.and_then(T::read).ok_or(Unknown("a value is missing, or of another form"))
    }
}

/// What values of one form are read as.
macro_rules! read {
    ([$($parts:tt)*] $type:ty, $form:pat => $value:expr) => {
        impl<$($parts)*> Read for $type {
            fn read(json: &Json) -> Option<Self> {
                #[allow(irrefutable_let_patterns)]
                if let $form = json { $value } else { None }
            }
        }
    };
}

read!([] Json, value => Some(value.clone()));
read!([] String, Json::Str(text) => Some(text.clone()));
// A whole number is written as one.
read!([] i64, Json::Word(text) => text.parse().ok().filter(|n: &i64| n.to_string() == *text));
read!([] usize, word => Some(u32::try_from(i64::read(word)?).ok()? as usize));
read!([T: Read] Vec<T>, Json::Arr(items) => items.iter().map(T::read).collect());
read!([A: Read, B: Read] (A, B), Json::Arr(items) => match &items[..] {
    [a, b] => Some((A::read(a)?, B::read(b)?)),
    _ => None,
});
read!([A: Read, B: Read, C: Read] (A, B, C), Json::Arr(items) => match &items[..] {
    [a, b, c] => Some((A::read(a)?, B::read(b)?, C::read(c)?)),
    _ => None,
});
read!([T: Read] BTreeMap<String, T>, Json::Obj(pairs) => {
    pairs.iter().map(|(key, value)| Some((key.clone(), T::read(value)?))).collect()
});

/// The value that the text consists of.
pub fn parse(mut text: &str) -> Option<Json> {
    let value = value(&mut text, 0)?;
    text.trim_start_matches(SPACE).is_empty().then_some(value)
}

fn take(rest: &mut &str, sign: char) -> Option<()> {
    *rest = rest.trim_start_matches(SPACE).strip_prefix(sign)?;
    Some(())
}

fn value(rest: &mut &str, depth: usize) -> Option<Json> {
    *rest = rest.trim_start_matches(SPACE);
    match rest.chars().next().filter(|_| depth < DEPTH)? {
        '{' => {
            let pair = |rest: &mut &str| {
                let key = string(rest)?;
                take(rest, ':')?;
                Some((key, value(rest, depth + 1)?))
            };
            list(rest, '}', pair).map(|pairs| Json::Obj(pairs.into_iter().collect()))
        }
        '[' => list(rest, ']', |rest| value(rest, depth + 1)).map(Json::Arr),
        '"' => string(rest).map(Json::Str),
        _ => {
            let (word, more) = rest.split_at(rest.find([',', ']', '}', ' ', '\t', '\n', '\r']).unwrap_or(rest.len()));
            *rest = more;
            let plain = word.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
            let fine = (plain && word.parse::<f64>().is_ok()) || ["null", "true", "false"].contains(&word);
            fine.then(|| Json::Word(word.into()))
        }
    }
}

/// What stands between brackets, with commas between the items.
fn list<T>(rest: &mut &str, end: char, item: impl Fn(&mut &str) -> Option<T>) -> Option<Vec<T>> {
    *rest = &rest[1..];
    let mut items = Vec::new();
    while take(rest, end).is_none() {
        if !items.is_empty() {
            take(rest, ',')?;
        }
        items.push(item(rest)?);
    }
    Some(items)
}

/// Half of a surrogate pair is no character.
fn string(rest: &mut &str) -> Option<String> {
    take(rest, '"')?;
    let (mut units, mut chars) = (Vec::new(), rest.chars());
    loop {
        let c = match chars.next()? {
            '"' => break,
            '\\' => match chars.next()? {
                'u' => {
                    let unit = (0..4).try_fold(0, |unit, _| Some(unit << 4 | chars.next()?.to_digit(16)?))?;
                    units.push(unit as u16);
                    continue;
                }
                c => "\"\\/bfnrt".find(c).map(|i| char::from(b"\"\\/\x08\x0c\n\r\t"[i]))?,
            },
            c => c,
        };
        units.extend(c.encode_utf16(&mut [0; 2]).iter());
    }
    *rest = chars.as_str();
    String::from_utf16(&units).ok()
}
