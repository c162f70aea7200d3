//! A small reader of JSON. Of a key that an object has twice, the later value counts.

use crate::{unknown_if, Fail, Need};
use std::collections::BTreeMap;

const WRONG: &str = "not JSON";
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
        if let Json::Word(text) = self {
            Some(text)
        } else {
            None
        }
    }

    pub fn str(&self) -> Option<&str> {
        if let Json::Str(text) = self {
            Some(text)
        } else {
            None
        }
    }

    pub fn arr(&self) -> Option<&[Json]> {
        if let Json::Arr(items) = self {
            Some(items)
        } else {
            None
        }
    }

    pub fn obj(&self) -> Option<&BTreeMap<String, Json>> {
        if let Json::Obj(pairs) = self {
            Some(pairs)
        } else {
            None
        }
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
pub fn parse(text: &str) -> Result<Json, Fail> {
    let mut reader = Reader { rest: text };
    let value = reader.value(0)?;
    reader.space();
    unknown_if(!reader.rest.is_empty(), WRONG)?;
    Ok(value)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn take(&mut self, word: &str) -> bool {
        let rest = self.rest.strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn value(&mut self, depth: usize) -> Result<Json, Fail> {
        unknown_if(depth > DEPTH, "JSON is nested too deeply")?;
        self.space();
        if self.take("{") {
            let mut pairs = BTreeMap::new();
            self.list("}", |reader| {
                reader.space();
                unknown_if(!reader.take("\""), WRONG)?;
                let key = reader.string()?;
                reader.space();
                unknown_if(!reader.take(":"), WRONG)?;
                pairs.insert(key, reader.value(depth + 1)?);
                Ok(())
            })?;
            return Ok(Json::Obj(pairs));
        }
        if self.take("[") {
            let mut items = Vec::new();
            self.list("]", |reader| Ok(items.push(reader.value(depth + 1)?)))?;
            return Ok(Json::Arr(items));
        }
        if self.take("\"") {
            return Ok(Json::Str(self.string()?));
        }
        let end = self.rest.find([',', ']', '}', ' ', '\t', '\n', '\r']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        let number = word.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b)) && word.parse::<f64>().is_ok();
        unknown_if(!number && !["null", "true", "false"].contains(&word), WRONG)?;
        Ok(Json::Word(word.into()))
    }

    /// What stands between brackets, with commas between the items.
    fn list(&mut self, end: &str, mut item: impl FnMut(&mut Self) -> Result<(), Fail>) -> Result<(), Fail> {
        self.space();
        let mut done = self.take(end);
        while !done {
            item(self)?;
            self.space();
            done = self.take(end);
            unknown_if(!done && !self.take(","), WRONG)?;
        }
        Ok(())
    }

    fn string(&mut self) -> Result<String, Fail> {
        let mut out = String::new();
        loop {
            let end = self.rest.find(['"', '\\']).or_unknown(WRONG)?;
            out.push_str(&self.rest[..end]);
            self.rest = &self.rest[end..];
            if self.take("\"") {
                return Ok(out);
            }
            let escaped = self.rest.get(1..2).or_unknown(WRONG)?;
            self.rest = &self.rest[2..];
            out.push(match "\"\\/bfnrt".find(escaped) {
                Some(i) => char::from(b"\"\\/\x08\x0c\n\r\t"[i]),
                None => self.unicode(escaped)?,
            });
        }
    }

    /// What follows `\u`; half of a surrogate pair is no character.
    fn unicode(&mut self, escaped: &str) -> Result<char, Fail> {
        unknown_if(escaped != "u", WRONG)?;
        let mut code = self.hex4()?;
        if (0xd800..0xdc00).contains(&code) && self.take("\\u") {
            let low = self.hex4()?.checked_sub(0xdc00).filter(|low| *low < 0x400);
            code = low.map_or(code, |low| 0x10000 + ((code - 0xd800) << 10) + low);
        }
        char::from_u32(code).or_unknown(WRONG)
    }

    fn hex4(&mut self) -> Result<u32, Fail> {
        let digits = self.rest.get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        self.rest = self.rest.get(4..).or_unknown(WRONG)?;
        u32::from_str_radix(digits.or_unknown(WRONG)?, 16).ok().or_unknown(WRONG)
    }
}
