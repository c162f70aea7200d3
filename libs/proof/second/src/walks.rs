//! LTLBench: the chance that a random walk violates the hypothesis.

use crate::ltl::{Formulas, Is};
use crate::ltlbench::{read_table, Entry, Problem, Table};
use crate::{json::Json, spend, whole::Whole, Check, Fail::Refuted, Fail::Unknown};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Checks the three conditions of the theorem on random walks, and the chance.
pub fn check(problem: &mut Problem, proof: &Json) -> Check {
    let negated = problem.formulas.negate(problem.hypothesis);
    let (places, table) = read_table::<Whole>(proof, &mut problem.formulas)?;
    let (zero, one) = (Whole::default(), Whole::moved(1, 0));
    Unknown("a weight of 0").when(table.values().any(|weight| *weight == zero))?;
    Refuted("the negated hypothesis is not among the formulas").when(!places.contains(&negated))?;
    let mut of: HashMap<usize, Vec<(&Entry, &Whole)>> = HashMap::new();
    table.iter().for_each(|entry| of.entry(entry.0 .0).or_default().push(entry));
    let sum = |entries: &[(&Entry, &Whole)]| entries.iter().fold(zero.clone(), |sum, entry| sum.plus(entry.1, &one));
    let sums: HashMap<usize, Whole> = of.iter().map(|(event, entries)| (*event, sum(entries))).collect();
    let mut before = Before::new();
    for (event, entries) in &of {
        let after = problem.after.get(event).ok_or(Refuted("an entry of an unknown event"))?;
        Refuted("an event that follows has no entry").when(!after.iter().all(|next| of.contains_key(next)))?;
        // The chance of each entry by (2), as a fraction whose denominator is the same for all of them.
        let mut chances: HashMap<&Entry, Whole> = HashMap::new();
        let product = |without: usize| {
            let others = after.iter().filter(|next| **next != without);
            others.fold(one.clone(), |product, next| product.times(&sums[next]))
        };
        let parts: usize = after.iter().map(|next| sums[next].len()).sum();
        spend((1 + after.len()).saturating_mul(parts.saturating_mul(parts)))?;
        for next in after {
            let factor = product(*next);
            for (then, weight) in &of[next] {
                spend(1 + places.len() + weight.len() * factor.len())?;
                let now = (*event, holding(&problem.formulas, &places, *event, &then.1));
                let (now, _) = table.get_key_value(&now).ok_or(Refuted("other formulas come about"))?;
                before.entry(then).or_default().push(now);
                let chance = chances.entry(now).or_default();
                *chance = chance.plus(weight, &factor);
            }
        }
        Refuted("an entry that does not come about").when(chances.len() != entries.len())?;
        // Each event that follows has the same share; no event has the number `usize::MAX`.
        let below = product(usize::MAX).times(&Whole::moved(after.len() as u64, 0));
        for (entry, weight) in entries {
            spend(weight.len() * below.len() + chances[entry].len() * sums[event].len())?;
            let right = weight.times(&below) == chances[entry].times(&sums[event]);
            Refuted("the chance of an entry is another one").when(!right)?;
        }
    }
    let waits = |place: &usize| "FUMGWR".contains(problem.formulas.nodes[*place].0);
    for place in BTreeSet::from_iter(places).into_iter().filter(waits) {
        check_decided(&problem.formulas, place, &table, &before)?;
    }
    let first = of.get(&problem.first).ok_or(Refuted("the initial event has no entry"))?;
    let violating: Vec<_> = first.iter().copied().filter(|(entry, _)| entry.1.contains(&negated)).collect();
    let (above, below) = proof.get::<(Whole, Whole)>("chance")?;
    let right = sum(&violating).times(&below) == sums[&problem.first].times(&above);
    Refuted("the chance is another one").when(!right || below == zero)
}

/// The entries that each entry may follow.
type Before<'a> = HashMap<&'a Entry, Vec<&'a Entry>>;

/// Whether a formula holds at an event, if these hold there of its parts, and so much at the next one.
fn judge(formulas: &Formulas, place: usize, entry: (usize, &BTreeSet<usize>), next: Is) -> bool {
    // An atom may be a part without being one of the formulas.
    let now = |part: usize| formulas.nodes[part] == ('a', entry.0, entry.0) || entry.1.contains(&part);
    formulas.holds(place, &|atom| atom == entry.0, &now, next)
}

/// Which of the formulas hold at an event, if these hold at the next one.
fn holding(formulas: &Formulas, places: &[usize], event: usize, next: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for &place in places {
        if judge(formulas, place, (event, &found), &|part| next.contains(&part)) {
            found.insert(place);
        }
    }
    found
}

/// Checks (3): going back from the entries at which a formula is decided, all that wait for that are met.
fn check_decided(formulas: &Formulas, place: usize, table: &Table<Whole>, before: &Before) -> Check {
    // Its parts decide it if it is the same whether or not it holds next.
    let by = |entry: &Entry, own| judge(formulas, place, (entry.0, &entry.1), &|_| own);
    let mut met: HashSet<&Entry> = table.keys().filter(|entry| by(entry, true) == by(entry, false)).collect();
    let mut todo = Vec::from_iter(met.iter().copied());
    spend(table.len())?;
    while let Some(entry) = todo.pop() {
        let from = before.get(entry).map_or(&[][..], |from| from);
        spend(1 + from.len())?;
        todo.extend(from.iter().copied().filter(|entry| met.insert(entry)));
    }
    let least = "FUM".contains(formulas.nodes[place].0);
    let waits = |entry: &Entry| entry.1.contains(&place) == least && !met.contains(entry);
    Refuted("a formula is never decided").when(table.keys().any(waits))
}
