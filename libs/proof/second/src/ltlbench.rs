//! LTLBench: which paths events may take, and a hypothesis that has to hold on all of them.

use crate::ltl::{Formulas, Node};
use crate::words::{Row, Words};
use crate::{json::Json, json::Read, refuted, refuted_if, spend, unknown, walks, Fail};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The events that may follow each event.
type After = BTreeMap<u32, BTreeSet<u32>>;

pub struct Problem {
    pub first: u32,
    pub after: After,
    pub formulas: Formulas,
    pub hypothesis: u32,
    /// Whether a label of False has to state a path.
    with_path: bool,
}

pub fn check(prompt: &str, target: &str, proof: &Json) -> Result<(), Fail> {
    let mut problem = read(prompt).ok_or(unknown("the prompt has words that are not known"))?;
    let is_table = target == "True";
    if is_table {
        check_table(&mut problem, proof)?;
    } else {
        let (path, back) = problem.read_path(proof)?;
        let may = |(event, next)| problem.after.get(event).is_some_and(|after| after.contains(next));
        refuted_if(!steps(&path, back).all(may), "an event may not follow the one before it")?;
        refuted_if(problem.holds(&path, back)?, "the hypothesis holds on the path")?;
        // A label that states a path has to state this one.
        let list = |events: &[u32]| events.iter().map(|n| format!("event{n}")).collect::<Vec<_>>().join(", ");
        let cycle = format!("({})", list(&path[back..]));
        let stated = if back == 0 { cycle } else { format!("{}, {cycle}", list(&path[..back])) };
        let right = if problem.with_path { format!("False: {stated}") } else { "False".into() };
        refuted_if(target != right, "the label is not what the path shows")?;
    }
    if let Some(contrast) = proof.find("contrast") {
        walks::check_contrast(&problem, contrast, is_table)?;
    }
    proof.find("walk").map_or(Ok(()), |walk| walks::check_walk(&mut problem, walk))
}

/// The steps of a path, from each event to the next, the last of which is the one at `back`.
pub fn steps(path: &[u32], back: usize) -> impl Iterator<Item = (&u32, &u32)> {
    path.iter().zip(path[1..].iter().chain(&path[back..=back]))
}

impl Problem {
    /// The events of a path, and the place to which it goes back from its end.
    pub fn read_path(&self, proof: &Json) -> Result<(Vec<u32>, usize), Fail> {
        let (prefix, cycle): (Vec<u32>, Vec<u32>) = (proof.get("prefix")?, proof.get("cycle")?);
        let path = [&prefix[..], &cycle].concat();
        refuted_if(cycle.is_empty() || path[0] != self.first, "the cycle is empty, or the first event wrong")?;
        Ok((path, prefix.len()))
    }

    /// Whether the hypothesis holds on a path.
    pub fn holds(&self, path: &[u32], back: usize) -> Result<bool, Fail> {
        Ok(self.formulas.truth(self.hypothesis, path.len(), back, |event, t| path[t] == event)?[0])
    }
}

/// Checks the three conditions of the theorem.
fn check_table(problem: &mut Problem, proof: &Json) -> Result<(), Fail> {
    let negated = problem.formulas.negate(problem.hypothesis);
    let (places, table) = read_table::<i64>(proof, &mut problem.formulas)?;
    let promises: Vec<Json> = proof.get("promises")?;
    let begins = table.contains_key(&(problem.first, BTreeSet::from([negated])));
    refuted_if(!begins, "the table has no entry to begin with")?;
    for ((event, formulas), &rank) in &table {
        let after = problem.after.get(event).ok_or(refuted("an entry of an unknown event"))?;
        let promise = usize::try_from(rank).ok().and_then(|rank| u32::read(promises.get(rank)?));
        let promise = promise.and_then(|place| places.get(place as usize));
        for (left, put_off) in ways(&problem.formulas.nodes, *event, formulas)? {
            let kept = promise.is_some_and(|promise| put_off.contains(promise));
            for &next in after {
                spend(1 + left.len())?;
                let then = *table.get(&(next, left.clone())).ok_or(refuted("an entry is missing"))?;
                let falls = then < rank || (then == rank && kept);
                refuted_if(!falls, "a rank does not fall, nor is its promise put off")?;
            }
        }
    }
    Ok(())
}

/// An event, and the places of the formulas that hold together from there on.
pub type Entry = (u32, BTreeSet<u32>);
/// The places of the formulas of a certificate, and its entries.
type Table<T> = (Vec<u32>, HashMap<Entry, T>);

/// The formulas of a certificate by their places among ours, so that equal ones are one, and its entries.
pub fn read_table<T: Read>(proof: &Json, formulas: &mut Formulas) -> Result<Table<T>, Fail> {
    let mut places: Vec<u32> = Vec::new();
    for formula in proof.get::<Vec<Vec<Json>>>("formulas")? {
        places.push(read_formula(&formula, &places, formulas).ok_or(unknown("a formula of another form"))?);
    }
    let mut table = HashMap::new();
    for (event, parts, value) in proof.get::<Vec<(u32, Vec<u32>, T)>>("entries")? {
        let set = parts.iter().map(|place| places.get(*place as usize).copied()).collect::<Option<_>>();
        table.insert((event, set.ok_or(unknown("an entry of another form"))?), value);
    }
    Ok((places, table))
}

fn read_formula(formula: &[Json], places: &[u32], formulas: &mut Formulas) -> Option<u32> {
    let (op, parts) = formula.split_first()?;
    let numbers = parts.iter().map(u32::read).collect::<Option<Vec<u32>>>()?;
    let part = |i: usize| places.get(numbers[i] as usize).copied();
    let op = String::read(op)?;
    let node: Node = match (&*op, numbers.len()) {
        ("atom", 1) => ('a', numbers[0], 0),
        ("not", 1) => ('!', formulas.add(('a', numbers[0], 0)), 0),
        ("X" | "F" | "G", 1) => (op.chars().next()?, part(0)?, 0),
        ("&" | "|" | "U" | "R" | "W" | "M", 2) => (op.chars().next()?, part(0)?, part(1)?),
        _ => return None,
    };
    Some(formulas.add(node))
}

/// Of a way in which formulas hold: what is left for the next event, and what was put off.
type Way = (BTreeSet<u32>, BTreeSet<u32>);

/// All ways in which the formulas hold at the event.
fn ways(nodes: &[Node], event: u32, formulas: &BTreeSet<u32>) -> Result<HashSet<Way>, Fail> {
    let mut done = HashSet::new();
    let mut open = vec![(Vec::from_iter(formulas.iter().copied()), Way::default())];
    while let Some((mut todo, way)) = open.pop() {
        spend(1)?;
        let Some(place) = todo.pop() else {
            done.insert(way);
            continue;
        };
        let (op, a, b) = nodes[place as usize];
        // The ways of a formula: what has to hold now, and what is left.
        let choices: &[(&[u32], Option<u32>)] = match op {
            'a' if a == event => &[(&[], None)],
            '!' if nodes[a as usize].1 != event => &[(&[], None)],
            'a' | '!' => &[],
            'X' => &[(&[], Some(a))],
            '&' => &[(&[a, b], None)],
            '|' => &[(&[a], None), (&[b], None)],
            'F' => &[(&[a], None), (&[], Some(place))],
            'G' => &[(&[a], Some(place))],
            'U' | 'W' => &[(&[b], None), (&[a], Some(place))],
            _ => &[(&[a, b], None), (&[b], Some(place))],
        };
        let promises = "FUM".contains(op);
        for (now, later) in choices {
            spend(1 + todo.len() + way.0.len())?;
            let (mut todo, mut way) = (todo.clone(), way.clone());
            todo.extend_from_slice(now);
            way.0.extend(later);
            way.1.extend(later.filter(|_| promises));
            open.push((todo, way));
        }
    }
    Ok(done)
}

fn read(prompt: &str) -> Option<Problem> {
    let words = Words::new(include_str!("../../harness_proof/prompts/ltlbench.txt"), prompt);
    let lines: Vec<&str> = prompt.lines().filter(|line| !line.is_empty()).collect();
    let ["=== Context ===", context, rest @ .., question] = &lines[..] else { return None };
    let at = rest.iter().position(|line| *line == "=== Hypothesis ===")?;
    let (rules, statements) = (&rest[..at], &rest[at + 1..]);
    let (first, after) = read_context(&words, context)?;
    let mut reader = Reader { words: &words, known: Vec::new(), formulas: Formulas::default() };
    for line in statements {
        let place = reader.statement(line.strip_prefix(&format!("C{}: ", reader.known.len() + 1))?)?;
        reader.known.push(place);
    }
    // The list of events that may follow is no statement with "or".
    let said = format!("{context}\n{}", statements.join("\n")).replace(", or event", "");
    let rows = words.rows.iter().filter(|(before, keyed, _)| !keyed && said.contains(before));
    let needed: BTreeSet<String> = rows.map(|(.., text)| format!("- {text}")).collect();
    let right = match rules {
        ["=== Rules ===", rules @ ..] => rules.iter().map(|rule| rule.to_string()).collect::<BTreeSet<_>>() == needed,
        _ => rules.is_empty(),
    };
    let asked = words.pattern("question").fit(question)?;
    let form = words.rows.iter().find(|(before, _, text)| before.starts_with("answer ") && *text == asked[1])?;
    let right = right && asked[0] == reader.known.len().to_string();
    let (formulas, hypothesis) = (reader.formulas, *reader.known.last()?);
    right.then_some(Problem { first, after, formulas, hypothesis, with_path: form.0 == "answer path" })
}

fn read_context(words: &Words, text: &str) -> Option<(u32, After)> {
    let mut sentences = text.strip_suffix('.')?.split(". ");
    let first = words.pattern("first").fit(sentences.next()?)?[0].parse().ok()?;
    let mut after: BTreeMap<u32, (&str, BTreeSet<u32>)> = BTreeMap::new();
    let pattern = words.pattern("after");
    for sentence in sentences {
        let [from, none, to, kind, list] = pattern.fit(sentence)?[..] else { return None };
        let from = from.parse().ok()?;
        let names = list.replace("or ", "").replace("event", "");
        let names = if list.is_empty() { to } else { &names };
        let next: Vec<u32> = names.split(", ").filter_map(|name| name.parse().ok()).collect();
        let mut set = BTreeSet::from_iter(next.iter().copied());
        // An event named twice is no sentence that we know.
        (set.len() == next.len()).then_some(())?;
        if !none.is_empty() {
            set.insert(from);
        }
        // Of "can", each sentence adds one event; of "must", one lists all, but published prompts repeat sentences.
        let known = after.entry(from).or_insert((kind, set.clone()));
        if known.0 != kind || (kind != "can" && known.1 != set) {
            return None;
        }
        known.1.extend(set);
    }
    let after: After = after.into_iter().map(|(from, (_, next))| (from, next)).collect();
    // Of each event it has to be said what follows.
    let all = after.contains_key(&first) && after.values().flatten().all(|event| after.contains_key(event));
    all.then_some((first, after))
}

struct Reader<'a> {
    words: &'a Words<'a>,
    /// The earlier statements.
    known: Vec<u32>,
    formulas: Formulas,
}

impl Reader<'_> {
    fn statement(&mut self, text: &str) -> Option<u32> {
        if let Some(groups) = self.words.pattern("one").fit(text) {
            let kind = if groups[0].is_empty() { "statement" } else { "event" };
            let said = |row: &&Row| row.0.split(' ').next() == Some(kind) && row.2 == groups[2];
            let op = self.words.rows.iter().find(said)?.0.chars().last()?;
            let a = self.part(&groups)?;
            return Some(if op == 's' { a } else { self.formulas.add((op, a, 0)) });
        }
        let thing = self.words.pattern("thing");
        for (before, _, form) in &self.words.rows {
            let Some(op) = before.strip_prefix("both ") else { continue };
            let pieces: Vec<&str> = form.split('…').collect();
            let body = text.strip_prefix(pieces[0]).and_then(|rest| rest.strip_suffix(pieces[2]));
            let parts = body.and_then(|body| body.split_once(pieces[1]));
            let parts = parts.and_then(|(a, b)| thing.fit(a).zip(thing.fit(b)));
            let Some((a, b)) = parts else { continue };
            let (a, b) = (self.part(&a)?, self.part(&b)?);
            return Some(match op.chars().next()? {
                '-' => self.formulas.implies(a, b),
                // That a holds up to and including the first b: b M a, or b R a if it may be forever.
                op @ ('M' | 'R') => self.formulas.add((op, b, a)),
                op => self.formulas.add((op, a, b)),
            });
        }
        None
    }

    /// An event, or an earlier statement.
    fn part(&mut self, groups: &[&str]) -> Option<u32> {
        match groups[0].parse() {
            Ok(event) => Some(self.formulas.add(('a', event, 0))),
            Err(_) => self.known.get(groups[1].parse::<usize>().ok()?.checked_sub(1)?).copied(),
        }
    }
}
