//! TempoBench: runs of a machine, inputs that were necessary, and minimal causes.

use crate::form::{self, Said};
use crate::machine::{literals, Machine};
use crate::{json, json::Json, number, refuted_if, spend, unknown_if, whole::Whole, Fail, Need};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// All that prompts say.
const FORM: &str = include_str!("prompts/tempobench.txt");
/// The digits that a set may have: 200 steps of 12 inputs.
const DIGITS: usize = 723;

/// An output, its value, and the step at which it has it.
type Literal<'a> = (&'a str, bool, usize);

struct Problem<'a> {
    machine: Machine<'a>,
    /// The outputs that the trace shows.
    shown: u64,
    /// Inputs and shown outputs of each step.
    trace: Vec<(u64, u64)>,
    effect: Vec<Literal<'a>>,
    /// Whether one of the effect's literals is enough.
    any: bool,
    /// The last step of the effect.
    last: usize,
    /// The outputs of each step, if counterfactual runs may keep them.
    kept: Option<Vec<u64>>,
}

pub fn check(prompt: &str, target: &str, proof: &Json) -> Result<(), Fail> {
    spend(prompt.len().saturating_mul(5))?;
    let said = form::read(FORM, prompt).or_unknown("a sentence that is not known")?;
    let mut problem = Problem::read(&said)?;
    let label = json::parse(target).or_refuted("the label is not JSON")?;
    if !said.has("cause") {
        unknown_if(said.has("sim") && said.slot("end") != (problem.trace.len() - 1).to_string(), "the last step")?;
        return problem.check_run(&label, said.has("tte"));
    }
    problem.check_words(&said)?;
    let mut starts = BTreeSet::from([problem.machine.start]);
    if said.has("unknown") {
        starts = problem.machine.states.keys().copied().collect();
    }
    let mut fitting = BTreeSet::new();
    for start in starts {
        if problem.fits(start)? {
            fitting.insert(start);
            unknown_if(!problem.tells(&said, start)?, "a flip of one input is told wrongly")?;
        }
    }
    unknown_if(fitting.is_empty(), "trace or effect are not what the machine does")?;
    if said.has("kept") {
        unknown_if(fitting.len() > 1, "contingencies, and several states to begin with")?;
        problem.kept = fitting.first().map(|start| problem.run(*start, &Whole::default())).transpose()?;
    }
    let mut stated =
        problem.read_causes(&label, said.slot("key"), said.has("across")).or_refuted("the label's form")?;
    stated.sort();
    let table = if said.has("tce") { problem.check_table(proof, &fitting)? } else { HashMap::new() };
    for start in fitting {
        let mut causes = match table.get(&start) {
            Some(sets) => problem.check_sets(start, sets)?,
            None => problem.single_flips(start)?,
        };
        causes.sort();
        let several = said.has("apart") && causes.iter().any(|set| problem.steps_of(set) > 1);
        unknown_if(several, "a set is at several steps")?;
        refuted_if(causes != stated, "the label states other sets than the right ones")?;
    }
    Ok(())
}

/// `output g is true at step 3`
fn read_effect(text: &str) -> Option<Literal<'_>> {
    let (name, rest) = text.strip_prefix("output ")?.split_once(" is ")?;
    let (value, step) = rest.split_once(" at step ")?;
    let value = Some(value == "true").filter(|_| ["true", "false"].contains(&value))?;
    Some((name, value, number(step).filter(|step| *step < 1000)? as usize))
}

/// The place of an output; 0 if there is no such one, which is to be asked before.
fn place(outputs: &[&str], name: &str) -> usize {
    outputs.iter().position(|output| *output == name).unwrap_or(0)
}

impl<'a> Problem<'a> {
    fn read(said: &Said<'a>) -> Result<Problem<'a>, Fail> {
        let machine = Machine::read(said)?;
        let all = &machine.outputs;
        let some: Vec<&str> = said.slot("shown").split(", ").collect();
        let named: Vec<&str> = all.iter().copied().filter(|name| some.contains(name)).collect();
        unknown_if(said.has("some") && named != some, "the outputs that are shown")?;
        let names = if said.has("some") { some } else { all.clone() };
        let shown = names.iter().map(|name| 1 << place(all, name)).sum();
        let (between, not) = if said.has("told") { (" and ", "not ") } else { (" & ", "!") };
        let step = |(t, line): (usize, &&str)| {
            let (inputs, outputs) = if said.has("told") {
                let rest = line.strip_prefix(&format!("At step {t}, the inputs are "))?.strip_suffix('.')?;
                rest.split_once(", and the machine answers ").unwrap_or((rest, ""))
            } else {
                let rest = line.strip_prefix(&format!("{t}: "))?;
                rest.split_once(" / ").unwrap_or((rest, ""))
            };
            let inputs = literals(inputs, between, not, &machine.inputs).filter(|_| t < 1000)?;
            if said.has("sim") {
                return Some((inputs, 0)).filter(|_| outputs.is_empty());
            }
            // From places among the outputs that are shown to places among all.
            let named = literals(outputs, between, not, &names)?;
            let values = names.iter().enumerate().map(|(i, name)| (named >> i & 1) << place(all, name));
            Some((inputs, values.sum()))
        };
        let trace = said.lines("trace").iter().enumerate().map(step).collect::<Option<Vec<(u64, u64)>>>();
        let trace = trace.or_unknown("a step of the trace")?;
        unknown_if(trace.is_empty(), "an empty trace")?;
        let effect = said.slot("literals").split("; ").map(read_effect);
        let effect: Vec<Literal> = effect.collect::<Option<_>>().unwrap_or_default();
        let last = effect.iter().map(|literal| literal.2).max().unwrap_or(0);
        Ok(Problem { machine, shown, trace, effect, any: said.has("or"), last, kept: None })
    }

    /// Checks what the prompt says of the effect in several ways.
    fn check_words(&self, said: &Said) -> Result<(), Fail> {
        let written = |(name, value, t): &Literal| {
            let text = format!("{} {}{name}", "X".repeat(*t), if *value { "" } else { "!" });
            text.trim_start().to_string()
        };
        let keys: Vec<String> = self.effect.iter().map(written).collect();
        let known = |literal: &Literal| self.machine.outputs.contains(&literal.0);
        let right = !keys.is_empty()
            && said.has("one") == (keys.len() == 1)
            && keys.iter().collect::<BTreeSet<_>>().len() == keys.len()
            && self.effect.iter().all(known)
            && self.last < self.trace.len()
            && said.slot("key") == keys.join(if self.any { " | " } else { " & " })
            && said.slot("step") == self.last.to_string();
        unknown_if(!right, "the effect")?;
        let (name, value, _) = self.effect[0];
        let same = said.slot("name") == name && said.slot("other") == (!value).to_string();
        let origin = if said.has("unknown") { "the state that it is in at step 0" } else { "its initial state" };
        unknown_if((said.has("one") && !same) || said.slot("origin") != origin, "what breaks the effect")
    }

    /// The flips of a set at one step.
    fn at(&self, set: &Whole, t: usize) -> u64 {
        let inputs = self.machine.inputs.len();
        set.bits(t * inputs, inputs)
    }

    /// At how many steps a set flips inputs.
    fn steps_of(&self, set: &Whole) -> usize {
        (0..=self.last).filter(|&t| self.at(set, t) != 0).count()
    }

    /// What the effect comes to at a step with these outputs: whether it is broken, or nothing yet.
    fn broken(&self, outputs: u64, t: usize) -> Option<bool> {
        let value = |name| outputs >> place(&self.machine.outputs, name) & 1 == 1;
        let mut here = self.effect.iter().filter(|literal| literal.2 == t);
        // One literal that holds is enough, or one that does not.
        match here.any(|(name, wanted, _)| (value(*name) == *wanted) == self.any) {
            true => Some(!self.any),
            false => Some(self.any).filter(|_| t == self.last),
        }
    }

    /// The outputs of the whole trace with some inputs flipped, none of them kept.
    fn run(&self, mut state: u32, flips: &Whole) -> Result<Vec<u64>, Fail> {
        let mut found = Vec::new();
        for (t, (inputs, _)) in self.trace.iter().enumerate() {
            let (outputs, next) = self.machine.step(state, inputs ^ self.at(flips, t), None)?;
            found.push(outputs);
            state = next.first().copied().unwrap_or(state);
        }
        Ok(found)
    }

    /// Whether the machine does what the trace shows from a state on, and the effect comes.
    fn fits(&self, start: u32) -> Result<bool, Fail> {
        let run = self.run(start, &Whole::default())?;
        let fits = run.iter().zip(&self.trace).all(|(outputs, (_, stated))| (outputs ^ stated) & self.shown == 0);
        Ok(fits && !self.breaks(start, &Whole::default())?)
    }

    /// Whether what a narrative says of flips of one input is so.
    fn tells(&self, said: &Said, start: u32) -> Result<bool, Fail> {
        let (name, value, last) = self.effect[0];
        let mut lines = said.lines("otherwise").iter();
        for t in (0..=self.last).filter(|_| said.has("told")) {
            for (i, input) in self.machine.inputs.iter().enumerate() {
                let broken = self.breaks(start, &self.flip(t, i))?;
                let same = if broken { "" } else { " all the same" };
                let then = match (said.has("one"), broken) {
                    (true, _) => format!("{name} would have been {} at step {last}{same}", value != broken),
                    (false, true) => "the effect would not have come".into(),
                    (false, false) => format!("the effect would have come{same}"),
                };
                let other = self.trace[t].0 >> i & 1 == 0;
                let line = format!("If {input} had been {other} at step {t}, {then}.");
                if lines.next() != Some(&&line[..]) {
                    return Ok(false);
                }
            }
        }
        Ok(lines.next().is_none())
    }

    fn flip(&self, t: usize, input: usize) -> Whole {
        Whole::moved(1, t * self.machine.inputs.len() + input)
    }

    /// The outputs of the trace at a step, if they may be kept.
    fn keep(&self, t: usize) -> Option<u64> {
        self.kept.as_ref().map(|outputs| outputs[t])
    }

    /// Whether the effect is broken in some run with these flips; as long as `kept` is not set, no outputs are kept.
    fn breaks(&self, start: u32, flips: &Whole) -> Result<bool, Fail> {
        let mut reached = BTreeSet::from([start]);
        for t in 0..=self.last {
            let mut after = BTreeSet::new();
            for state in reached {
                let inputs = self.trace[t].0 ^ self.at(flips, t);
                let (outputs, next) = self.machine.step(state, inputs, self.keep(t))?;
                match self.broken(outputs, t) {
                    Some(true) => return Ok(true),
                    Some(false) => {}
                    None => after.extend(next),
                }
            }
            reached = after;
        }
        Ok(false)
    }

    /// The inputs that break the effect if they are flipped alone.
    fn single_flips(&self, start: u32) -> Result<Vec<Whole>, Fail> {
        let mut found = Vec::new();
        for bit in 0..(self.last + 1) * self.machine.inputs.len() {
            let flip = Whole::moved(1, bit);
            if self.breaks(start, &flip)? {
                found.push(flip);
            }
        }
        Ok(found)
    }

    fn check_run(&self, label: &Json, accepts: bool) -> Result<(), Fail> {
        let (mut state, mut wanted) = (self.machine.start, BTreeMap::new());
        for (t, &(inputs, outputs)) in self.trace.iter().enumerate() {
            let (gives, next) = self.machine.step(state, inputs, None)?;
            if accepts && (gives ^ outputs) & self.shown != 0 {
                break;
            }
            let mut step = BTreeMap::from([("current state".into(), Json::Word(state.to_string()))]);
            state = next.first().copied().unwrap_or(state);
            step.insert("next state".into(), Json::Word(state.to_string()));
            step.insert("defining inputs".into(), written(&self.machine.inputs, inputs));
            if !accepts {
                step.insert("outputs".into(), written(&self.machine.outputs, gives));
            }
            wanted.insert(format!("step_{t}"), Json::Obj(step));
        }
        if accepts {
            let accepted = if wanted.len() < self.trace.len() { "no" } else { "yes" };
            wanted.insert("accepted".into(), Json::Str(accepted.into()));
        }
        refuted_if(*label != Json::Obj(wanted), "the label is not what the machine does")
    }

    /// Checks the table; returns the sets of each state at step 0.
    fn check_table(&self, proof: &Json, starts: &BTreeSet<u32>) -> Result<HashMap<u32, Vec<Whole>>, Fail> {
        let read = |states: &Json| {
            let mut row: HashMap<u32, Vec<Whole>> = HashMap::new();
            for (state, sets) in states.obj()? {
                let sets = sets.arr()?.iter().map(|set| Whole::read(set.word()?, DIGITS));
                row.insert(number(state)?, sets.collect::<Option<_>>()?);
            }
            Some(row)
        };
        let table = proof.get("table").and_then(|table| table.arr()?.iter().map(read).collect::<Option<Vec<_>>>());
        let mut table = table.filter(|table| table.len() == self.last + 1).or_unknown("a table of another form")?;
        let sets_of = |t: usize, state: u32| table[t].get(&state).or_refuted("a state is missing in the table");
        let mut reached = starts.clone();
        for t in 0..=self.last {
            let mut after = BTreeSet::new();
            for state in reached {
                let sets = sets_of(t, state)?;
                for flips in 0..1u64 << self.machine.inputs.len() {
                    let inputs = self.trace[t].0 ^ flips;
                    let (outputs, next) = self.machine.step(state, inputs, self.keep(t))?;
                    let here = Whole::moved(flips, t * self.machine.inputs.len());
                    let broken = self.broken(outputs, t);
                    let mut breaking = Vec::new();
                    if broken == Some(true) {
                        breaking.push(here.clone());
                    }
                    for next in next.into_iter().filter(|_| broken.is_none()) {
                        breaking.extend(sets_of(t + 1, next)?.iter().map(|set| set.with(&here)));
                        after.insert(next);
                    }
                    for set in breaking {
                        spend(1 + sets.len() * set.len())?;
                        refuted_if(!sets.iter().any(|part| set.contains(part)), "a set is missing")?;
                    }
                }
            }
            reached = after;
        }
        Ok(table.swap_remove(0))
    }

    /// Checks that each of the sets breaks the effect, and none contains another.
    fn check_sets(&self, start: u32, sets: &[Whole]) -> Result<Vec<Whole>, Fail> {
        spend(sets.len().saturating_mul(sets.len()))?;
        for (i, set) in sets.iter().enumerate() {
            let more = sets.iter().enumerate().any(|(j, part)| i != j && set.contains(part));
            refuted_if(more || !self.breaks(start, set)?, "a set does not break, or contains another")?;
        }
        Ok(sets.to_vec())
    }

    /// A set of inputs, each with its value in the trace and at its step; no input may be named twice.
    fn read_set<'b>(&self, literals: impl Iterator<Item = Option<(usize, &'b str)>>) -> Option<Whole> {
        let mut set = Whole::default();
        for literal in literals {
            let (t, text) = literal.filter(|(t, _)| *t <= self.last)?;
            let (name, value) = text.strip_prefix('!').map_or((text, 1), |name| (name, 0));
            let i = self.machine.inputs.iter().position(|input| *input == name)?;
            let bit = self.flip(t, i);
            if self.trace[t].0 >> i & 1 != value || set.contains(&bit) {
                return None;
            }
            set = set.with(&bit);
        }
        Some(set).filter(|set| *set != Whole::default())
    }

    /// The sets that a label states.
    fn read_causes(&self, label: &Json, key: &str, cross: bool) -> Option<Vec<Whole>> {
        let steps = label.get(key)?;
        if label.obj()?.len() != 1 + usize::from(cross) || steps.obj()?.len() != self.last + 1 {
            return None;
        }
        let mut sets = Vec::new();
        for t in 0..=self.last {
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
                sets.push(Some(set).filter(|set| self.steps_of(set) > 1)?);
            }
        }
        Some(sets)
    }
}

/// A list such as `u and !v` of all names with their values.
fn written(names: &[&str], values: u64) -> Json {
    let literal = |(i, name): (usize, &&str)| format!("{}{name}", if values >> i & 1 == 1 { "" } else { "!" });
    Json::Str(names.iter().enumerate().map(literal).collect::<Vec<String>>().join(" and "))
}
