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
pub fn parse<'a>(text: &'a str) -> Result<(Formulas, u32, Vec<&'a str>), Fail> {
    let tokens = tokens(text)?;
    let mut reader = Reader { tokens, at: 0, atoms: HashMap::new(), names: Vec::new(), formulas: Formulas::default() };
    let root = reader.binary(0, 0)?;
    unknown_if(reader.at < reader.tokens.len(), "the formula: something is left over")?;
    Ok((reader.formulas, root, reader.names))
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

fn tokens<'a>(text: &'a str) -> Result<Vec<&'a str>, Fail> {
    spend(text.len())?;
    let mut found = Vec::new();
    let mut rest = text.trim_start_matches(' ');
    while !rest.is_empty() {
        let symbol = ["<->", "->", "!", "&", "|", "(", ")"].into_iter().find(|symbol| rest.starts_with(symbol));
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let length = match symbol {
            Some(symbol) => symbol.len(),
            // An argument list follows its name at once; an operator such as F may have a parenthesis there, too.
            None if rest[word..].starts_with('(') && rest.starts_with(|c: char| c.is_ascii_lowercase()) => {
                rest.find(')').unwrap_or(0) + 1
            }
            None => word,
        };
        let token = &rest[..length];
        let operator = ["X", "F", "G", "U", "W", "R", "M"].contains(&token);
        unknown_if(symbol.is_none() && !operator && !is_atom(token), "the formula: a word that is not known")?;
        found.push(token);
        rest = rest[length..].trim_start_matches(' ');
    }
    Ok(found)
}

/// The operators with two operands; those further on bind more.
const LEVELS: [&[&str]; 4] = [&["->", "<->"], &["|"], &["&"], &["U", "W", "R", "M"]];

struct Reader<'a> {
    tokens: Vec<&'a str>,
    at: usize,
    atoms: HashMap<&'a str, u32>,
    names: Vec<&'a str>,
    formulas: Formulas,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> &'a str {
        self.tokens.get(self.at).copied().unwrap_or("")
    }

    fn next(&mut self) -> &'a str {
        self.at += 1;
        self.tokens.get(self.at - 1).copied().unwrap_or("")
    }

    fn binary(&mut self, level: usize, depth: usize) -> Result<u32, Fail> {
        if level > 3 {
            return self.unary(depth);
        }
        let mut a = self.binary(level + 1, depth)?;
        let mut open = false;
        while LEVELS[level].contains(&self.peek()) {
            unknown_if(open, "the formula is open: several of -> <-> or of U W R M side by side")?;
            open = matches!(level, 0 | 3);
            let token = self.next();
            let b = self.binary(level + 1, depth)?;
            let (op, x, y) = match token {
                "->" => ('|', self.formulas.not(a), b),
                "<->" => ('&', self.formulas.implies(a, b), self.formulas.implies(b, a)),
                _ => (token.chars().next().unwrap_or('&'), a, b),
            };
            a = self.formulas.add((op, x, y));
        }
        Ok(a)
    }

    fn unary(&mut self, depth: usize) -> Result<u32, Fail> {
        unknown_if(depth > DEPTH, "the formula is nested too deeply")?;
        let mut operators = Vec::new();
        while ["!", "X", "F", "G"].contains(&self.peek()) {
            operators.extend(self.next().chars());
        }
        let token = self.next();
        let mut a = if token == "(" {
            let inner = self.binary(0, depth + 1)?;
            unknown_if(self.next() != ")", "the formula: a parenthesis is not closed")?;
            inner
        } else {
            unknown_if(!is_atom(token), "the formula: a part is missing")?;
            let new = self.names.len() as u32;
            let atom = *self.atoms.entry(token).or_insert(new);
            self.names.extend(Some(token).filter(|_| atom == new));
            self.formulas.add(('a', atom, 0))
        };
        for op in operators.into_iter().rev() {
            a = self.formulas.add((op, a, 0));
        }
        Ok(a)
    }
}
