//! Formulas of linear temporal logic and their truth on a path that ends in a cycle.

use crate::{spend, unknown_if, Fail};
use std::collections::HashMap;

/// How deep parentheses may be nested: the reader calls itself.
const DEPTH: usize = 200;

/// An operator and its operands, places of formulas; what is not needed is 0. The operators are those of certificates:
/// `! & | X F G U R W M`; `a` is an atom, which has its number for an operand.
pub type Node = (char, u32, u32);

/// Whether a formula holds at each moment.
type Truth = Result<Vec<bool>, Fail>;

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
    pub fn truth(&self, root: u32, len: usize, back: usize, is: impl Fn(u32, usize) -> bool) -> Truth {
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

/// Formulas, and the names of their atoms by their numbers. On finite traces the first name stands for w.
pub struct Named<'a> {
    pub formulas: Formulas,
    pub names: Vec<&'a str>,
    pub finite: bool,
}

impl<'a> Named<'a> {
    pub fn new(finite: bool) -> Named<'a> {
        Named { formulas: Formulas::default(), names: if finite { vec![""] } else { Vec::new() }, finite }
    }

    /// The place of a formula, if it consists of these signs and names; some names stand for other formulas.
    /// On finite traces it is read as the document says.
    pub fn parse(&mut self, signs: &[&'a str], meant: &HashMap<&str, u32>) -> Option<u32> {
        let mut reader = Reader { rest: signs, named: self, meant };
        let root = reader.binary(0, DEPTH)?;
        reader.rest.is_empty().then_some(root)
    }
}

/// The operators with two operands; those further on bind more.
const LEVELS: [&[&str]; 4] = [&["->", "<->"], &["|"], &["&"], &["U", "W", "R", "M"]];

struct Reader<'a, 'b> {
    rest: &'b [&'a str],
    named: &'b mut Named<'a>,
    meant: &'b HashMap<&'b str, u32>,
}

impl<'a> Reader<'a, '_> {
    /// The sign that is next, if it is one of these.
    fn take(&mut self, signs: &[&str]) -> Option<&'a str> {
        let (sign, rest) = self.rest.split_first()?;
        signs.contains(sign).then(|| self.rest = rest)?;
        Some(sign)
    }

    /// `depth`: how deep parentheses may still be.
    fn binary(&mut self, level: usize, depth: usize) -> Option<u32> {
        if level > 3 {
            return self.unary(depth);
        }
        let mut a = self.binary(level + 1, depth)?;
        let mut open = false;
        while let Some(sign) = self.take(LEVELS[level]) {
            // The formula is open if several of -> <-> or of U W R M stand side by side.
            if std::mem::replace(&mut open, matches!(level, 0 | 3)) {
                return None;
            }
            let b = self.binary(level + 1, depth)?;
            a = match sign {
                "->" => self.named.formulas.implies(a, b),
                "<->" => {
                    let formulas = &mut self.named.formulas;
                    let both = ('&', formulas.implies(a, b), formulas.implies(b, a));
                    formulas.add(both)
                }
                _ => self.add(sign, a, b)?,
            };
        }
        Some(a)
    }

    fn unary(&mut self, depth: usize) -> Option<u32> {
        let mut operators = Vec::new();
        while let Some(sign) = self.take(&["!", "X", "N", "F", "G"]) {
            operators.push(sign);
        }
        let mut a = if self.take(&["("]).is_some() {
            let inner = self.binary(0, depth.checked_sub(1)?)?;
            self.take(&[")"])?;
            inner
        } else {
            let name = self.take(self.rest)?;
            name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_').then_some(())?;
            let names = &mut self.named.names;
            let known = names.iter().position(|known| *known == name).unwrap_or(names.len());
            names.extend(Some(name).filter(|_| known == names.len()));
            let atom = self.named.formulas.add(('a', known as u32, 0));
            self.meant.get(name).copied().unwrap_or(atom)
        };
        for sign in operators.into_iter().rev() {
            a = self.add(sign, a, 0)?;
        }
        Some(a)
    }

    fn add(&mut self, sign: &str, a: u32, b: u32) -> Option<u32> {
        let op = sign.chars().next()?;
        let formulas = &mut self.named.formulas;
        if !self.named.finite || "!&|".contains(op) {
            return (op != 'N').then(|| formulas.add((op, a, b)));
        }
        let w = formulas.add(('a', 0, 0));
        // What has to be so within the trace, and what has to be so as long as it lasts.
        let mut both = |part| (formulas.add(('&', w, part)), formulas.implies(w, part));
        let ((a, as_long_a), (b, as_long_b)) = (both(a), both(b));
        let node = match op {
            'X' | 'F' => (op, a, 0),
            'N' => ('X', as_long_a, 0),
            'G' => (op, as_long_a, 0),
            'U' | 'W' => (op, as_long_a, b),
            _ => (op, a, as_long_b),
        };
        Some(formulas.add(node))
    }
}
