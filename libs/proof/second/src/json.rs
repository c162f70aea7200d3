//! A small reader of JSON. Of a key that an object has twice, the later value counts.

use crate::{unknown, Fail};
use std::collections::BTreeMap;

/// How deep values may be nested: the reader calls itself.
const DEPTH: usize = 200;

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
    pub fn find(&self, key: &str) -> Option<&Json> {
        let Json::Obj(pairs) = self else { return None };
        pairs.get(key)
    }

    pub fn get<T: Read>(&self, key: &str) -> Result<T, Fail> {
        self.find(key).and_then(T::read).ok_or_else(|| unknown(format!("{key} is missing, or of another form")))
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
read!([] u32, word => i64::read(word)?.try_into().ok());
read!([T: Read] Vec<T>, Json::Arr(items) => items.iter().map(T::read).collect());
read!([A: Read, B: Read] (A, B), Json::Arr(items) => match &items[..] {
    [a, b] => A::read(a).zip(B::read(b)),
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
        let (mut units, mut chars) = (Vec::new(), self.rest.chars());
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
        self.rest = chars.as_str();
        String::from_utf16(&units).ok()
    }
}
