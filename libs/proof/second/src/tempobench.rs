//! TempoBench: runs of a machine, inputs that were necessary, and minimal causes.

use crate::{json, json::Json, ltl, number, refuted_if, unknown_if, Budget, Fail, Need};
use std::collections::{BTreeSet, HashMap};

/// The prompts without states and trace; `*` stands for a line on the form of the answer, which is not looked at.
const PROMPTS: &str = include_str!("prompts/tempobench.txt");

/// A step of the machine: its outputs and the state that follows.
type Step = (u64, u32);

struct Problem<'a> {
    inputs: Vec<&'a str>,
    outputs: Vec<&'a str>,
    start: u32,
    /// Of each state that some inputs lead to, by the inputs, the step of each line that fits.
    states: HashMap<u32, Vec<Vec<Step>>>,
    /// Inputs and, but for `sim`, outputs of each step.
    trace: Vec<(u64, u64)>,
    /// The output whose value at the last of these steps is the effect.
    effect: (usize, bool, usize),
}

pub fn check(prompt: &str, target: &str, proof: &Json, budget: &mut Budget) -> Result<(), Fail> {
    budget.spend(prompt.len().saturating_mul(5))?;
    let lines: Vec<&str> = prompt.strip_suffix('\n').unwrap_or(prompt).split('\n').collect();
    let place = |from: usize, line: &str| Some(from + lines.get(from..)?.iter().position(|l| *l == line)?);
    let blocks = place(0, "--BODY--").and_then(|body| {
        let end = place(body, "--END--")?;
        Some((body + 1, end, end + 3, place(end + 3, "")?))
    });
    let (states, end, trace, after) = blocks.or_unknown("the prompt is built otherwise")?;
    let said = |key| lines[..states].iter().find_map(|line| line.strip_prefix(key)).unwrap_or("");
    let list = |key| said(key).split(", ").collect::<Vec<&str>>();
    let (inputs, outputs) = (list("Inputs: "), list("Outputs: "));
    let all: Vec<&str> = inputs.iter().chain(&outputs).copied().collect();
    let fine = all.iter().all(|name| ltl::is_atom(name) && !name.contains('('));
    let different = all.iter().collect::<BTreeSet<_>>().len();
    unknown_if(!fine || different < all.len() || inputs.len() > 10 || all.len() > 60, "inputs and outputs")?;
    // The number of states does not matter, says the prompt.
    let (start, _) = number(said("Start: ")).zip(number(said("States: "))).or_unknown("the head of the machine")?;
    let (name, value, at) = lines[after..].iter().find_map(|line| read_effect(line)).unwrap_or(("", false, 0));
    let key = format!("{} {}{name}", "X".repeat(at), if value { "" } else { "!" });
    // What the prompt has to say is written with what it says of these few things, and compared.
    let quoted: Vec<String> = all.iter().map(|name| format!("\"{name}\"")).collect();
    let numbers: Vec<String> = (inputs.len()..all.len()).map(|n| n.to_string()).collect();
    let slots = [
        ("{inputs}", inputs.join(", ")),
        ("{outputs}", outputs.join(", ")),
        ("{states}", said("States: ").into()),
        ("{start}", start.to_string()),
        ("{names}", format!("{} {}", all.len(), quoted.join(" "))),
        ("{numbers}", numbers.join(" ")),
        ("{last}", (after - trace).saturating_sub(1).to_string()),
        ("{name}", name.into()),
        ("{value}", value.to_string()),
        ("{other}", (!value).to_string()),
        ("{step}", at.to_string()),
        ("{key}", key.clone()),
    ];
    let rest: Vec<&str> = [&lines[..states], &lines[end..trace], &lines[after..]].concat();
    let fits = |form: &str| {
        let wanted = slots.iter().fold(form.trim_end().to_string(), |text, (slot, value)| text.replace(slot, value));
        wanted.split('\n').count() == rest.len() && wanted.split('\n').zip(&rest).all(|(w, l)| w == "*" || w == *l)
    };
    let form = PROMPTS.split("=====\n").position(fits).or_unknown("a sentence that is not known")?;
    let effect = (outputs.iter().position(|o| *o == name).unwrap_or(0), value, at);
    let mut problem = Problem { inputs, outputs, start, states: HashMap::new(), trace: Vec::new(), effect };
    problem.read_states(&lines[states..end], budget)?;
    for (t, line) in lines[trace..after].iter().enumerate() {
        let step = problem.read_step(line, t, form != 1).filter(|_| t < 1000);
        problem.trace.push(step.or_unknown(&format!("a step: {line}"))?);
    }
    unknown_if(problem.trace.is_empty(), "an empty trace")?;
    let label = json::parse(target).ok().or_refuted("the label is not JSON")?;
    if form < 2 {
        return problem.check_run(&label, form == 0, budget);
    }
    // The trace and the effect have to be as the prompt says.
    let run = problem.run(0, problem.trace.len(), budget)?;
    let stated = run.iter().zip(&problem.trace).all(|(outputs, stated)| *outputs == stated.1);
    let right = stated && at < run.len() && problem.outputs[effect.0] == name && !problem.breaks(0, budget)?;
    unknown_if(!right, "trace or effect are not what the machine does")?;
    let bits = problem.inputs.len() * (at + 1);
    unknown_if(bits > 127, "too many inputs and steps")?;
    let mut causes = if form == 2 { Vec::new() } else { problem.check_table(proof, bits, budget)? };
    for bit in (0..bits).filter(|_| form == 2) {
        if problem.breaks(1 << bit, budget)? {
            causes.push(1 << bit);
        }
    }
    unknown_if(form == 4 && causes.iter().any(|set| problem.steps_of(*set) > 1), "a set is at several steps")?;
    let mut stated = problem.read_causes(&label, &key, form == 3).or_refuted("the label is of another form")?;
    causes.sort();
    stated.sort();
    refuted_if(causes != stated, "the label states other sets than the right ones")
}

/// `Effect: output g is true at step 3. ...`
fn read_effect(line: &str) -> Option<(&str, bool, usize)> {
    let (name, rest) = line.strip_prefix("Effect: output ")?.split_once(" is ")?;
    let (value, rest) = rest.split_once(" at step ")?;
    let step = number(rest.split_once(". ")?.0).filter(|&step| step < 1000)?;
    Some((name, value == "true", step as usize))
}

/// The values of literals such as u, !v, which have to name all in their order.
fn literals(parts: &[&str], names: &[&str]) -> Option<u64> {
    let named = |(part, name): (&&str, &&str)| part.strip_prefix('!').unwrap_or(part) == *name;
    let fine = parts.len() == names.len() && parts.iter().zip(names).all(named);
    let values = parts.iter().enumerate().map(|(i, part)| u64::from(!part.starts_with('!')) << i);
    fine.then(|| values.sum())
}

/// A list such as `u and !v` of all names with their values.
fn written(names: &[&str], values: u64) -> Json {
    let literal = |(i, name): (usize, &&str)| format!("{}{name}", if values >> i & 1 == 1 { "" } else { "!" });
    Json::Str(names.iter().enumerate().map(literal).collect::<Vec<String>>().join(" and "))
}

impl Problem<'_> {
    fn read_states(&mut self, lines: &[&str], budget: &mut Budget) -> Result<(), Fail> {
        let text = format!("\n{}", lines.join("\n"));
        let mut blocks = text.split("\nState: ");
        unknown_if(blocks.next() != Some(""), "a line before the first state")?;
        let mut states: HashMap<u32, &str> = HashMap::new();
        for block in blocks {
            let (name, lines) = block.split_once('\n').unwrap_or((block, ""));
            let state = number(name).or_unknown("the name of a state")?;
            unknown_if(states.insert(state, lines).is_some(), "a state stands twice")?;
        }
        // States that no input leads to are not read.
        let mut todo = vec![self.start];
        while let Some(state) = todo.pop() {
            if !self.states.contains_key(&state) {
                let mut steps = vec![Vec::new(); 1 << self.inputs.len()];
                budget.spend(steps.len())?;
                for line in states.get(&state).or_unknown(&format!("there is no state {state}"))?.split('\n') {
                    let right = self.read_line(line, &mut steps, budget)?;
                    unknown_if(!right, &format!("a line of state {state}: {line}"))?;
                }
                todo.extend(steps.iter().flatten().map(|step| step.1));
                self.states.insert(state, steps);
            }
        }
        Ok(())
    }

    /// Adds what a line such as `[(u | !v)&g&!h] 3` says to the steps of the inputs that fit.
    fn read_line(&self, line: &str, steps: &mut [Vec<Step>], budget: &mut Budget) -> Result<bool, Fail> {
        // The reader of formulas knows more than labels may have.
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_!&| ()".contains(&b);
        let parts = line.strip_prefix('[').and_then(|rest| rest.split_once("] "));
        let parts =
            parts.and_then(|(label, t)| Some((label, number(t)?))).filter(|(label, _)| label.bytes().all(plain));
        let Some((label, next)) = parts else { return Ok(false) };
        let (formulas, root, names) = ltl::parse(label, budget)?;
        // All outputs stand at the end, each with its value, and the whole is joined by `and`.
        let parts: Vec<&str> = label.split('&').collect();
        let first = parts.len().saturating_sub(self.outputs.len());
        let place = |list: &[&str], name: &str| list.iter().position(|n| *n == name);
        let known = |name: &&str| place(&self.inputs, name).or(place(&self.outputs, name)).is_some();
        let values = literals(&parts[first..], &self.outputs).filter(|_| names.iter().all(known));
        let Some(values) = values.filter(|_| formulas.nodes[root as usize].0 != '|') else { return Ok(false) };
        // Each value of the inputs is a moment of a path: so all of them are tried at once.
        let is = |atom: u32, inputs: usize| match place(&self.inputs, names[atom as usize]) {
            Some(i) => inputs >> i & 1 == 1,
            None => place(&self.outputs, names[atom as usize]).is_some_and(|o| values >> o & 1 == 1),
        };
        let fits = formulas.truth(root, steps.len(), 0, is, budget)?;
        steps.iter_mut().zip(fits).filter(|(_, fits)| *fits).for_each(|(steps, _)| steps.push((values, next)));
        Ok(true)
    }

    fn read_step(&self, line: &str, t: usize, with_outputs: bool) -> Option<(u64, u64)> {
        let rest = line.strip_prefix(&format!("{t}: "))?;
        let list = |text: &str, names| literals(&text.split(" & ").collect::<Vec<&str>>(), names);
        match with_outputs {
            true => rest.split_once(" / ").and_then(|(i, o)| Some((list(i, &self.inputs)?, list(o, &self.outputs)?))),
            false => Some((list(rest, &self.inputs)?, 0)),
        }
    }

    /// The step of the machine from a state on: exactly one line has to fit.
    fn step(&self, state: u32, inputs: u64, budget: &mut Budget) -> Result<Step, Fail> {
        budget.spend(1)?;
        let steps = self.states.get(&state).and_then(|steps| steps.get(inputs as usize));
        steps.filter(|steps| steps.len() == 1).map(|steps| steps[0]).or_unknown("not exactly one line of a state fits")
    }

    /// The flips of a set at one step.
    fn at(&self, set: u128, t: usize) -> u64 {
        let shifted = set.checked_shr((t * self.inputs.len()) as u32).unwrap_or(0);
        shifted as u64 & ((1 << self.inputs.len()) - 1)
    }

    /// At how many steps a set flips inputs.
    fn steps_of(&self, set: u128) -> usize {
        (0..=self.effect.2).filter(|&t| self.at(set, t) != 0).count()
    }

    /// The outputs of the first steps with some inputs flipped.
    fn run(&self, flips: u128, len: usize, budget: &mut Budget) -> Result<Vec<u64>, Fail> {
        let mut state = self.start;
        let outputs = (0..len).map(|t| {
            let (outputs, next) = self.step(state, self.trace[t].0 ^ self.at(flips, t), budget)?;
            state = next;
            Ok(outputs)
        });
        outputs.collect()
    }

    /// Whether these flips give the output its other value.
    fn breaks(&self, flips: u128, budget: &mut Budget) -> Result<bool, Fail> {
        let (output, value, at) = self.effect;
        Ok((self.run(flips, at + 1, budget)?[at] >> output & 1 == 1) != value)
    }

    fn check_run(&self, label: &Json, accepts: bool, budget: &mut Budget) -> Result<(), Fail> {
        let (mut state, mut taken) = (self.start, 0);
        for (t, &(inputs, outputs)) in self.trace.iter().enumerate() {
            let (gives, next) = self.step(state, inputs, budget)?;
            if accepts && gives != outputs {
                break;
            }
            let states = [("current state", Json::Int(state.into())), ("next state", Json::Int(next.into()))];
            let inputs = ("defining inputs", written(&self.inputs, inputs));
            let outputs = (!accepts).then(|| ("outputs", written(&self.outputs, gives)));
            let wanted: Vec<(&str, Json)> = states.into_iter().chain([inputs]).chain(outputs).collect();
            let stated = label.get(&format!("step_{t}")).and_then(Json::obj).unwrap_or_default();
            let same = stated.len() == wanted.len() && wanted.iter().all(|(k, v)| stated.get(k) == Some(&v));
            refuted_if(!same, &format!("step {t} of the label is not what the machine does"))?;
            (state, taken) = (next, t + 1);
        }
        let accepted = Json::Str(if taken < self.trace.len() { "no" } else { "yes" }.into());
        let keys = label.obj().map_or(0, |steps| steps.len());
        let right = keys == taken + usize::from(accepts) && (!accepts || label.get("accepted") == Some(&accepted));
        refuted_if(!right, "the label has other steps, or says wrongly whether the trace is accepted")
    }

    /// Checks the table; the minimal breaking sets by the theorem.
    fn check_table(&self, proof: &Json, bits: usize, budget: &mut Budget) -> Result<Vec<u128>, Fail> {
        let (output, value, at) = self.effect;
        let read = |states: &Json| {
            let mut row: HashMap<u32, Vec<u128>> = HashMap::new();
            for (state, sets) in states.obj()? {
                let sets = sets.arr()?.iter().map(|set| u128::try_from(set.int()?).ok());
                row.insert(number(state)?, sets.collect::<Option<_>>()?);
            }
            Some(row)
        };
        let table = proof.get("table").and_then(|table| table.arr()?.iter().map(read).collect::<Option<Vec<_>>>());
        let table = table.filter(|table| table.len() == at + 1).or_unknown("a table of another form")?;
        let sets_of = |t: usize, state: u32| table[t].get(&state).or_refuted("a state is missing in the table");
        let mut reached = BTreeSet::from([self.start]);
        for t in 0..=at {
            let mut after = BTreeSet::new();
            for state in reached {
                let sets = sets_of(t, state)?;
                for flips in 0..1u64 << self.inputs.len() {
                    let (outputs, next) = self.step(state, self.trace[t].0 ^ flips, budget)?;
                    after.insert(next);
                    let here = u128::from(flips) << (t * self.inputs.len());
                    let later: &[u128] = match (outputs >> output & 1 == 1) != value {
                        _ if t < at => &sets_of(t + 1, next)?[..],
                        true => &[0],
                        false => &[],
                    };
                    for set in later {
                        budget.spend(1 + sets.len())?;
                        refuted_if(sets.iter().all(|part| part & !(set | here) != 0), "a set is missing")?;
                    }
                }
            }
            reached = after;
        }
        let sets = sets_of(0, self.start)?;
        budget.spend(sets.len().saturating_mul(sets.len()))?;
        for (i, &set) in sets.iter().enumerate() {
            let breaks = set >> bits == 0 && self.breaks(set, budget)?;
            let more = sets.iter().enumerate().any(|(j, part)| i != j && part & !set == 0);
            refuted_if(!breaks || more, &format!("the set {set} does not break the effect, or contains another"))?;
        }
        Ok(sets.to_vec())
    }

    /// A set of inputs, each with its value in the trace and at its step; no input may be named twice.
    fn read_set<'a>(&self, literals: impl Iterator<Item = Option<(usize, &'a str)>>) -> Option<u128> {
        let mut set = 0;
        for literal in literals {
            let (t, text) = literal.filter(|(t, _)| *t <= self.effect.2)?;
            let (name, value) = text.strip_prefix('!').map_or((text, 1), |name| (name, 0));
            let i = self.inputs.iter().position(|input| *input == name)?;
            let bit = 1 << (t * self.inputs.len() + i);
            if self.trace[t].0 >> i & 1 != value || set & bit != 0 {
                return None;
            }
            set |= bit;
        }
        Some(set).filter(|set| *set != 0)
    }

    /// The sets that a label states.
    fn read_causes(&self, label: &Json, key: &str, cross: bool) -> Option<Vec<u128>> {
        let (at, steps) = (self.effect.2, label.get(key)?);
        if label.obj()?.len() != 1 + usize::from(cross) || steps.obj()?.len() != at + 1 {
            return None;
        }
        let mut sets = Vec::new();
        for t in 0..=at {
            let clauses = steps.get(&t.to_string())?.arr()?;
            if clauses != [Json::Str("no constraints".into())] {
                clauses.first()?;
                for clause in clauses {
                    sets.push(self.read_set(clause.str()?.split(" or ").map(|text| Some((t, text))))?);
                }
            }
        }
        if cross {
            let inner = label.get("cross_step_clauses").filter(|inner| inner.obj().is_some_and(|o| o.len() == 1))?;
            for clause in inner.get(key)?.arr()? {
                let set = self.read_set(clause.arr()?.iter().map(|literal| {
                    let (t, text) = literal.str()?.split_once(':')?;
                    Some((number(t)? as usize, text))
                }))?;
                sets.push(Some(set).filter(|set| self.steps_of(*set) > 1)?);
            }
        }
        Some(sets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_by_hand() {
        let states = HashMap::from([(0, vec![vec![(0, 0)], vec![(1, 0)]])]);
        let (inputs, outputs, trace) = (vec!["a"], vec!["g"], vec![(1, 1)]);
        let problem = Problem { inputs, outputs, start: 0, states, trace, effect: (0, true, 0) };
        let says = |table: &str| problem.check_table(&json::parse(table).unwrap(), 1, &mut Budget::new());
        assert_eq!(says(r#"{"table": [{"0": [1]}]}"#).unwrap(), [1]);
        assert!(says(r#"{"table": [{"0": []}]}"#).is_err() && says(r#"{"table": [{"0": [0]}]}"#).is_err());
    }
}
