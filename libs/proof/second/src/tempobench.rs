//! TempoBench: runs of a machine, inputs that were necessary, and minimal causes.

use crate::machine::{literals, place, Machine};
use crate::{json, json::Json, refuted, refuted_if, spend, unknown, unknown_if, whole::Whole, words::Words, Fail};
use std::collections::{BTreeMap, BTreeSet};

/// An output, its value, and the step at which it has it.
type Literal<'a> = (&'a str, bool, usize);

/// The sets of each state.
type Row = BTreeMap<String, Vec<Whole>>;

struct Problem<'a> {
    words: Words<'a>,
    machine: Machine<'a>,
    /// The outputs that the trace shows.
    shown: u64,
    /// Inputs and shown outputs of each step.
    trace: Vec<(u64, u64)>,
    effect: Vec<Literal<'a>>,
    /// The last step of the effect.
    last: usize,
    /// The outputs of each step, if counterfactual runs may keep them, else nothing.
    kept: Vec<u64>,
}

pub fn check(prompt: &str, target: &str, proof: &Json) -> Result<(), Fail> {
    let words = Words::new(include_str!("../../harness_proof/prompts/tempobench.txt"), prompt).read(prompt)?;
    let mut problem = Problem::read(words)?;
    let label = json::parse(target).ok_or(refuted("the label is not JSON"))?;
    if !problem.words.has("cause") {
        return problem.check_run(&label);
    }
    problem.check_effect()?;
    let mut starts = BTreeSet::from([problem.machine.start]);
    if problem.words.has("unknown") {
        starts = problem.machine.states.keys().copied().collect();
    }
    let mut fitting = BTreeSet::new();
    for start in starts {
        let run = problem.run(start)?;
        let shows = run.iter().zip(&problem.trace).all(|((_, gives), step)| (gives ^ step.1) & problem.shown == 0);
        if shows && !problem.breaks(start, &Whole::default())? {
            fitting.insert(start);
            problem.check_told(start)?;
        }
    }
    unknown_if(fitting.is_empty(), "trace or effect are not what the machine does")?;
    if problem.words.has("kept") {
        unknown_if(fitting.len() > 1, "contingencies, and several states to begin with")?;
        let run = problem.run(fitting.first().copied().unwrap_or(0))?;
        problem.kept = run.into_iter().map(|step| step.1).collect();
    }
    let table = if problem.words.has("tce") { problem.check_table(proof, &fitting)? } else { BTreeMap::new() };
    for start in fitting {
        let causes = match table.get(&start.to_string()) {
            Some(sets) => problem.check_sets(start, sets)?,
            None => problem.flips(start)?.into_iter().filter(|(_, breaks)| *breaks).map(|(flip, _)| flip).collect(),
        };
        let right = problem.states(&label, &causes)?;
        refuted_if(!right, "the label states other sets than the right ones, or in another form")?;
    }
    Ok(())
}

impl<'a> Problem<'a> {
    fn read(words: Words<'a>) -> Result<Problem<'a>, Fail> {
        let machine = Machine::read(&words)?;
        let all = &machine.outputs;
        let some = if words.has("some") { words.value("shown").split(", ").collect() } else { all.clone() };
        let names: Vec<&str> = all.iter().copied().filter(|name| some.contains(name)).collect();
        unknown_if(names != some, "the outputs that are shown")?;
        let shown = names.iter().map(|name| 1 << place(all, name)).sum();
        let pattern = words.pattern("spoken");
        let step = |(t, line): (usize, &str)| {
            let formal = if words.has("told") {
                let groups = pattern.fit(line)?;
                let end = if words.has("sim") { String::new() } else { format!(" / {}", groups[2]) };
                format!("{}: {}{end}", groups[0], groups[1]).replace(" and ", " & ").replace("not ", "!")
            } else {
                line.to_string()
            };
            let rest = formal.strip_prefix(&format!("{t}: "))?;
            let (inputs, outputs) = if words.has("sim") { (rest, "") } else { rest.split_once(" / ")? };
            let outputs = if words.has("sim") { 0 } else { literals(outputs, &names, all)? };
            Some((literals(inputs, &machine.inputs, &machine.inputs)?, outputs))
        };
        let trace = words.value("trace").lines().enumerate().map(step).collect::<Option<Vec<(u64, u64)>>>();
        let trace = trace.filter(|trace| (1..=1000).contains(&trace.len())).ok_or(unknown("a step of the trace"))?;
        let pattern = words.pattern("literal");
        let literal = |text: &'a str| {
            let [name, value, step] = pattern.fit(text)?[..] else { return None };
            Some((name, value == "true", step.parse().ok()?))
        };
        let effect: Option<Vec<Literal>> = words.value("literals").split_terminator("; ").map(literal).collect();
        let effect = effect.ok_or(unknown("the effect"))?;
        let last = effect.iter().map(|literal| literal.2).max().unwrap_or(0);
        Ok(Problem { words, machine, shown, trace, effect, last, kept: Vec::new() })
    }

    /// Checks what the prompt says of the effect in several ways.
    fn check_effect(&self) -> Result<(), Fail> {
        let written = |(name, value, t): &Literal| {
            let text = format!("{} {}", "X".repeat(*t), literal(name, *value));
            text.trim_start().to_string()
        };
        let keys: Vec<String> = self.effect.iter().map(written).collect();
        let right = !keys.is_empty()
            && self.words.has("one") == (keys.len() == 1)
            && keys.iter().collect::<BTreeSet<_>>().len() == keys.len()
            && self.effect.iter().all(|literal| self.machine.outputs.contains(&literal.0))
            && self.last < self.trace.len()
            && self.words.value("effect") == keys.join(if self.words.has("or") { " | " } else { " & " })
            && self.words.value("step") == self.last.to_string();
        unknown_if(!right, "the effect")?;
        let (name, value, _) = self.effect[0];
        let same = self.words.value("output") == name && self.words.value("other") == (!value).to_string();
        unknown_if(self.words.has("one") && !same, "what breaks the effect")
    }

    /// The flips of a set at one step.
    fn at(&self, set: &Whole, t: usize) -> u64 {
        let inputs = self.machine.inputs.len();
        set.bits(t * inputs, inputs)
    }

    /// What the effect comes to at a step with these outputs: whether it is broken, or nothing yet.
    fn broken(&self, outputs: u64, t: usize) -> Option<bool> {
        let value = |name| outputs >> place(&self.machine.outputs, name) & 1 == 1;
        let mut here = self.effect.iter().filter(|literal| literal.2 == t);
        // One literal that holds is enough, or one that does not.
        let any = self.words.has("or");
        match here.any(|(name, wanted, _)| (value(*name) == *wanted) == any) {
            true => Some(!any),
            false => Some(any).filter(|_| t == self.last),
        }
    }

    /// The state and the outputs of each step of the trace.
    fn run(&self, mut state: u32) -> Result<Vec<(u32, u64)>, Fail> {
        let mut found = Vec::new();
        for (inputs, _) in &self.trace {
            let (outputs, next) = self.machine.step(state, *inputs, None)?;
            found.push((state, outputs));
            state = next.first().copied().unwrap_or(state);
        }
        found.push((state, 0));
        Ok(found)
    }

    /// Checks what a narrative says of flips of one input.
    fn check_told(&self, start: u32) -> Result<(), Fail> {
        let (name, value, last) = self.effect[0];
        let inputs = &self.machine.inputs;
        let line = |(bit, (_, breaks)): (usize, &(Whole, bool))| {
            let (t, i, same) = (bit / inputs.len(), bit % inputs.len(), if *breaks { "" } else { " all the same" });
            let then = match self.words.has("one") {
                true => format!("{name} would have been {} at step {last}{same}", value != *breaks),
                false => format!("the effect would {}have come{same}", if *breaks { "not " } else { "" }),
            };
            format!("If {} had been {} at step {t}, {then}.", inputs[i], self.trace[t].0 >> i & 1 == 0)
        };
        let flips = if self.words.has("told") { self.flips(start)? } else { Vec::new() };
        let lines: Vec<String> = flips.iter().enumerate().map(line).collect();
        unknown_if(self.words.value("otherwise") != lines.join("\n"), "a flip of one input is told wrongly")
    }

    /// Whether the effect is broken in some run with these flips; as long as `kept` is not set, no outputs are kept.
    fn breaks(&self, start: u32, flips: &Whole) -> Result<bool, Fail> {
        let mut reached = BTreeSet::from([start]);
        for t in 0..=self.last {
            let mut after = BTreeSet::new();
            for state in reached {
                let inputs = self.trace[t].0 ^ self.at(flips, t);
                let (outputs, next) = self.machine.step(state, inputs, self.kept.get(t))?;
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

    /// All flips of one input, and whether they break the effect.
    fn flips(&self, start: u32) -> Result<Vec<(Whole, bool)>, Fail> {
        let flips = (0..(self.last + 1) * self.machine.inputs.len()).map(|bit| Whole::moved(1, bit));
        flips.map(|flip| self.breaks(start, &flip).map(|breaks| (flip, breaks))).collect()
    }

    fn check_run(&self, label: &Json) -> Result<(), Fail> {
        let accepts = self.words.has("tte");
        let last = self.words.value("last") == (self.trace.len() - 1).to_string();
        unknown_if(!accepts && !last, "the last step")?;
        let run = self.run(self.machine.start)?;
        let differs = |((_, gives), step): (&(u32, u64), &(u64, u64))| (gives ^ step.1) & self.shown != 0;
        let end = run.iter().zip(&self.trace).position(differs).filter(|_| accepts);
        let mut keys = Vec::new();
        for (t, (inputs, _)) in self.trace.iter().enumerate().take(end.unwrap_or(run.len())) {
            let outputs = format!(r#", "outputs": "{}""#, written(&self.machine.outputs, run[t].1));
            let (inputs, outputs) = (written(&self.machine.inputs, *inputs), if accepts { "" } else { &outputs });
            let states = format!(r#""current state": {}, "next state": {}"#, run[t].0, run[t + 1].0);
            keys.push(format!(r#""step_{t}": {{{states}, "defining inputs": "{inputs}"{outputs}}}"#));
        }
        if accepts {
            keys.push(format!(r#""accepted": "{}""#, if end.is_some() { "no" } else { "yes" }));
        }
        let right = json::parse(&format!("{{{}}}", keys.join(", ")));
        refuted_if(right.as_ref() != Some(label), "the label is not what the machine does")
    }

    /// Checks the table; returns the sets of each state at step 0.
    fn check_table(&self, proof: &Json, starts: &BTreeSet<u32>) -> Result<Row, Fail> {
        let mut table: Vec<Row> = proof.get("table")?;
        unknown_if(table.len() != self.last + 1, "a table of other steps")?;
        let sets_of = |t: usize, state: u32| table[t].get(&state.to_string()).ok_or(refuted("a state is missing"));
        let mut reached = starts.clone();
        for t in 0..=self.last {
            let mut after = BTreeSet::new();
            for state in reached {
                let sets = sets_of(t, state)?;
                for flips in 0..1u64 << self.machine.inputs.len() {
                    let (outputs, next) = self.machine.step(state, self.trace[t].0 ^ flips, self.kept.get(t))?;
                    let here = Whole::moved(flips, t * self.machine.inputs.len());
                    let broken = self.broken(outputs, t);
                    let mut breaking = Vec::new();
                    breaking.extend((broken == Some(true)).then(|| here.clone()));
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

    /// Whether the label states just these sets: the clauses of each step, and those across steps.
    fn states(&self, label: &Json, sets: &[Whole]) -> Result<bool, Fail> {
        let inputs = self.machine.inputs.len();
        let (mut steps, mut across) = (vec![Vec::new(); self.last + 1], Vec::new());
        for set in sets {
            let bits: Vec<usize> = (0..(self.last + 1) * inputs).filter(|bit| set.bits(*bit, 1) == 1).collect();
            let (first, last) = (bits[0] / inputs, bits[bits.len() - 1] / inputs);
            let literals = bits.iter().map(|bit| (bit / inputs, bit % inputs));
            let literals = literals.map(|(t, i)| (t, literal(self.machine.inputs[i], self.trace[t].0 >> i & 1 == 1)));
            if first == last {
                let literals: Vec<String> = literals.map(|(_, text)| text).collect();
                steps[first].push(Json::Str(literals.join(" or ")));
            } else {
                across.push(Json::Arr(literals.map(|(t, text)| Json::Str(format!("{t}:{text}"))).collect()));
            }
        }
        for list in steps.iter_mut().filter(|list| list.is_empty()) {
            list.push(Json::Str("no constraints".into()));
        }
        let steps = (0..).zip(steps).map(|(t, list): (usize, _)| (t.to_string(), Json::Arr(list))).collect();
        let key = self.words.value("effect").to_string();
        let mut right = BTreeMap::from([(key.clone(), Json::Obj(steps))]);
        if self.words.has("tce") && self.words.has("across") {
            let clauses = Json::Obj(BTreeMap::from([(key, Json::Arr(across))]));
            unknown_if(right.insert("cross_step_clauses".into(), clauses).is_some(), "the effect")?;
        } else {
            unknown_if(!across.is_empty(), "a set is at several steps")?;
        }
        Ok(ordered(label) == ordered(&Json::Obj(right)))
    }
}

/// A label in which the order of clauses and of literals, which does not count, is always the same.
fn ordered(label: &Json) -> Json {
    match label {
        Json::Str(text) => Json::Str(sorted(text.split(" or ").collect()).join(" or ")),
        Json::Arr(items) => Json::Arr(sorted(items.iter().map(ordered).collect())),
        Json::Obj(pairs) => Json::Obj(pairs.iter().map(|(key, value)| (key.clone(), ordered(value))).collect()),
        Json::Word(_) => label.clone(),
    }
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort();
    items
}

fn literal(name: &str, value: bool) -> String {
    format!("{}{name}", if value { "" } else { "!" })
}

/// A list such as `u and !v` of all names with their values.
fn written(names: &[&str], values: u64) -> String {
    let literals = names.iter().enumerate().map(|(i, name)| literal(name, values >> i & 1 == 1));
    literals.collect::<Vec<String>>().join(" and ")
}
