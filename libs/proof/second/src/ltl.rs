//! Formulas of linear temporal logic and their truth on a path that ends in a cycle.

use crate::{spend, Check};
use std::collections::HashMap;

/// How deep operators and parentheses may be nested: the reader calls itself.
const DEPTH: usize = 500;

/// An operator and its operands, places of formulas; if it has one only, that is there twice. The operators are those
/// of certificates: `! & | X F G U R W M`; `a` is an atom, which has its number for operands.
pub type Node = (char, usize, usize);

/// What is the case, by the number of an atom or the place of a formula.
pub type Is<'a> = &'a dyn Fn(usize) -> bool;

/// Formulas, each with a place of its own; parts come before the whole, equal formulas have the same place.
#[derive(Default)]
pub struct Formulas<'a> {
    pub nodes: Vec<Node>,
    pub places: HashMap<Node, usize>,
    /// The names of atoms that are read from text, by their numbers; "" stands for w.
    pub names: Vec<&'a str>,
    /// Whether text is about finite traces.
    pub finite: bool,
}

/// The operators with two operands; those further on bind more.
const LEVELS: [&[&str]; 4] = [&["->", "<->"], &["|"], &["&"], &["U", "W", "R", "M"]];

/// The place of a value among those known, which it becomes.
pub fn number<T: PartialEq>(known: &mut Vec<T>, value: T) -> usize {
    let place = known.iter().position(|other| *other == value).unwrap_or(known.len());
    known.extend((place == known.len()).then_some(value));
    place
}

/// The sign that is next, if it is one of these.
fn take<'a>(rest: &mut &[&'a str], signs: &[&str]) -> Option<&'a str> {
    let (sign, more) = rest.split_first().filter(|(sign, _)| signs.contains(sign))?;
    *rest = more;
    Some(sign)
}

/// The ways in which a formula can hold: what has to hold now, and what at the next moment. Its operands are 0 and 1,
/// it itself is 2.
pub fn ways(op: char) -> &'static [(&'static [usize], Option<usize>)] {
    match op {
        'a' | '!' => &[],
        'X' => &[(&[], Some(0))],
        '&' => &[(&[0, 1], None)],
        '|' => &[(&[0], None), (&[1], None)],
        'F' => &[(&[0], None), (&[], Some(2))],
        'G' => &[(&[0], Some(2))],
        'U' | 'W' => &[(&[1], None), (&[0], Some(2))],
        _ => &[(&[0, 1], None), (&[1], Some(2))],
    }
}

impl<'a> Formulas<'a> {
    pub fn add(&mut self, node: Node) -> usize {
        let next = self.nodes.len();
        let place = *self.places.entry(node).or_insert(next);
        self.nodes.extend((place == next).then_some(node));
        place
    }

    pub fn implies(&mut self, a: usize, b: usize) -> usize {
        let not_a = self.add(('!', a, a));
        self.add(('|', not_a, b))
    }

    /// The negation of a formula, all negations moved inwards, down to atoms. Of each formula up to it both forms are
    /// built, which keeps shared parts shared.
    pub fn negate(&mut self, root: usize) -> usize {
        let mut forms: Vec<(usize, usize)> = Vec::new();
        for place in 0..=root {
            let (op, a, b) = self.nodes[place];
            let dual = "&|XFGURWM".find(op).and_then(|i| "|&XGFRUMW".chars().nth(i));
            forms.push(match dual {
                Some(dual) => (self.add((op, forms[a].0, forms[b].0)), self.add((dual, forms[a].1, forms[b].1))),
                None if op == '!' => (forms[a].1, forms[a].0),
                None => (place, self.add(('!', place, place))),
            });
        }
        forms[root].1
    }

    /// Whether a formula holds at each of the moments 0 to `len - 1`, the last of which is followed by the moment
    /// `back`, if `is(atom, moment)` says what is the case.
    pub fn truth(&self, root: usize, len: usize, back: usize, is: impl Fn(usize, usize) -> bool) -> Check<Vec<bool>> {
        spend((root + 1).saturating_mul(len).saturating_mul(2))?;
        let mut truth: Vec<Vec<bool>> = Vec::new();
        for (place, (op, ..)) in self.nodes[..=root].iter().enumerate() {
            // The least solution of an equation is reached from false, the greatest from true. Going back from the
            // last moment twice is enough: the first time settles `back`, the second all that depends on it.
            truth.push(vec!["GRW".contains(*op); len]);
            for t in (0..len).rev().chain((0..len).rev()) {
                let next = if t + 1 < len { t + 1 } else { back };
                let (now, part) = (|part: usize| truth[part][t], |part: usize| truth[part][next]);
                truth[place][t] = self.holds(place, &|atom| is(atom, t), &now, &part);
            }
        }
        Ok(truth.pop().unwrap_or_default())
    }

    /// Whether a formula holds, if it is said whether atoms do, its parts now, and at the next moment parts and itself.
    pub fn holds(&self, place: usize, is: Is, now: Is, next: Is) -> bool {
        let (op, a, b) = self.nodes[place];
        let of = [a, b, place];
        match op {
            'a' => is(a),
            '!' => !now(a),
            _ => ways(op).iter().any(|(parts, later)| {
                parts.iter().all(|part| now(of[*part])) && later.is_none_or(|part| next(of[part]))
            }),
        }
    }

    /// The place of a formula, if it consists of these signs and names. On finite traces it is read as the document says.
    pub fn read(&mut self, mut signs: &[&'a str]) -> Option<usize> {
        let root = self.binary(&mut signs, 0, DEPTH)?;
        signs.is_empty().then_some(root)
    }

    /// `depth`: how deep operators and parentheses may still be.
    fn binary(&mut self, rest: &mut &[&'a str], level: usize, depth: usize) -> Option<usize> {
        let Some(signs) = LEVELS.get(level) else { return self.unary(rest, depth) };
        let (mut a, mut open) = (self.binary(rest, level + 1, depth)?, false);
        while let Some(sign) = take(rest, signs) {
            // The formula is open if several of -> <-> or of U W R M stand side by side.
            if std::mem::replace(&mut open, matches!(level, 0 | 3)) {
                return None;
            }
            let b = self.binary(rest, level + 1, depth)?;
            a = match sign {
                "->" => self.implies(a, b),
                "<->" => {
                    let both = ('&', self.implies(a, b), self.implies(b, a));
                    self.add(both)
                }
                _ => self.add_read(sign, a, b)?,
            };
        }
        Some(a)
    }

    fn unary(&mut self, rest: &mut &[&'a str], depth: usize) -> Option<usize> {
        let (depth, (sign, more)) = (depth.checked_sub(1)?, rest.split_first()?);
        *rest = more;
        match *sign {
            "(" => {
                let inner = self.binary(rest, 0, depth)?;
                take(rest, &[")"]).map(|_| inner)
            }
            "!" | "X" | "N" | "F" | "G" => {
                let a = self.unary(rest, depth)?;
                self.add_read(sign, a, a)
            }
            name => name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_').then(|| self.named(name)),
        }
    }

    fn named(&mut self, name: &'a str) -> usize {
        let number = number(&mut self.names, name);
        self.add(('a', number, number))
    }

    fn add_read(&mut self, sign: &str, a: usize, b: usize) -> Option<usize> {
        let op = sign.chars().next()?;
        if !self.finite || "!&|".contains(op) {
            return (op != 'N').then(|| self.add((op, a, b)));
        }
        let w = self.named("");
        // What has to be so within the trace, and what has to be so as long as it lasts.
        let mut both = |part| (self.add(('&', w, part)), self.implies(w, part));
        let ((a, as_long_a), (b, as_long_b)) = (both(a), both(b));
        Some(self.add(match op {
            'X' | 'F' => (op, a, a),
            'N' => ('X', as_long_a, as_long_a),
            'G' => (op, as_long_a, as_long_a),
            'U' | 'W' => (op, as_long_a, b),
            _ => (op, a, as_long_b),
        }))
    }
}
