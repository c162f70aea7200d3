//! A small reader of JSON. Of a key that an object has twice, the later value counts.

use std::collections::BTreeMap;

/// How deep values may be nested: the reader calls itself.
const DEPTH: usize = 200;

#[derive(PartialEq)]
pub enum Json {
    /// A number, as it is written, or `null`, `true`, `false`.
    Word(String),
    Str(String),
    Arr(Vec<Json>),
    Obj(BTreeMap<String, Json>),
}

impl Json {
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.obj()?.get(key)
    }

    pub fn word(&self) -> Option<&str> {
        let Json::Word(text) = self else { return None };
        Some(text)
    }

    pub fn str(&self) -> Option<&str> {
        let Json::Str(text) = self else { return None };
        Some(text)
    }

    pub fn arr(&self) -> Option<&[Json]> {
        let Json::Arr(items) = self else { return None };
        Some(items)
    }

    pub fn obj(&self) -> Option<&BTreeMap<String, Json>> {
        let Json::Obj(pairs) = self else { return None };
        Some(pairs)
    }

    /// A whole number, written as one.
    pub fn int(&self) -> Option<i128> {
        self.word().and_then(|text| text.parse::<i128>().ok().filter(|n| n.to_string() == text))
    }

    /// A whole number from 0 on that fits into 32 bits, as events and places are.
    pub fn small(&self) -> Option<u32> {
        self.int().and_then(|n| u32::try_from(n).ok())
    }
}

/// The value that the text consists of.
pub fn parse(text: &str) -> Option<Json> {
    let mut reader = Reader { rest: text };
    let value = reader.value(0)?;
    reader.space().rest.is_empty().then_some(value)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn space(&mut self) -> &mut Self {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
        self
    }

    fn take(&mut self, sign: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(sign)?;
        Some(())
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        match self.space().rest.chars().next().filter(|_| depth < DEPTH)? {
            '{' => {
                let pair = |reader: &mut Self| {
                    reader.space().take('"')?;
                    let key = reader.string()?;
                    reader.space().take(':')?;
                    Some((key, reader.value(depth + 1)?))
                };
                self.list('}', pair).map(|pairs| Json::Obj(pairs.into_iter().collect()))
            }
            '[' => self.list(']', |reader| reader.value(depth + 1)).map(Json::Arr),
            '"' => {
                self.take('"')?;
                self.string().map(Json::Str)
            }
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
        while self.space().take(end).is_none() {
            if !items.is_empty() {
                self.take(',')?;
            }
            items.push(item(self)?);
        }
        Some(items)
    }

    /// What follows a quotation mark; half of a surrogate pair is no character.
    fn string(&mut self) -> Option<String> {
        let mut units: Vec<u16> = Vec::new();
        loop {
            let mut chars = self.rest.chars();
            let mut c = chars.next()?;
            if c == '"' {
                self.rest = chars.as_str();
                return String::from_utf16(&units).ok();
            }
            if c == '\\' {
                let escaped = chars.next()?;
                let known = "\"\\/bfnrt".find(escaped).map(|i| char::from(b"\"\\/\x08\x0c\n\r\t"[i]));
                if escaped == 'u' {
                    let digits = chars.as_str().get(..4).filter(|text| !text.starts_with('+'))?;
                    units.push(u16::from_str_radix(digits, 16).ok()?);
                    self.rest = &chars.as_str()[4..];
                    continue;
                }
                c = known?;
            }
            units.extend(c.encode_utf16(&mut [0; 2]).iter());
            self.rest = chars.as_str();
        }
    }
}
