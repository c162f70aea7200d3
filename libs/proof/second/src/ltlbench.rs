//! LTLBench: which paths events may take, and a hypothesis that has to hold on all of them.

use crate::ltl::{Formulas, Node};
use crate::{json::Json, number, refuted_if, spend, unknown_if, walks, Fail, Need};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What may be asked, `{}` being the last statement; the last of them asks for a path, too.
const QUESTIONS: &str = include_str!("prompts/ltlbench_questions.txt");
/// The rules in their order, each after the mark of the words that need it; those without a mark always stand.
const RULES: &str = include_str!("prompts/ltlbench_rules.txt");

/// The statements: the operator, the mark of the rule, and another mark that goes with it; then, of statements with one
/// part, what follows an event and what follows a statement; of two parts, what stands before, between and after them.
const STATEMENTS: &str = include_str!("prompts/ltlbench_statements.txt");

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
    spend(prompt.len())?;
    let mut problem = read(prompt).or_unknown("the prompt has words that are not known")?;
    let added = |key: &&str| ["contrast", "walk"].contains(key);
    let keys: Vec<&str> =
        proof.obj().into_iter().flatten().map(|(key, _)| &key[..]).filter(|key| !added(key)).collect();
    let is_table = keys == ["entries", "formulas", "promises"];
    unknown_if(!is_table && keys != ["cycle", "prefix"], "a certificate of another form")?;
    refuted_if(is_table != (target == "True"), "the certificate is one of the other label")?;
    if is_table {
        check_table(&mut problem, proof)?;
    } else {
        let rest = target.strip_prefix("False").filter(|rest| rest.is_empty() || problem.with_path);
        let (prefix, cycle) = read_path(proof).or_unknown("a path of another form")?;
        problem.check_path(&prefix, &cycle)?;
        // A label that states a path has to state this one.
        let stated = rest.and_then(|rest| if problem.with_path { stated_path(rest) } else { read_path(proof) });
        refuted_if(stated != Some((prefix, cycle)), "the label is not what the path shows")?;
    }
    if let Some(contrast) = proof.get("contrast") {
        walks::check_contrast(&problem, contrast, is_table)?;
    }
    proof.get("walk").map_or(Ok(()), |walk| walks::check_walk(&mut problem, walk))
}

/// The events up to and in the cycle of a path in a certificate.
pub fn read_path(proof: &Json) -> Option<(Vec<u32>, Vec<u32>)> {
    let events = |key| proof.get(key)?.arr()?.iter().map(Json::small).collect::<Option<Vec<u32>>>();
    events("prefix").zip(events("cycle"))
}

/// The path of a label such as `False: event1, event2, (event3, event4)`.
fn stated_path(text: &str) -> Option<(Vec<u32>, Vec<u32>)> {
    let (prefix, cycle) = text.strip_prefix(": ")?.strip_suffix(')')?.split_once('(')?;
    let list = |text: &str| text.split(", ").map(event).collect::<Option<Vec<u32>>>();
    let prefix = if prefix.is_empty() { Vec::new() } else { list(prefix.strip_suffix(", ")?)? };
    Some((prefix, list(cycle)?))
}

impl Problem {
    /// Whether the path is possible and violates the hypothesis.
    fn check_path(&self, prefix: &[u32], cycle: &[u32]) -> Result<(), Fail> {
        let may = |(event, next): &(u32, u32)| self.after.get(event).is_some_and(|after| after.contains(next));
        refuted_if(!self.steps(prefix, cycle)?.iter().all(may), "an event may not follow the one before it")?;
        refuted_if(self.truth(prefix, cycle)?, "the hypothesis holds on the path")
    }

    /// The steps of a path, from each event to the next, the first of the cycle after its last.
    pub fn steps(&self, prefix: &[u32], cycle: &[u32]) -> Result<Vec<(u32, u32)>, Fail> {
        let path = [prefix, cycle].concat();
        refuted_if(cycle.is_empty() || path[0] != self.first, "the cycle is empty, or the first event wrong")?;
        Ok(path.iter().copied().zip(path[1..].iter().chain(&cycle[..1]).copied()).collect())
    }

    /// Whether the hypothesis holds on a path.
    pub fn truth(&self, prefix: &[u32], cycle: &[u32]) -> Result<bool, Fail> {
        let path = [prefix, cycle].concat();
        let is = |event, t: usize| path[t] == event;
        Ok(self.formulas.truth(self.hypothesis, path.len(), prefix.len(), is)?[0])
    }
}

/// Checks the three conditions of the theorem.
fn check_table(problem: &mut Problem, proof: &Json) -> Result<(), Fail> {
    let negated = problem.formulas.negate(problem.hypothesis);
    let read = read_table(proof, &mut problem.formulas, Json::int);
    let (places, table) = read.or_unknown("a table of another form")?;
    let promise = |json: &Json| if json.word() == Some("null") { Some(None) } else { place(json, &places).map(Some) };
    let promises: Option<Vec<Option<u32>>> =
        proof.get("promises").and_then(|list| list.arr()?.iter().map(promise).collect());
    let promises = promises.or_unknown("promises of another form")?;
    table.get(&(problem.first, BTreeSet::from([negated]))).or_refuted("the table has no entry to begin with")?;
    for ((event, formulas), &rank) in &table {
        let after = problem.after.get(event).or_refuted("an entry of an unknown event")?;
        let promise = usize::try_from(rank).ok().and_then(|rank| *promises.get(rank)?);
        for (left, put_off) in ways(&problem.formulas.nodes, *event, formulas)? {
            let kept = promise.is_some_and(|promise| put_off.contains(&promise));
            for &next in after {
                spend(1 + left.len())?;
                let then = *table.get(&(next, left.clone())).or_refuted("an entry is missing")?;
                let falls = then < rank || (then == rank && kept);
                refuted_if(!falls, "a rank does not fall, nor is its promise put off")?;
            }
        }
    }
    Ok(())
}

/// An event, and the places of the formulas that hold together from there on.
pub type Entry = (u32, BTreeSet<u32>);

fn place(json: &Json, places: &[u32]) -> Option<u32> {
    places.get(json.small()? as usize).copied()
}

/// The formulas of a certificate by their places among ours, so that equal ones are one, and its entries.
pub fn read_table<T>(
    proof: &Json,
    formulas: &mut Formulas,
    number: impl Fn(&Json) -> Option<T>,
) -> Option<(Vec<u32>, HashMap<Entry, T>)> {
    let mut places: Vec<u32> = Vec::new();
    for formula in proof.get("formulas")?.arr()? {
        places.push(read_formula(formula, &places, formulas)?);
    }
    let entry = |entry: &Json| {
        let [event, formulas, value] = entry.arr()? else { return None };
        let formulas = formulas.arr()?.iter().map(|json| place(json, &places)).collect::<Option<_>>()?;
        Some(((event.small()?, formulas), number(value)?))
    };
    let entries = proof.get("entries")?.arr()?.iter().map(entry).collect::<Option<_>>()?;
    Some((places, entries))
}

fn read_formula(json: &Json, places: &[u32], formulas: &mut Formulas) -> Option<u32> {
    let (op, parts) = json.arr()?.split_first()?;
    let numbers = parts.iter().map(Json::small).collect::<Option<Vec<u32>>>()?;
    let part = |i: usize| places.get(numbers[i] as usize).copied();
    let node: Node = match (op.str()?, numbers.len()) {
        ("atom", 1) => ('a', numbers[0], 0),
        ("not", 1) => ('!', formulas.add(('a', numbers[0], 0)), 0),
        (op @ ("X" | "F" | "G"), 1) => (op.chars().next()?, part(0)?, 0),
        (op @ ("&" | "|" | "U" | "R" | "W" | "M"), 2) => (op.chars().next()?, part(0)?, part(1)?),
        _ => return None,
    };
    Some(formulas.add(node))
}

/// Of a way in which formulas hold: what is left for the next event, and what was put off.
type Way = (BTreeSet<u32>, BTreeSet<u32>);

/// All ways in which the formulas hold at the event. A formula that is met again in the same way is not chosen anew: at
/// this moment it holds for one and the same reason.
fn ways(nodes: &[Node], event: u32, formulas: &BTreeSet<u32>) -> Result<HashSet<Way>, Fail> {
    let mut done = HashSet::new();
    let mut open =
        vec![(Vec::from_iter(formulas.iter().copied()), BTreeSet::new(), (BTreeSet::new(), BTreeSet::new()))];
    while let Some((mut todo, mut met, way)) = open.pop() {
        spend(1)?;
        let Some(place) = todo.pop() else {
            done.insert(way);
            continue;
        };
        let (op, a, b) = nodes[place as usize];
        // The ways of a formula: what has to hold now, and what is left.
        let choices: &[(&[u32], Option<u32>)] = match op {
            _ if !met.insert(place) => &[(&[], None)],
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
            spend(1 + todo.len() + met.len() + way.0.len())?;
            let (mut todo, mut way) = (todo.clone(), way.clone());
            todo.extend_from_slice(now);
            way.0.extend(later);
            way.1.extend(later.filter(|_| promises));
            open.push((todo, met.clone(), way));
        }
    }
    Ok(done)
}

fn event(text: &str) -> Option<u32> {
    number(text.strip_prefix("event")?)
}

fn read(prompt: &str) -> Option<Problem> {
    let parts: Vec<&str> = prompt.strip_suffix('\n').unwrap_or(prompt).split("\n\n").collect();
    let ["=== Context ===", context, rules @ .., "=== Hypothesis ===", statements, question] = &parts[..] else {
        return None;
    };
    // The marks of the rules that are needed, and of the wordings, `can` and `must`.
    let mut marks = BTreeSet::from([""]);
    let (first, after) = read_context(context, &mut marks)?;
    let mut reader = Reader { known: Vec::new(), formulas: Formulas::default() };
    for line in statements.split('\n') {
        let body = line.strip_prefix(&format!("C{}: ", reader.known.len() + 1))?.strip_suffix('.')?;
        let place = reader.statement(body, &mut marks)?;
        reader.known.push(place);
    }
    let needed = RULES.lines().filter_map(|line| line.split_once('|')).filter(|(mark, _)| marks.contains(mark));
    let needed: Vec<&str> = needed.map(|(_, rule)| rule).collect();
    let right = rules.is_empty() || *rules == ["=== Rules ===", &needed.join("\n")];
    let last = format!("C{}", reader.known.len());
    let form = QUESTIONS.lines().position(|asks| asks.replace("{}", &last) == *question)?;
    let (formulas, hypothesis) = (reader.formulas, *reader.known.last()?);
    // Two wordings are not mixed.
    let right = right && !(marks.contains("can") && marks.contains("must"));
    right.then_some(Problem { first, after, formulas, hypothesis, with_path: form == 3 })
}

fn read_context(text: &str, marks: &mut BTreeSet<&'static str>) -> Option<(u32, After)> {
    let mut sentences = text.strip_suffix('.')?.split(". ");
    let first = event(sentences.next()?.strip_prefix("Initially, ")?.strip_suffix(" happened")?)?;
    let mut after: BTreeMap<u32, (&str, BTreeSet<u32>)> = BTreeMap::new();
    for sentence in sentences {
        let (from, rest) = sentence.strip_prefix("After ")?.split_once(", ")?;
        let from = event(from)?;
        let (kind, list) = match rest.strip_suffix(" can happen") {
            Some("no other events") => ("end", BTreeSet::from([from])),
            Some(to) => ("can", BTreeSet::from([event(to)?])),
            None => ("must", read_list(rest.strip_suffix(" must happen")?)?),
        };
        marks.insert(kind);
        // Of "can", each sentence adds one event; of "must", one lists all, but published prompts repeat sentences.
        let known = after.entry(from).or_insert((kind, list.clone()));
        if known.0 != kind || (kind == "must" && known.1 != list) {
            return None;
        }
        known.1.extend(list);
    }
    let after: After = after.into_iter().map(|(from, (_, list))| (from, list)).collect();
    // Of each event it has to be said what follows.
    let all = after.contains_key(&first) && after.values().flatten().all(|event| after.contains_key(event));
    all.then_some((first, after))
}

/// `event1`, or `either event1, event2, or event3`.
fn read_list(text: &str) -> Option<BTreeSet<u32>> {
    let Some(list) = text.strip_prefix("either ") else { return Some(BTreeSet::from([event(text)?])) };
    let (most, last) = list.split_once(", or ")?;
    let list: Vec<u32> = most.split(", ").chain([last]).map(event).collect::<Option<_>>()?;
    // An event named twice is no sentence that we know.
    Some(list.iter().copied().collect()).filter(|set: &BTreeSet<u32>| set.len() == list.len())
}

struct Reader {
    /// The earlier statements.
    known: Vec<u32>,
    formulas: Formulas,
}

impl Reader {
    fn statement(&mut self, body: &str, marks: &mut BTreeSet<&'static str>) -> Option<u32> {
        // A name is written large if it is the first word, and only there.
        let body = match body.strip_prefix("Event") {
            Some(rest) => format!("event{rest}"),
            None => Some(body).filter(|body| !body.starts_with("event"))?.to_string(),
        };
        for row in STATEMENTS.lines() {
            let columns: Vec<&'static str> = row.split(';').collect();
            let node = match columns[3..] {
                [happens, holds] => self.part(&body, happens, holds).map(|a| (a, 0)),
                [before, between, after] => {
                    let rest = body.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)?.split_once(between));
                    rest.and_then(|(a, b)| self.part(a, " happens", " holds").zip(self.part(b, " happens", " holds")))
                }
                _ => None,
            };
            let Some((a, b)) = node else { continue };
            marks.extend([columns[1], columns[2]]);
            return Some(match columns[0].chars().next()? {
                '|' if !columns[3].is_empty() => self.formulas.implies(a, b),
                // That a holds up to and including the first b: b M a, or b R a if it may be forever.
                op @ ('M' | 'R') => self.formulas.add((op, b, a)),
                op => self.formulas.add((op, a, b)),
            });
        }
        None
    }

    /// An event with the words that follow it, or an earlier statement.
    fn part(&mut self, text: &str, happens: &str, holds: &str) -> Option<u32> {
        if let Some(name) = text.strip_suffix(happens) {
            return event(name).map(|n| self.formulas.add(('a', n, 0)));
        }
        let n = number(text.strip_suffix(holds)?.strip_prefix('C')?)? as usize;
        self.known.get(n.checked_sub(1)?).copied()
    }
}
