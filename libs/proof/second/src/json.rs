//! A small reader of JSON. Of a key that an object has twice, the later value counts.

use crate::{unknown, Fail};
use std::collections::{BTreeMap, BTreeSet};

/// How deep values may be nested: the reader calls itself.
const DEPTH: usize = 200;

#[derive(Clone, PartialEq)]
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
    pub fn find(&self, key: &str) -> Option<&Json> {
        let Json::Obj(pairs) = self else { return None };
        pairs.get(key)
    }

    pub fn get<T: Read>(&self, key: &str) -> Result<T, Fail> {
        self.find(key).and_then(T::read).ok_or_else(|| unknown(format!("{key} is missing, or of another form")))
    }
}

impl Read for Json {
    fn read(json: &Json) -> Option<Json> {
        Some(json.clone())
    }
}

impl Read for String {
    fn read(json: &Json) -> Option<String> {
        let Json::Str(text) = json else { return None };
        Some(text.clone())
    }
}

/// A whole number, written as one.
impl Read for i64 {
    fn read(json: &Json) -> Option<i64> {
        let Json::Word(text) = json else { return None };
        text.parse().ok().filter(|n: &i64| n.to_string() == *text)
    }
}

impl Read for u32 {
    fn read(json: &Json) -> Option<u32> {
        i64::read(json)?.try_into().ok()
    }
}

impl<T: Read> Read for Option<T> {
    fn read(json: &Json) -> Option<Option<T>> {
        if *json == Json::Word("null".into()) {
            Some(None)
        } else {
            T::read(json).map(Some)
        }
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(json: &Json) -> Option<Vec<T>> {
        let Json::Arr(items) = json else { return None };
        items.iter().map(T::read).collect()
    }
}

impl<T: Read + Ord> Read for BTreeSet<T> {
    fn read(json: &Json) -> Option<BTreeSet<T>> {
        Some(Vec::read(json)?.into_iter().collect())
    }
}

impl<T: Read> Read for BTreeMap<String, T> {
    fn read(json: &Json) -> Option<BTreeMap<String, T>> {
        let Json::Obj(pairs) = json else { return None };
        pairs.iter().map(|(key, value)| Some((key.clone(), T::read(value)?))).collect()
    }
}

impl<A: Read, B: Read> Read for (A, B) {
    fn read(json: &Json) -> Option<(A, B)> {
        let Json::Arr(items) = json else { return None };
        let [a, b] = &items[..] else { return None };
        Some((A::read(a)?, B::read(b)?))
    }
}

impl<A: Read, B: Read, C: Read> Read for (A, B, C) {
    fn read(json: &Json) -> Option<(A, B, C)> {
        let Json::Arr(items) = json else { return None };
        let [a, b, c] = &items[..] else { return None };
        Some((A::read(a)?, B::read(b)?, C::read(c)?))
    }
}

/// The value that the text consists of.
pub fn parse(text: &str) -> Option<Json> {
    let mut reader = Reader { rest: text };
    let value = reader.value(0)?;
    reader.space().is_empty().then_some(value)
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn space(&mut self) -> &'a str {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
        self.rest
    }

    fn take(&mut self, sign: char) -> Option<()> {
        self.rest = self.space().strip_prefix(sign)?;
        Some(())
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        match self.space().chars().next().filter(|_| depth < DEPTH)? {
            '{' => {
                let pair = |reader: &mut Self| {
                    let key = reader.string()?;
                    reader.take(':')?;
                    Some((key, reader.value(depth + 1)?))
                };
                self.list('}', pair).map(|pairs| Json::Obj(pairs.into_iter().collect()))
            }
            '[' => self.list(']', |reader| reader.value(depth + 1)).map(Json::Arr),
            '"' => self.string().map(Json::Str),
            _ => {
                let end = self.rest.find([',', ']', '}', ' ', '\t', '\n', '\r']).unwrap_or(self.rest.len());
                let (word, rest) = self.rest.split_at(end);
                self.rest = rest;
                let plain = word.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
                let fine = (plain && word.parse::<f64>().is_ok()) || ["null", "true", "false"].contains(&word);
                fine.then(|| Json::Word(word.into()))
            }
        }
    }

    /// What stands between brackets, with commas between the items.
    fn list<T>(&mut self, end: char, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.rest = &self.rest[1..];
        let mut items = Vec::new();
        while self.take(end).is_none() {
            if !items.is_empty() {
                self.take(',')?;
            }
            items.push(item(self)?);
        }
        Some(items)
    }

    /// Half of a surrogate pair is no character.
    fn string(&mut self) -> Option<String> {
        self.take('"')?;
        let mut units: Vec<u16> = Vec::new();
        loop {
            let mut chars = self.rest.chars();
            let mut c = chars.next()?;
            if c == '"' {
                self.rest = chars.as_str();
                return String::from_utf16(&units).ok();
            }
            if c == '\\' {
                c = chars.next()?;
                if c == 'u' {
                    let digits = chars.as_str().get(..4).filter(|text| !text.starts_with('+'))?;
                    units.push(u16::from_str_radix(digits, 16).ok()?);
                    self.rest = &chars.as_str()[4..];
                    continue;
                }
                c = "\"\\/bfnrt".find(c).map(|i| char::from(b"\"\\/\x08\x0c\n\r\t"[i]))?;
            }
            units.extend(c.encode_utf16(&mut [0; 2]).iter());
            self.rest = chars.as_str();
        }
    }
}
