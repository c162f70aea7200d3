//! What prompts may say: files of words, with lines, and with regular expressions for single sentences.

use crate::{spend, unknown, Fail};
use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;
use std::str::Chars;
use Part::{Group, Look, Many, One, Same, Ways};

/// What stands before the sign, whether that is `=`, and the text.
pub type Row = (&'static str, bool, &'static str);

/// A file of words, the conditions that hold for a prompt, and its values.
pub struct Words<'a> {
    pub rows: Vec<Row>,
    pub holds: BTreeSet<&'static str>,
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
        let mut holds = BTreeSet::new();
        for (before, _, text) in &rows {
            let mut words = before.split(' ');
            if words.next() == Some("like") {
                holds.extend(words.nth(usize::from(!prompt.contains(text))));
            }
        }
        Words { rows, holds, values: BTreeMap::new() }
    }

    pub fn has(&self, condition: &str) -> bool {
        self.holds.contains(condition)
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
        let quoted = |c: char| if "().".contains(c) { format!("\\{c}") } else { c.to_string() };
        let list = || Some(self.row(&format!("list {name}"))?.chars().map(quoted).collect());
        found.map(|(.., text)| text.to_string()).or_else(list)
    }

    /// A text in which names are replaced by what stands for them; those of values stay.
    pub fn fill(&self, text: &str) -> String {
        let (mut full, names) = pieces(text);
        for (name, rest) in names {
            full += &self.text(name).map_or(format!("«{name}»"), |text| self.fill(&text));
            full += &rest;
        }
        full
    }

    pub fn pattern(&self, name: &str) -> Pattern {
        Pattern::new(&self.fill(&self.text(name).unwrap_or_default()))
    }

    /// What stands for the name of a value in the prompt, if it does.
    pub fn value(&self, name: &str) -> &'a str {
        self.values.get(name).copied().unwrap_or("")
    }

    /// Takes the values from a prompt; a value ends where the text that follows it comes first.
    pub fn read(mut self, prompt: &'a str) -> Result<Words<'a>, Fail> {
        let other = || unknown("the prompt has a sentence that is not known");
        let stands = |before: &str| before.is_empty() || before.split(' ').all(|word| self.has(word));
        let lines = self.rows.iter().filter(|(before, keyed, _)| !keyed && stands(before));
        let form = lines.map(|(.., text)| self.fill(text)).collect::<Vec<_>>().join("\n");
        let (start, names) = pieces(&form);
        let mut rest = prompt.strip_suffix('\n').unwrap_or(prompt).strip_prefix(&start).ok_or_else(other)?;
        for (name, then) in names {
            let end = if then.is_empty() { Some(rest.len()) } else { rest.find(&then) };
            let (value, more) = rest.split_at(end.ok_or_else(other)?);
            // A value that is named several times is the same each time.
            let same = *self.values.entry(name.to_string()).or_insert(value) == value;
            same.then_some(()).ok_or_else(other)?;
            rest = &more[then.len()..];
        }
        rest.is_empty().then_some(self).ok_or_else(other)
    }
}

/// A text up to its first name, and each name with what follows it. Where no name stands between them, « and » are text.
fn pieces(text: &str) -> (String, Vec<(&str, String)>) {
    let mut parts = text.split('«');
    let (mut start, mut names) = (parts.next().unwrap_or("").to_string(), Vec::<(&str, String)>::new());
    for part in parts {
        match part.split_once('»') {
            Some((name, then)) => names.push((name, then.to_string())),
            None => *names.last_mut().map_or(&mut start, |last| &mut last.1) += &format!("«{part}"),
        }
    }
    (start, names)
}

/// A part of a regular expression.
enum Part {
    /// One character, in one of the ranges, or in none of them.
    One(bool, Vec<(char, char)>),
    /// Whether this fits what follows, or does not.
    Look(bool, Box<Part>),
    /// A group by its number, counted from 0.
    Group(usize, Box<Part>),
    /// What the group has matched.
    Same(usize),
    /// At least, and at most, so often.
    Many(Box<Part>, usize, usize),
    /// One of several sequences.
    Ways(Vec<Vec<Part>>),
}

/// A place in the text, and where groups begin and end.
type State = (usize, Vec<(usize, usize)>);

impl Part {
    /// Where a match may end, what comes first being preferred.
    fn ends(&self, text: &str, (at, mut marks): State) -> Vec<State> {
        if spend(1).is_err() {
            return Vec::new();
        }
        match self {
            One(within, ranges) => {
                let fits = |c: &char| ranges.iter().any(|(from, to)| (from..=to).contains(&c)) == *within;
                let next = text[at..].chars().next().filter(fits);
                next.map(|c| (at + c.len_utf8(), marks)).into_iter().collect()
            }
            Look(wanted, part) => {
                let found = part.ends(text, (at, marks.clone())).into_iter().next();
                let fits = found.is_some() == *wanted;
                marks = found.map_or(marks, |found| found.1);
                Vec::from_iter(fits.then_some((at, marks)))
            }
            Group(place, part) => {
                let mut ends = part.ends(text, (at, marks));
                ends.iter_mut().for_each(|(end, marks)| marks[*place] = (at, *end));
                ends
            }
            Same(place) => {
                let same = &text[marks[*place].0..marks[*place].1];
                Vec::from_iter(text[at..].starts_with(same).then_some((at + same.len(), marks)))
            }
            Many(part, least, most) => {
                let mut levels = vec![vec![(at, marks)]];
                while levels.len() <= *most && !levels[levels.len() - 1].is_empty() {
                    let before = levels[levels.len() - 1].iter();
                    levels.push(before.flat_map(|state| part.ends(text, state.clone())).collect());
                }
                levels.into_iter().skip(*least).rev().flatten().collect()
            }
            Ways(ways) => {
                let go = |states: Vec<State>, part: &Part| {
                    states.into_iter().flat_map(|state| part.ends(text, state)).collect()
                };
                ways.iter().flat_map(|way| way.iter().fold(vec![(at, marks.clone())], go)).collect()
            }
        }
    }
}

/// A regular expression of Python, of the kinds that are used here; a point may be a line break, too.
pub struct Pattern(Part, usize);

impl Pattern {
    pub fn new(text: &str) -> Pattern {
        let mut reader = Reader { chars: text.chars().peekable(), groups: 0 };
        Pattern(reader.ways(), reader.groups)
    }

    /// The groups, if the expression fits all of the text; one that is no part of the match is empty.
    pub fn fit<'a>(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let ends = self.0.ends(text, (0, vec![(0, 0); self.1])).into_iter();
        let (_, marks) = ends.into_iter().find(|(end, _)| *end == text.len())?;
        Some(marks.into_iter().map(|(from, to)| &text[from..to]).collect())
    }

    /// Each place from left to right that the expression fits: the text since the last one, and the groups; then the rest.
    pub fn places<'a>(&self, text: &'a str) -> (Vec<(&'a str, Vec<&'a str>)>, &'a str) {
        let (mut found, mut begin, mut at) = (Vec::new(), 0, 0);
        while at < text.len() {
            let match_ = self.0.ends(text, (at, vec![(0, 0); self.1])).into_iter().next();
            match match_.filter(|(end, _)| *end > at) {
                Some((end, marks)) => {
                    found.push((&text[begin..at], marks.into_iter().map(|(from, to)| &text[from..to]).collect()));
                    (begin, at) = (end, end);
                }
                None => at += text[at..].chars().next().map_or(1, char::len_utf8),
            }
        }
        (found, &text[begin..])
    }

    /// The pieces, each of which the expression fits, with blanks between them or not.
    pub fn split<'a>(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let (mut pieces, mut rest) = (Vec::new(), text.trim_start_matches(' '));
        while !rest.is_empty() {
            let end = self.0.ends(rest, (0, vec![(0, 0); self.1])).first()?.0;
            pieces.push(&rest[..end]);
            rest = rest[end..].trim_start_matches(' ');
        }
        Some(pieces)
    }
}

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    groups: usize,
}

impl Reader<'_> {
    /// Reads to the end of a group.
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
        Ways(ways)
    }

    fn item(&mut self, c: char) -> Part {
        match c {
            '(' => {
                let kind = self.chars.next_if_eq(&'?').and_then(|_| self.chars.next());
                self.chars.next_if(|_| kind == Some('s'));
                let place = self.groups;
                self.groups += usize::from(kind.is_none());
                let part = self.ways();
                match kind {
                    None => Group(place, Box::new(part)),
                    Some('=' | '!') => Look(kind == Some('='), Box::new(part)),
                    Some(_) => part,
                }
            }
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
                One(within, ranges)
            }
            '\\' => match self.chars.next().unwrap_or(c) {
                // The files have it behind letters only.
                'b' => Look(false, Box::new(One(true, escaped('w')))),
                sign => sign.to_digit(10).map_or(One(true, escaped(sign)), |group| Same(group as usize - 1)),
            },
            '.' => One(false, Vec::new()),
            _ => One(true, vec![(c, c)]),
        }
    }

    /// An item as often as the signs behind it say.
    fn repeat(&mut self, item: Part) -> Part {
        let (least, most) = match self.chars.next_if(|c| "?*+{".contains(*c)) {
            Some('?') => (0, 1),
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some(_) => {
                let counts: String = self.chars.by_ref().take_while(|c| *c != '}').collect();
                let (least, most) = counts.split_once(',').unwrap_or((&counts, &counts));
                (least.parse().unwrap_or(0), most.parse().unwrap_or(0))
            }
            None => return item,
        };
        // What takes as little as possible fits the same texts.
        self.chars.next_if_eq(&'?');
        Many(Box::new(item), least, most)
    }
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
