//! What prompts may say: files of words, with lines, and with regular expressions for single sentences.

use crate::{spend, Check, Fail::Unknown};
use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;
use std::str::Chars;

/// What stands before the sign, whether that is `=`, and the text.
pub type Row = (&'static str, bool, &'static str);

/// A file of words, the conditions that hold for a prompt, and its values.
pub struct Words<'a> {
    pub rows: Vec<Row>,
    holds: BTreeSet<&'static str>,
    values: BTreeMap<String, &'a str>,
}

impl<'a> Words<'a> {
    /// The words of a file; the lines `like` say which conditions hold for a prompt.
    pub fn new(file: &'static str, prompt: &str) -> Words<'a> {
        let row = |line: &'static str| {
            let (sign, keyed) = if line.contains('=') { ('=', true) } else { ('|', false) };
            line.split_once(sign).map(|(before, text)| (before, keyed, text))
        };
        let rows: Vec<_> = file.lines().filter_map(row).collect();
        let like = |(before, _, text): &Row| {
            let mut names = before.strip_prefix("like ")?.split(' ');
            names.nth(usize::from(!prompt.contains(text)))
        };
        let holds = rows.iter().filter_map(like).collect();
        // The text before the first name is that of a value without a name, which is empty.
        Words { rows, holds, values: BTreeMap::from([(String::new(), "")]) }
    }

    pub fn has(&self, condition: &str) -> bool {
        self.holds.contains(condition)
    }

    /// What stands before the sign and begins with some words, without these, and the text.
    pub fn all<'b>(&'b self, words: &'b str) -> impl Iterator<Item = (&'static str, &'static str)> + 'b {
        self.rows.iter().filter_map(move |(before, _, text)| Some((before.strip_prefix(words)?, *text)))
    }

    /// The text of the row with these words.
    pub fn row(&self, words: &str) -> Option<&'static str> {
        self.rows.iter().find(|row| row.0 == words).map(|row| row.2)
    }

    /// What stands for a name: the last text whose conditions hold, or the words of a list as an expression.
    pub fn text(&self, name: &str) -> Option<String> {
        let fits = |before: &str| {
            let mut words = before.split(' ');
            words.next() == Some(name) && words.all(|word| self.has(word))
        };
        let found = self.rows.iter().rfind(|(before, keyed, _)| *keyed && fits(before));
        let list = || Some(one_of(self.row(&format!("list {name}"))?.split('|')));
        found.map(|(.., text)| text.to_string()).or_else(list)
    }

    /// A text in which names are replaced by what stands for them; those of values stay.
    pub fn fill(&self, text: &str) -> String {
        let fill = |(name, then): (&str, String)| match self.text(name) {
            Some(text) => self.fill(&text) + &then,
            None if name.is_empty() => then,
            None => format!("«{name}»{then}"),
        };
        pieces(text).into_iter().map(fill).collect()
    }

    pub fn pattern(&self, name: &str) -> Pattern {
        Pattern::new(&self.fill(&self.text(name).unwrap_or_default()))
    }

    /// What stands for the name of a value in the prompt, if it does.
    pub fn value(&self, name: &str) -> &'a str {
        self.values.get(name).copied().unwrap_or("")
    }

    /// Checks what the prompt says as a value.
    pub fn says(&self, name: &str, text: &str) -> Check {
        Unknown("the prompt says something else of what is known").when(self.value(name) != text)
    }

    /// Takes the values from a prompt; a value ends where the text that follows it comes first.
    pub fn read(mut self, prompt: &'a str) -> Check<Words<'a>> {
        let other = || Unknown("the prompt has a sentence that is not known");
        let stands = |before: &str| before.is_empty() || before.split(' ').all(|word| self.has(word));
        let lines = self.rows.iter().filter(|(before, keyed, _)| !keyed && stands(before));
        let form = lines.map(|(.., text)| self.fill(text)).collect::<Vec<_>>().join("\n");
        let mut rest = prompt.strip_suffix('\n').unwrap_or(prompt);
        for (name, then) in pieces(&form) {
            let end = if then.is_empty() { Some(rest.len()) } else { rest.find(&then) };
            let (value, more) = rest.split_at(end.ok_or_else(other)?);
            // A value that is named several times is the same each time.
            other().when(*self.values.entry(name.to_string()).or_insert(value) != value)?;
            rest = &more[then.len()..];
        }
        other().when(!rest.is_empty())?;
        Ok(self)
    }
}

/// Each name with the text that follows it; before the first one, none. Where no name stands between them, « and » are
/// text.
fn pieces(text: &str) -> Vec<(&str, String)> {
    let mut pieces = Vec::<(&str, String)>::new();
    for part in text.split('«') {
        match (part.split_once('»'), pieces.last_mut()) {
            (Some((name, then)), _) => pieces.push((name, then.to_string())),
            (None, Some(last)) => last.1 += &format!("«{part}"),
            (None, None) => pieces.push(("", part.to_string())),
        }
    }
    pieces
}

/// An expression for these texts, the first of them being preferred.
pub fn one_of<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let sign = |c: char| if c.is_alphanumeric() { c.to_string() } else { format!("\\{c}") };
    texts.map(|text| text.chars().map(sign).collect()).collect::<Vec<String>>().join("|")
}

/// A place in the text, and where groups begin and end.
type State = (usize, Vec<(usize, usize)>);
/// The states in which a match that begins in a state may end, what comes first being preferred.
type Part = Box<dyn Fn(&str, State) -> Vec<State>>;

/// The text before a place that an expression fits, the place, and the groups.
type Found<'a> = (&'a str, &'a str, Vec<&'a str>);

/// A regular expression of Python, of the kinds that are used here, and how many groups it has; a point may be a line
/// break, too.
pub struct Pattern(Part, usize);

impl Pattern {
    pub fn new(text: &str) -> Pattern {
        let mut reader = Reader { chars: text.chars().peekable(), groups: 0 };
        Pattern(reader.ways(), reader.groups)
    }

    /// The groups, if the expression fits all of the text; one that is no part of the match is empty.
    pub fn fit<'a>(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let ends = self.0(text, (0, vec![(0, 0); self.1])).into_iter();
        let (_, marks) = ends.into_iter().find(|(end, _)| *end == text.len())?;
        Some(marks.into_iter().map(|(from, to)| &text[from..to]).collect())
    }

    /// Each place from left to right that the expression fits, then the rest.
    pub fn places<'a>(&self, text: &'a str) -> (Vec<Found<'a>>, &'a str) {
        let (mut found, mut begin) = (Vec::new(), 0);
        for (at, _) in text.char_indices() {
            let ends = if at < begin { Vec::new() } else { self.0(text, (at, vec![(0, 0); self.1])) };
            if let Some((end, marks)) = ends.into_iter().next().filter(|(end, _)| *end > at) {
                let groups = marks.into_iter().map(|(from, to)| &text[from..to]).collect();
                found.push((&text[begin..at], &text[at..end], groups));
                begin = end;
            }
        }
        (found, &text[begin..])
    }

    /// The pieces, each of which the expression fits, with blanks between them or not.
    pub fn split<'a>(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let (found, rest) = self.places(text);
        let blank = |text: &str| text.bytes().all(|b| b == b' ');
        let piece = |(before, piece, _): (&str, &'a str, _)| blank(before).then_some(piece);
        found.into_iter().map(piece).collect::<Option<Vec<_>>>().filter(|_| blank(rest))
    }
}

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    groups: usize,
}

impl Reader<'_> {
    /// Reads to the end of a group: one of several sequences.
    fn ways(&mut self) -> Part {
        let (mut ways, mut way) = (Vec::new(), Vec::new());
        while let Some(c) = self.chars.next().filter(|c| *c != ')') {
            if c == '|' {
                ways.push(std::mem::take(&mut way));
            } else {
                let item = self.item(c);
                way.push(self.repeat(item));
            }
        }
        ways.push(way);
        Box::new(move |text, state| {
            let go = |states: Vec<State>, part: &Part| states.into_iter().flat_map(|state| part(text, state)).collect();
            ways.iter().flat_map(|way| way.iter().fold(vec![state.clone()], go)).collect()
        })
    }

    fn item(&mut self, c: char) -> Part {
        match c {
            '(' => self.group(),
            '[' => {
                let (within, mut ranges) = (self.chars.next_if_eq(&'^').is_none(), Vec::new());
                while let Some(c) = self.chars.next().filter(|c| *c != ']') {
                    match self.chars.next_if(|next| c == '\\' || *next == '-') {
                        Some('-') if self.chars.peek() == Some(&']') => ranges.extend([(c, c), ('-', '-')]),
                        Some('-') => ranges.extend(self.chars.next().map(|to| (c, to))),
                        Some(sign) => ranges.extend(escaped(sign)),
                        None => ranges.push((c, c)),
                    }
                }
                one(within, ranges)
            }
            '\\' => match self.chars.next().unwrap_or(c) {
                // The files have it behind letters only.
                'b' => look(false, one(true, escaped('w'))),
                sign @ '1'..='9' => Box::new(move |text, (at, marks)| {
                    let (from, to) = marks[sign as usize - '1' as usize];
                    let same = text[at..].starts_with(&text[from..to]);
                    Vec::from_iter(same.then_some((at + to - from, marks)))
                }),
                sign => one(true, escaped(sign)),
            },
            '.' => one(false, Vec::new()),
            _ => one(true, vec![(c, c)]),
        }
    }

    fn group(&mut self) -> Part {
        let kind = self.chars.next_if_eq(&'?').and_then(|_| self.chars.next());
        self.chars.next_if(|_| kind == Some('s'));
        let place = self.groups;
        self.groups += usize::from(kind.is_none());
        let part = self.ways();
        match kind {
            None => Box::new(move |text, (at, marks)| {
                let mut ends = part(text, (at, marks));
                ends.iter_mut().for_each(|(end, marks)| marks[place] = (at, *end));
                ends
            }),
            Some('=' | '!') => look(kind == Some('='), part),
            Some(_) => part,
        }
    }

    /// An item as often as the signs behind it say.
    fn repeat(&mut self, item: Part) -> Part {
        let counts = match self.chars.next_if(|c| "?*+{".contains(*c)) {
            Some('?') => "0,1".to_string(),
            Some('*') => "0,".to_string(),
            Some('+') => "1,".to_string(),
            Some(_) => self.chars.by_ref().take_while(|c| *c != '}').collect(),
            None => return item,
        };
        let (least, most) = counts.split_once(',').unwrap_or((&counts, &counts));
        let (least, most) = (least.parse().unwrap_or(0), most.parse().unwrap_or(usize::MAX));
        // What takes as little as possible fits the same texts.
        self.chars.next_if_eq(&'?');
        Box::new(move |text, state| {
            let mut levels = vec![vec![state]];
            while levels.len() <= most && !levels[levels.len() - 1].is_empty() {
                let before = levels[levels.len() - 1].iter();
                levels.push(before.flat_map(|state| item(text, state.clone())).collect());
            }
            levels.into_iter().skip(least).rev().flatten().collect()
        })
    }
}

/// One character, in one of the ranges, or in none of them.
fn one(within: bool, ranges: Vec<(char, char)>) -> Part {
    Box::new(move |text, (at, marks)| {
        let fits = |c: &char| ranges.iter().any(|(from, to)| (from..=to).contains(&c)) == within;
        let next = text[at..].chars().next().filter(|c| spend(1).is_ok() && fits(c));
        next.map(|c| (at + c.len_utf8(), marks)).into_iter().collect()
    })
}

/// Whether a part fits what follows, or does not.
fn look(wanted: bool, part: Part) -> Part {
    Box::new(move |text, (at, marks)| {
        let found = part(text, (at, marks.clone())).into_iter().next();
        let fits = found.is_some() == wanted;
        Vec::from_iter(fits.then(|| (at, found.map_or(marks, |found| found.1))))
    })
}

/// The characters for which a sign stands behind a backslash.
fn escaped(sign: char) -> Vec<(char, char)> {
    match sign {
        'd' => vec![('0', '9')],
        'w' => vec![('0', '9'), ('A', 'Z'), ('a', 'z'), ('_', '_')],
        'n' => vec![('\n', '\n')],
        _ => vec![(sign, sign)],
    }
}
