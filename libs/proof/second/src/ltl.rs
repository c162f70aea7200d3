//! Formulas of linear temporal logic and their truth on a path that ends in a cycle.

use crate::{spend, unknown_if, Fail};
use std::collections::HashMap;

/// How deep parentheses may be nested: the reader calls itself.
const DEPTH: usize = 200;

/// An operator and its operands, places of formulas; what is not needed is 0. The operators are those of certificates:
/// `! & | X F G U R W M`; `a` is an atom, which has its number for an operand.
pub type Node = (char, u32, u32);

/// Formulas, each with a place of its own; parts come before the whole, equal formulas have the same place.
#[derive(Default)]
pub struct Formulas {
    pub nodes: Vec<Node>,
    places: HashMap<Node, u32>,
}

impl Formulas {
    pub fn add(&mut self, node: Node) -> u32 {
        let next = self.nodes.len() as u32;
        let place = *self.places.entry(node).or_insert(next);
        if place == next {
            self.nodes.push(node);
        }
        place
    }

    pub fn not(&mut self, a: u32) -> u32 {
        self.add(('!', a, 0))
    }

    pub fn implies(&mut self, a: u32, b: u32) -> u32 {
        let not_a = self.not(a);
        self.add(('|', not_a, b))
    }

    /// The negation of a formula, all negations moved inwards, down to atoms. Of each formula up to it both forms are
    /// built, which keeps shared parts shared.
    pub fn negate(&mut self, root: u32) -> u32 {
        let mut forms: Vec<(u32, u32)> = Vec::new();
        for place in 0..=root as usize {
            let (op, a, b) = self.nodes[place];
            let form = |place: u32| forms.get(place as usize).copied().unwrap_or((0, 0));
            let (a, b) = if op == 'a' { ((a, 0), (b, 0)) } else { (form(a), form(b)) };
            let (a, b) = if "XFG".contains(op) { (a, (0, 0)) } else { (a, b) };
            let dual = "&|XFGURWM".find(op).and_then(|i| "|&XGFRUMW".chars().nth(i));
            let form = match dual {
                Some(dual) => (self.add((op, a.0, b.0)), self.add((dual, a.1, b.1))),
                None if op == '!' => (a.1, a.0),
                None => (place as u32, self.not(place as u32)),
            };
            forms.push(form);
        }
        forms[root as usize].1
    }

    /// Whether a formula holds at each of the moments 0 to `len - 1`, the last of which is followed by the moment
    /// `back`, if `is(atom, moment)` says what is the case.
    pub fn truth(
        &self,
        root: u32,
        len: usize,
        back: usize,
        is: impl Fn(u32, usize) -> bool,
    ) -> Result<Vec<bool>, Fail> {
        unknown_if(back >= len, "a path without a cycle")?;
        let places = root as usize + 1;
        spend(places.saturating_mul(len).saturating_mul(2))?;
        let mut truth: Vec<Vec<bool>> = Vec::with_capacity(places);
        for node in &self.nodes[..places] {
            // The least solution of an equation is reached from false, the greatest from true. Going back from the
            // last moment twice is enough: the first time settles `back`, the second all that depends on it.
            let mut own = vec!["GRW".contains(node.0); len];
            for _ in 0..2 {
                for t in (0..len).rev() {
                    let next = if t + 1 < len { t + 1 } else { back };
                    let (now, part) = (|place: u32| truth[place as usize][t], |place: u32| truth[place as usize][next]);
                    own[t] = holds(node, |atom| is(atom, t), now, part, own[next]);
                }
            }
            truth.push(own);
        }
        Ok(truth.pop().unwrap_or_default())
    }
}

/// Whether a formula holds by its equation, if it is said whether atoms do, its parts now, its part next, itself next.
pub fn holds(
    &(op, a, b): &Node,
    is: impl Fn(u32) -> bool,
    now: impl Fn(u32) -> bool,
    next: impl Fn(u32) -> bool,
    own: bool,
) -> bool {
    match op {
        'a' => is(a),
        '!' => !now(a),
        '&' => now(a) && now(b),
        '|' => now(a) || now(b),
        'X' => next(a),
        'F' => now(a) || own,
        'G' => now(a) && own,
        'U' | 'W' => now(b) || now(a) && own,
        _ => now(b) && (now(a) || own),
    }
}

/// A formula as VLTL and the labels of machines write it, its place, and the names of its atoms by their numbers.
pub fn parse(text: &str) -> Option<(Formulas, u32, Vec<&str>)> {
    let mut reader = Reader { rest: text.trim_start_matches(' '), names: Vec::new(), formulas: Formulas::default() };
    let root = reader.binary(0, DEPTH)?;
    reader.rest.is_empty().then_some((reader.formulas, root, reader.names))
}

/// `idle` or `deliver(train,shelf)`.
pub fn is_atom(text: &str) -> bool {
    let is_name = |name: &str| {
        let fine = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
        name.starts_with(|c: char| c.is_ascii_lowercase()) && name.bytes().all(fine)
    };
    match text.split_once('(') {
        None => is_name(text) && text != "nothing",
        Some((name, rest)) => is_name(name) && rest.strip_suffix(')').is_some_and(|args| args.split(',').all(is_name)),
    }
}

/// The operators with two operands; those further on bind more.
const LEVELS: [&[&str]; 4] = [&["->", "<->"], &["|"], &["&"], &["U", "W", "R", "M"]];

struct Reader<'a> {
    rest: &'a str,
    names: Vec<&'a str>,
    formulas: Formulas,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> &'a str {
        let (token, rest) = self.rest.split_at(length);
        self.rest = rest.trim_start_matches(' ');
        token
    }

    /// How long the word is that is next.
    fn word(&self) -> usize {
        self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len())
    }

    /// The operator that is next, if it is one of these; one in letters is a whole word.
    fn operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        let next = |op: &&&str| self.rest.starts_with(**op) && [0, op.len()].contains(&self.word());
        let found = operators.iter().find(next).copied()?;
        self.take(found.len());
        Some(found)
    }

    /// `depth`: how deep parentheses may still be.
    fn binary(&mut self, level: usize, depth: usize) -> Option<u32> {
        if level > 3 {
            return self.unary(depth);
        }
        let mut a = self.binary(level + 1, depth)?;
        let mut open = false;
        while let Some(token) = self.operator(LEVELS[level]) {
            // The formula is open if several of -> <-> or of U W R M stand side by side.
            if std::mem::replace(&mut open, matches!(level, 0 | 3)) {
                return None;
            }
            let b = self.binary(level + 1, depth)?;
            let (op, x, y) = match token {
                "->" => ('|', self.formulas.not(a), b),
                "<->" => ('&', self.formulas.implies(a, b), self.formulas.implies(b, a)),
                _ => (token.chars().next()?, a, b),
            };
            a = self.formulas.add((op, x, y));
        }
        Some(a)
    }

    fn unary(&mut self, depth: usize) -> Option<u32> {
        let mut operators = Vec::new();
        while let Some(op) = self.operator(&["!", "X", "F", "G"]) {
            operators.extend(op.chars());
        }
        let mut a = if self.operator(&["("]).is_some() {
            let inner = self.binary(0, depth.checked_sub(1)?)?;
            self.operator(&[")"])?;
            inner
        } else {
            // An argument list follows its name at once.
            let word = self.word();
            let arguments = self.rest[word..].starts_with('(');
            let atom = self.take(if arguments { self.rest.find(')')? + 1 } else { word });
            let known = self.names.iter().position(|name| *name == atom).unwrap_or(self.names.len());
            self.names.extend(Some(atom).filter(|_| known == self.names.len()));
            self.formulas.add(('a', Some(known as u32).filter(|known| *known < 1000 && is_atom(atom))?, 0))
        };
        for op in operators.into_iter().rev() {
            a = self.formulas.add((op, a, 0));
        }
        Some(a)
    }
}
