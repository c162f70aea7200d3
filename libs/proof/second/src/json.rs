//! A small reader of JSON. Of a key that an object has twice, the later value counts.

use crate::{unknown_if, Fail, Need};

const WRONG: &str = "not JSON";
/// How deep values may be nested: the reader calls itself.
const DEPTH: usize = 200;

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Int(i128),
    /// A number that is not written as a whole one, or is too large.
    NotWhole,
    Str(String),
    Arr(Vec<Json>),
    Obj(Vec<(String, Json)>),
}

impl Json {
    pub fn get(&self, key: &str) -> Option<&Json> {
        let Json::Obj(pairs) = self else { return None };
        pairs.iter().rev().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    pub fn str(&self) -> Option<&str> {
        let Json::Str(text) = self else { return None };
        Some(text)
    }

    pub fn int(&self) -> Option<i128> {
        let Json::Int(n) = self else { return None };
        Some(*n)
    }

    /// A whole number from 0 on that fits into 32 bits, as events and places are.
    pub fn small(&self) -> Option<u32> {
        self.int().and_then(|n| u32::try_from(n).ok())
    }

    pub fn arr(&self) -> Option<&[Json]> {
        let Json::Arr(items) = self else { return None };
        Some(items)
    }

    /// The keys and values of an object, each key once.
    pub fn obj(&self) -> Option<std::collections::BTreeMap<&str, &Json>> {
        let Json::Obj(pairs) = self else { return None };
        Some(pairs.iter().map(|(k, v)| (k.as_str(), v)).collect())
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
            let mut pairs = Vec::new();
            self.list("}", |reader| {
                reader.space();
                unknown_if(!reader.take("\""), WRONG)?;
                let key = reader.string()?;
                reader.space();
                unknown_if(!reader.take(":"), WRONG)?;
                Ok(pairs.push((key, reader.value(depth + 1)?)))
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
        for (word, value) in [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))] {
            if self.take(word) {
                return Ok(value);
            }
        }
        let end = self.rest.find(|c: char| !c.is_ascii_digit() && !"+-.eE".contains(c)).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        let whole = text.parse::<i128>().ok().filter(|n| n.to_string() == text).map(Json::Int);
        whole.or(text.parse::<f64>().ok().map(|_| Json::NotWhole)).or_unknown(WRONG)
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
            let c = self.rest[1..].chars().next().or_unknown(WRONG)?;
            self.rest = &self.rest[1 + c.len_utf8()..];
            let simple = "\"\\/bfnrt".find(c).and_then(|i| "\"\\/\u{8}\u{c}\n\r\t".chars().nth(i));
            unknown_if(simple.is_none() && c != 'u', WRONG)?;
            out.push(if let Some(c) = simple { c } else { self.unicode()? });
        }
    }

    /// What follows `\u`; half of a surrogate pair is no character.
    fn unicode(&mut self) -> Result<char, Fail> {
        let mut code = self.hex4()?;
        if (0xd800..0xdc00).contains(&code) && self.take("\\u") {
            let low = self.hex4()?.checked_sub(0xdc00).filter(|low| *low < 0x400);
            code = low.map_or(code, |low| 0x10000 + ((code - 0xd800) << 10) + low);
        }
        char::from_u32(code).or_unknown(WRONG)
    }

    fn hex4(&mut self) -> Result<u32, Fail> {
        let digits = self.rest.get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let digits = digits.or_unknown(WRONG)?;
        self.rest = &self.rest[4..];
        u32::from_str_radix(digits, 16).ok().or_unknown(WRONG)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_values_and_refuses_the_rest() {
        let v = parse(r#" {"a": [1, -2.5, "\ud83d\ude00\n"], "b": 1, "b": null} "#).unwrap();
        let a = v.get("a").unwrap().arr().unwrap();
        assert_eq!(a, &[Json::Int(1), Json::NotWhole, Json::Str("\u{1f600}\n".into())]);
        assert_eq!((v.get("b"), v.obj().unwrap().len()), (Some(&Json::Null), 2));
        for bad in ["", "{", "[1,]", "-", "\"\\ud800\"", "\"\\u12", "1 2", "tru", "\"\\", &"[".repeat(100_000)] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
