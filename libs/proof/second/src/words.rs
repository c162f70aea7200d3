//! What prompts may say: files of words, with lines, and with regular expressions for single sentences.

use crate::spend;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;
use std::str::Chars;
use Step::{End, Go, Look, Mark, One, Same};

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
        let mut parts = text.split('«');
        let mut full = parts.next().unwrap_or("").to_string();
        for (name, rest) in parts.filter_map(|part| part.split_once('»')) {
            full += &self.text(name).map_or(format!("«{name}»"), |text| self.fill(&text));
            full += rest;
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
    pub fn read(mut self, prompt: &'a str) -> Option<Words<'a>> {
        let stands = |before: &str| before.is_empty() || before.split(' ').all(|word| self.has(word));
        let lines = self.rows.iter().filter(|(before, keyed, _)| !keyed && stands(before));
        let form = lines.map(|(.., text)| self.fill(text)).collect::<Vec<_>>().join("\n");
        let mut parts = form.split('«');
        let mut rest = prompt.strip_suffix('\n').unwrap_or(prompt).strip_prefix(parts.next()?)?;
        for (name, then) in parts.filter_map(|part| part.split_once('»')) {
            let (value, more) = rest.split_at(if then.is_empty() { rest.len() } else { rest.find(then)? });
            // A value that is named several times is the same each time.
            (*self.values.entry(name.to_string()).or_insert(value) == value).then_some(())?;
            rest = &more[then.len()..];
        }
        rest.is_empty().then_some(self)
    }
}

/// A step of a regular expression; other steps are told by how far they are from it.
#[derive(Clone)]
enum Step {
    /// One character, in one of the ranges, or in none of them.
    One(bool, Vec<(char, char)>),
    /// Where to go on; what is first is tried first.
    Go(Vec<isize>),
    /// A group begins (an even number) or ends.
    Mark(usize),
    /// The steps up to the next end fit here, or do not; so far on it goes on.
    Look(bool, usize),
    /// What the group has matched.
    Same(usize),
    End,
}

/// A place among the steps, one in the text, and where groups begin and end.
type State = (usize, usize, Vec<usize>);

/// A regular expression of Python, of the kinds that are used here; a point may be a line break, too.
pub struct Pattern(Vec<Step>, usize);

impl Pattern {
    pub fn new(text: &str) -> Pattern {
        let mut reader = Reader { chars: text.chars().peekable(), groups: 0 };
        let mut steps = reader.ways();
        steps.push(End);
        Pattern(steps, 2 * reader.groups)
    }

    /// The groups, if the expression fits all of the text; one that is no part of the match is empty.
    pub fn fit<'a>(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let (_, _, marks) = self.run(text, (0, 0, vec![0; self.1]), Some(text.len()))?;
        Some(marks.chunks(2).map(|pair| &text[pair[0]..pair[1]]).collect())
    }

    /// The pieces, each of which the expression fits, with blanks between them or not.
    pub fn split<'a>(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let (mut pieces, mut rest) = (Vec::new(), text.trim_start_matches(' '));
        while !rest.is_empty() {
            let (_, end, _) = self.run(rest, (0, 0, vec![0; self.1]), None)?;
            pieces.push(&rest[..end]);
            rest = rest[end..].trim_start_matches(' ');
        }
        Some(pieces)
    }

    /// Goes on to an end: of the text, if `whole` says where that is, else anywhere.
    fn run(&self, text: &str, from: State, whole: Option<usize>) -> Option<State> {
        let mut open = vec![from];
        while let Some((step, at, mut marks)) = open.pop() {
            spend(1).ok()?;
            match &self.0[step] {
                One(within, ranges) => {
                    let fits = |c: &char| ranges.iter().any(|(from, to)| (from..=to).contains(&c)) == *within;
                    open.extend(text[at..].chars().next().filter(fits).map(|c| (step + 1, at + c.len_utf8(), marks)));
                }
                Go(ways) => {
                    open.extend(ways.iter().rev().map(|far| (step.wrapping_add_signed(*far), at, marks.clone())));
                }
                Mark(place) => {
                    marks[*place] = at;
                    open.push((step + 1, at, marks));
                }
                Look(wanted, far) => {
                    let found = self.run(text, (step + 1, at, marks.clone()), None);
                    if found.is_some() == *wanted {
                        open.push((step + far, at, found.map_or(marks, |found| found.2)));
                    }
                }
                Same(group) => {
                    let same = &text[marks[2 * group - 2]..marks[2 * group - 1]];
                    if text[at..].starts_with(same) {
                        open.push((step + 1, at + same.len(), marks));
                    }
                }
                End if whole.is_none_or(|end| end == at) => return Some((step, at, marks)),
                End => {}
            }
        }
        None
    }
}

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    groups: usize,
}

impl Reader<'_> {
    /// Reads up to the end of a group.
    fn ways(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        while let Some(c) = self.chars.next_if(|c| !"|)".contains(*c)) {
            let item = self.item(c);
            self.repeat(item, &mut steps);
        }
        if self.chars.next_if_eq(&'|').is_some() {
            let others = self.ways();
            steps.insert(0, Go(vec![1, steps.len() as isize + 2]));
            steps.push(Go(vec![others.len() as isize + 1]));
            steps.extend(others);
        }
        steps
    }

    fn item(&mut self, c: char) -> Vec<Step> {
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
                vec![One(within, ranges)]
            }
            '\\' => match self.chars.next().unwrap_or(c) {
                // The files have it behind letters only.
                'b' => vec![Look(false, 3), One(true, escaped('w')), End],
                sign => sign.to_digit(10).map_or(vec![One(true, escaped(sign))], |group| vec![Same(group as usize)]),
            },
            '.' => vec![One(false, Vec::new())],
            _ => vec![One(true, vec![(c, c)])],
        }
    }

    fn group(&mut self) -> Vec<Step> {
        let kind = self.chars.next_if_eq(&'?').and_then(|_| self.chars.next());
        let place = 2 * self.groups;
        self.groups += usize::from(kind.is_none());
        if kind == Some('s') {
            self.chars.next();
        }
        let mut steps = self.ways();
        self.chars.next();
        let (before, after) = match kind {
            None => (Mark(place), Mark(place + 1)),
            Some(sign @ ('=' | '!')) => (Look(sign == '=', steps.len() + 2), End),
            Some(_) => return steps,
        };
        steps.insert(0, before);
        steps.push(after);
        steps
    }

    /// Adds an item as often as the signs behind it say.
    fn repeat(&mut self, item: Vec<Step>, steps: &mut Vec<Step>) {
        let (least, most) = match self.chars.next_if(|c| "?*+{".contains(*c)) {
            Some('?') => (0, Some(1)),
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some(_) => {
                let counts: String = self.chars.by_ref().take_while(|c| *c != '}').collect();
                let (least, most) = counts.split_once(',').unwrap_or((&counts, &counts));
                (least.parse().unwrap_or(0), most.parse().ok())
            }
            None => (1, Some(1)),
        };
        // What takes as little as possible fits the same texts.
        self.chars.next_if_eq(&'?');
        (0..least).for_each(|_| steps.extend(item.clone()));
        let far = item.len() as isize + 1;
        for left in (1..=most.map_or(1, |most: usize| most - least)).rev() {
            steps.push(Go(vec![1, if most.is_some() { left as isize * far } else { far + 1 }]));
            steps.extend(item.clone());
        }
        if most.is_none() {
            steps.push(Go(vec![-far]));
        }
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
