//! LTLBench: which paths events may take, and a hypothesis that has to hold on all of them.

use crate::ltl::{ways, Formulas};
use crate::{json::Json, json::Read, spend, walks, words::Words, Check, Fail::Refuted, Fail::Unknown};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

pub struct Problem {
    pub first: usize,
    /// The events that may follow each event.
    pub after: BTreeMap<usize, BTreeSet<usize>>,
    pub formulas: Formulas<'static>,
    pub statements: Vec<usize>,
    pub hypothesis: usize,
    /// Whether a label of False has to state a path.
    with_path: bool,
}

pub fn check(prompt: &str, target: &str, proof: &Json) -> Check {
    let mut problem = read(prompt).ok_or(Unknown("the prompt has words that are not known"))?;
    if target == "True" {
        check_table(&mut problem, proof)?;
    } else {
        let (path, back) = problem.read_path(proof)?;
        let may = |(event, next)| problem.after.get(event).is_some_and(|after| after.contains(next));
        Refuted("an event may not follow the one before it").when(!steps(&path, back).all(may))?;
        Refuted("the hypothesis holds on the path").when(problem.holds(&path, back)?)?;
        // A label that states a path has to state this one.
        let mut events: Vec<String> = path.iter().map(|event| format!("event{event}")).collect();
        events[back].insert(0, '(');
        let path = format!("False: {})", events.join(", "));
        Refuted("the label is not what the path shows")
            .when(target != if problem.with_path { &path } else { "False" })?;
    }
    if let Ok(contrast) = proof.get("contrast") {
        problem.check_contrast(&contrast, target == "True")?;
    }
    proof.get("walk").map_or(Ok(()), |walk| walks::check(&mut problem, &walk))
}

/// The steps of a path, from each event to the next, the last of which is the one at `back`.
fn steps(path: &[usize], back: usize) -> impl Iterator<Item = (&usize, &usize)> {
    path.iter().zip(path[1..].iter().chain(&path[back..=back]))
}

/// Checks the three conditions of the theorem.
fn check_table(problem: &mut Problem, proof: &Json) -> Check {
    let negated = problem.formulas.negate(problem.hypothesis);
    let (places, table) = read_table::<i64>(proof, &mut problem.formulas)?;
    let promises: Vec<Json> = proof.get("promises")?;
    let begins = table.contains_key(&(problem.first, BTreeSet::from([negated])));
    Refuted("the table has no entry to begin with").when(!begins)?;
    for ((event, formulas), &rank) in &table {
        let after = problem.after.get(event).ok_or(Refuted("an entry of an unknown event"))?;
        let promise = usize::try_from(rank).ok().and_then(|rank| usize::read(promises.get(rank)?));
        let promise = promise.and_then(|place| places.get(place));
        for (left, put_off) in all_ways(&problem.formulas, *event, formulas)? {
            let kept = promise.is_some_and(|promise| put_off.contains(promise));
            for &next in after {
                spend(1 + left.len())?;
                let then = *table.get(&(next, left.clone())).ok_or(Refuted("an entry is missing"))?;
                let falls = then < rank || (then == rank && kept);
                Refuted("a rank does not fall, nor is its promise put off").when(!falls)?;
            }
        }
    }
    Ok(())
}

/// An event, and the places of the formulas that hold together from there on.
pub type Entry = (usize, BTreeSet<usize>);
pub type Table<T> = HashMap<Entry, T>;

/// The formulas of a certificate by their places among ours, so that equal ones are one, and its entries.
pub fn read_table<T: Read>(proof: &Json, formulas: &mut Formulas) -> Check<(Vec<usize>, Table<T>)> {
    let mut places: Vec<usize> = Vec::new();
    for formula in proof.get::<Vec<Vec<Json>>>("formulas")? {
        places.push(read_formula(&formula, &places, formulas).ok_or(Unknown("a formula of another form"))?);
    }
    let mut table = Table::new();
    for (event, parts, value) in proof.get::<Vec<(usize, Vec<usize>, T)>>("entries")? {
        let set = parts.iter().map(|place| places.get(*place).copied()).collect::<Option<_>>();
        table.insert((event, set.ok_or(Unknown("an entry of another form"))?), value);
    }
    Ok((places, table))
}

fn read_formula(formula: &[Json], places: &[usize], formulas: &mut Formulas) -> Option<usize> {
    let (op, parts) = formula.split_first()?;
    let parts = parts.iter().map(usize::read).collect::<Option<Vec<_>>>()?;
    let op = String::read(op)?;
    Some(match (&*op, parts.len()) {
        ("atom", 1) => formulas.add(('a', parts[0], parts[0])),
        ("not", 1) => {
            let atom = formulas.add(('a', parts[0], parts[0]));
            formulas.add(('!', atom, atom))
        }
        ("X" | "F" | "G", 1) | ("&" | "|" | "U" | "R" | "W" | "M", 2) => {
            formulas.add((op.chars().next()?, *places.get(parts[0])?, *places.get(*parts.last()?)?))
        }
        _ => return None,
    })
}

/// Of a way in which formulas hold: what is left for the next event, and what was put off.
type Way = (BTreeSet<usize>, BTreeSet<usize>);

/// All ways in which formulas hold at an event.
fn all_ways(formulas: &Formulas, event: usize, set: &BTreeSet<usize>) -> Check<HashSet<Way>> {
    let mut done = HashSet::new();
    // Parts come first: events, which have one way or none, before what they may rule out.
    let mut open = vec![(Vec::from_iter(set.iter().rev().copied()), Way::default())];
    while let Some((mut todo, way)) = open.pop() {
        spend(1)?;
        let Some(place) = todo.pop() else {
            done.insert(way);
            continue;
        };
        let (op, a, b) = formulas.nodes[place];
        let is = if op == 'a' { a == event } else { op == '!' && formulas.nodes[a].1 != event };
        let ways = if is { &[(&[][..], None)] } else { ways(op) };
        for (now, later) in ways {
            spend(1 + todo.len() + way.0.len())?;
            let (mut todo, mut way, of) = (todo.clone(), way.clone(), [a, b, place]);
            todo.extend(now.iter().map(|part| of[*part]));
            way.0.extend(later.map(|part| of[part]));
            way.1.extend(later.map(|_| place).filter(|_| "FUM".contains(op)));
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
    let mut problem = Problem::read(&words, context)?;
    for (line, number) in statements.iter().zip(1..) {
        problem.hypothesis = problem.statement(&words, line.strip_prefix(&format!("C{number}: "))?)?;
        problem.statements.push(problem.hypothesis);
    }
    // The list of events that may follow is no statement with "or".
    let said = format!("{context}\n{}", statements.join("\n")).replace(", or event", "");
    let needed = words.rows.iter().filter(|(before, keyed, _)| !keyed && said.contains(before)).map(|row| row.2);
    let told = rules.iter().skip(1).map(|rule| rule.strip_prefix("- ")).collect::<Option<BTreeSet<_>>>()?;
    let right = rules.is_empty() || (rules[0] == "=== Rules ===" && told == needed.collect());
    let [count, form] = words.pattern("question").fit(question)?[..] else { return None };
    problem.with_path = words.all("answer ").find(|row| row.1 == form)?.0 == "path";
    (right && !statements.is_empty() && count == statements.len().to_string()).then_some(problem)
}

impl Problem {
    fn read(words: &Words, context: &str) -> Option<Problem> {
        let mut sentences = context.strip_suffix('.')?.split(". ");
        let first = words.pattern("first").fit(sentences.next()?)?[0].parse().ok()?;
        let (mut after, mut kinds) = (BTreeMap::<usize, BTreeSet<usize>>::new(), HashMap::new());
        let pattern = words.pattern("after");
        for sentence in sentences {
            let [from, none, to, kind, list] = pattern.fit(sentence)?[..] else { return None };
            let named = [if none.is_empty() { "" } else { from }, to, list].join(" ");
            let next = named.split(|c: char| !c.is_ascii_digit()).filter_map(|name| name.parse().ok());
            let (count, set) = (next.clone().count(), next.collect::<BTreeSet<usize>>());
            // Of "can", each sentence adds one event; of "must", one lists all, but published prompts repeat sentences.
            let from = from.parse().ok()?;
            let known = after.entry(from).or_insert(set.clone());
            // An event named twice is no sentence that we know.
            if *kinds.entry(from).or_insert(kind) != kind || (kind != "can" && *known != set) || set.len() < count {
                return None;
            }
            known.extend(set);
        }
        // Of each event it has to be said what follows.
        let all = after.contains_key(&first) && after.values().flatten().all(|event| after.contains_key(event));
        let (formulas, statements) = (Formulas::default(), Vec::new());
        all.then_some(Problem { first, after, formulas, statements, hypothesis: 0, with_path: false })
    }

    fn statement(&mut self, words: &Words, text: &str) -> Option<usize> {
        if let Some(groups) = words.pattern("one").fit(text) {
            let kind = if groups[0].is_empty() { "statement " } else { "event " };
            let (op, _) = words.all(kind).find(|row| row.1 == groups[2])?;
            let a = self.part(&groups)?;
            return Some(if op == "is" { a } else { self.formulas.add((op.chars().next()?, a, a)) });
        }
        let thing = words.pattern("thing");
        words.all("both ").find_map(|(op, form)| {
            let [start, middle, end] = form.split('…').collect::<Vec<_>>()[..] else { return None };
            let (a, b) = text.strip_prefix(start)?.strip_suffix(end)?.split_once(middle)?;
            let (a, b) = (self.part(&thing.fit(a)?)?, self.part(&thing.fit(b)?)?);
            Some(match op.chars().next()? {
                '-' => self.formulas.implies(a, b),
                // That a holds up to and including the first b: b M a, or b R a if it may be forever.
                op @ ('M' | 'R') => self.formulas.add((op, b, a)),
                op => self.formulas.add((op, a, b)),
            })
        })
    }

    /// An event, or an earlier statement.
    fn part(&mut self, groups: &[&str]) -> Option<usize> {
        match groups[0].parse() {
            Ok(event) => Some(self.formulas.add(('a', event, event))),
            Err(_) => self.statements.get(groups[1].parse::<usize>().ok()?.checked_sub(1)?).copied(),
        }
    }

    /// The events of a path, and the place to which it goes back from its end.
    fn read_path(&self, proof: &Json) -> Check<(Vec<usize>, usize)> {
        let (prefix, cycle): (Vec<usize>, Vec<usize>) = (proof.get("prefix")?, proof.get("cycle")?);
        let path = [&prefix[..], &cycle].concat();
        Refuted("no cycle, or another first event").when(cycle.is_empty() || path[0] != self.first)?;
        Ok((path, prefix.len()))
    }

    /// Whether the hypothesis holds on a path.
    fn holds(&self, path: &[usize], back: usize) -> Check<bool> {
        Ok(self.formulas.truth(self.hypothesis, path.len(), back, |event, t| path[t] == event)?[0])
    }

    /// Checks that there is a graph with the same initial event in which the hypothesis has the other truth.
    fn check_contrast(&self, proof: &Json, stated: bool) -> Check {
        let (path, back) = self.read_path(proof)?;
        let mut after: HashMap<usize, BTreeSet<usize>> = HashMap::new();
        steps(&path, back).for_each(|(event, next)| after.entry(*event).or_default().extend([*next]));
        Refuted("a contrast of other events").when(!after.keys().all(|event| self.after.contains_key(event)))?;
        let many = |(event, after): (&usize, &BTreeSet<usize>)| after.len() > 1 && (!stated || after.contains(event));
        Refuted("an event of the contrast has another follower").when(after.iter().any(many))?;
        Refuted("the hypothesis has the same truth on the contrast").when(self.holds(&path, back)? == stated)
    }
}
