//! LTLBench: the chance that a random walk violates the hypothesis, and paths of other graphs.

use crate::ltl::{holds, Node};
use crate::ltlbench::{read_table, steps, Entry, Problem};
use crate::{json::Json, refuted, refuted_if, spend, unknown_if, whole::Whole, Fail};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Checks that there is a graph with the same initial event in which the hypothesis has the other truth.
pub fn check_contrast(problem: &Problem, proof: &Json, stated: bool) -> Result<(), Fail> {
    let (path, back) = problem.read_path(proof)?;
    let mut after: HashMap<u32, BTreeSet<u32>> = HashMap::new();
    for (event, next) in steps(&path, back) {
        after.entry(*event).or_default().insert(*next);
    }
    refuted_if(!after.keys().all(|event| problem.after.contains_key(event)), "a contrast of other events")?;
    let many = |(event, after): (&u32, &BTreeSet<u32>)| after.len() > 1 && (!stated || after.contains(event));
    refuted_if(after.iter().any(many), "an event of the contrast has another follower")?;
    refuted_if(problem.holds(&path, back)? == stated, "the hypothesis has the same truth on the contrast")
}

/// Checks the three conditions of the theorem on random walks, and the chance.
pub fn check_walk(problem: &mut Problem, proof: &Json) -> Result<(), Fail> {
    let negated = problem.formulas.negate(problem.hypothesis);
    let (places, table) = read_table::<Whole>(proof, &mut problem.formulas)?;
    unknown_if(table.values().any(|weight| *weight == Whole::default()), "a weight of 0")?;
    refuted_if(!places.contains(&negated), "the negated hypothesis is not among the formulas")?;
    let mut of: HashMap<u32, Vec<(&Entry, &Whole)>> = HashMap::new();
    for (entry, weight) in &table {
        of.entry(entry.0).or_default().push((entry, weight));
    }
    let sum = |entries: &[(&Entry, &Whole)]| entries.iter().fold(Whole::default(), |sum, entry| sum.plus(entry.1));
    let sums: HashMap<u32, Whole> = of.iter().map(|(event, entries)| (*event, sum(entries))).collect();
    let mut before: HashMap<&Entry, Vec<&Entry>> = HashMap::new();
    for (event, entries) in &of {
        let after = problem.after.get(event).ok_or(refuted("an entry of an unknown event"))?;
        refuted_if(!after.iter().all(|next| of.contains_key(next)), "an event that follows has no entry")?;
        // The chance of each entry by (2), as a fraction whose denominator is the same for all of them.
        let mut chances: HashMap<Entry, Whole> = HashMap::new();
        let product = |without: Option<u32>| {
            let others = after.iter().filter(|next| Some(**next) != without);
            others.fold(Whole::moved(1, 0), |product, next| product.times(&sums[next]))
        };
        let parts: usize = after.iter().map(|next| sums[next].len()).sum();
        spend((1 + after.len()).saturating_mul(parts.saturating_mul(parts)))?;
        // Each event that follows has the same share.
        let below = product(None).times(&Whole::moved(after.len() as u64, 0));
        for next in after {
            let factor = product(Some(*next));
            for (then, weight) in &of[next] {
                spend(1 + places.len() + weight.len() * factor.len())?;
                let now = (*event, holding(&problem.formulas.nodes, &places, *event, &then.1));
                let (entry, _) = table.get_key_value(&now).ok_or(refuted("other formulas come about"))?;
                before.entry(then).or_default().push(entry);
                let chance = chances.entry(now).or_default();
                *chance = chance.plus(&weight.times(&factor));
            }
        }
        refuted_if(chances.len() != entries.len(), "an entry that does not come about")?;
        for (entry, weight) in entries {
            spend(weight.len() * below.len() + chances[*entry].len() * sums[event].len())?;
            let right = weight.times(&below) == chances[*entry].times(&sums[event]);
            refuted_if(!right, "the chance of an entry is another one")?;
        }
    }
    check_decided(problem, &places, &table, &before)?;
    let first = of.get(&problem.first).ok_or(refuted("the initial event has no entry"))?;
    let violating: Vec<_> = first.iter().copied().filter(|(entry, _)| entry.1.contains(&negated)).collect();
    let (above, below) = proof.get::<(Whole, Whole)>("chance")?;
    let right = sum(&violating).times(&below) == sums[&problem.first].times(&above);
    refuted_if(!right || below == Whole::default(), "the chance is another one")
}

/// Whether a formula holds at an event, if these hold of its parts now and of its part next, and it does itself or not.
fn judge(nodes: &[Node], place: u32, event: u32, found: &BTreeSet<u32>, next: &BTreeSet<u32>, own: bool) -> bool {
    // An atom may be a part without being one of the formulas.
    let now = |part: u32| nodes[part as usize] == ('a', event, 0) || found.contains(&part);
    holds(&nodes[place as usize], |atom| atom == event, now, |part| next.contains(&part), own)
}

/// Which of the formulas hold at an event, if these hold at the next one.
fn holding(nodes: &[Node], places: &[u32], event: u32, next: &BTreeSet<u32>) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for &place in places {
        if judge(nodes, place, event, &found, next, next.contains(&place)) {
            found.insert(place);
        }
    }
    found
}

/// Checks (3): going back from the entries at which a formula is decided, all that wait for that are met.
fn check_decided(
    problem: &Problem,
    places: &[u32],
    table: &HashMap<Entry, Whole>,
    before: &HashMap<&Entry, Vec<&Entry>>,
) -> Result<(), Fail> {
    let nodes = &problem.formulas.nodes;
    for &place in places.iter().collect::<BTreeSet<_>>() {
        let op = nodes[place as usize].0;
        if !"FUMGWR".contains(op) {
            continue;
        }
        // Its parts decide it if it is the same whether or not it holds next.
        let by = |entry: &Entry, own| judge(nodes, place, entry.0, &entry.1, &entry.1, own);
        let decided = |entry: &&Entry| by(entry, true) == by(entry, false);
        let mut met: HashSet<&Entry> = table.keys().filter(decided).collect();
        let mut todo: Vec<&Entry> = met.iter().copied().collect();
        spend(table.len())?;
        while let Some(entry) = todo.pop() {
            let from = before.get(entry).map_or(&[][..], |from| from);
            spend(1 + from.len())?;
            todo.extend(from.iter().copied().filter(|entry| met.insert(entry)));
        }
        let waits = |entry: &&Entry| entry.1.contains(&place) == "FUM".contains(op) && !met.contains(*entry);
        refuted_if(table.keys().any(|entry| waits(&entry)), "a formula is never decided")?;
    }
    Ok(())
}
