//! TempoBench: runs of a machine, inputs that were necessary, and minimal causes.

use crate::machine::{literals, Machine};
use crate::{json, json::Json, spend, whole::Whole, words::Words, Check, Fail::Refuted, Fail::Unknown};
use std::collections::{BTreeMap, BTreeSet};

/// The sets of each state.
type Row = BTreeMap<String, Vec<Whole>>;

struct Problem<'a> {
    words: Words<'a>,
    machine: Machine<'a>,
    /// The outputs that the trace shows.
    shown: u64,
    /// Inputs and shown outputs of each step.
    trace: Vec<(u64, u64)>,
    /// Outputs by their places, their values, and the steps at which they have them.
    effect: Vec<(usize, bool, usize)>,
    /// The last step of the effect.
    last: usize,
    /// The outputs of each step, if counterfactual runs may keep them, else nothing.
    kept: Vec<u64>,
}

pub fn check(prompt: &str, target: &str, proof: &Json) -> Check {
    let words = Words::new(include_str!("../../harness_proof/prompts/tempobench.txt"), prompt).read(prompt)?;
    let mut problem = Problem::read(words)?;
    let label = json::parse(target).ok_or(Refuted("the label is not JSON"))?;
    if !problem.words.has("cause") {
        return problem.check_run(&label);
    }
    problem.check_effect()?;
    let (mut fitting, unknown) = (BTreeSet::new(), problem.words.has("unknown"));
    for &start in problem.machine.states.keys().filter(|state| unknown || **state == problem.machine.start) {
        let run = problem.run(start)?;
        let shows = run.iter().zip(&problem.trace).all(|((_, gives), step)| (gives ^ step.1) & problem.shown == 0);
        if shows && !problem.breaks(start, &Whole::default())? {
            fitting.insert(start);
            problem.check_told(start)?;
        }
    }
    let first = *fitting.first().ok_or(Unknown("trace or effect are not what the machine does"))?;
    if problem.words.has("kept") {
        Unknown("contingencies, and several states to begin with").when(fitting.len() > 1)?;
        problem.kept = problem.run(first)?.into_iter().map(|step| step.1).collect();
    }
    let table = if problem.words.has("tce") { problem.check_table(proof, &fitting)? } else { Row::new() };
    for start in fitting {
        let causes = match table.get(&start.to_string()) {
            Some(sets) => sets.clone(),
            None => problem.flips(start)?.into_iter().filter(|(_, breaks)| *breaks).map(|(flip, _)| flip).collect(),
        };
        Refuted("the label states other sets, or in another form").when(!problem.states(&label, &causes)?)?;
    }
    Ok(())
}

impl<'a> Problem<'a> {
    fn read(words: Words<'a>) -> Check<Problem<'a>> {
        let machine = Machine::read(&words)?;
        let outputs = &machine.outputs;
        let place = |name: &str| outputs.iter().position(|output| *output == name);
        let some = words.value("shown").split(", ").map(place).collect::<Option<Vec<_>>>();
        let some = some.filter(|places| places.is_sorted_by(|a, b| a < b)).ok_or(Unknown("the outputs that are shown"));
        let shown = if words.has("some") { some?.iter().map(|place| 1 << place).sum() } else { u64::MAX };
        let pattern = words.pattern("spoken");
        let step = |(t, line): (usize, &str)| {
            let formal = if words.has("told") {
                let [step, inputs, outputs] = pattern.fit(line)?[..] else { return None };
                let slash = if words.has("sim") { "" } else { " / " };
                format!("{step}: {inputs}{slash}{outputs}").replace(" and ", " & ").replace("not ", "!")
            } else {
                line.to_string()
            };
            let rest = formal.strip_prefix(&format!("{t}: "))?;
            if words.has("sim") {
                return Some((literals(rest, &machine.inputs, u64::MAX)?, 0));
            }
            let (inputs, given) = rest.split_once(" / ")?;
            Some((literals(inputs, &machine.inputs, u64::MAX)?, literals(given, outputs, shown)?))
        };
        let trace = words.value("trace").lines().enumerate().map(step).collect::<Option<Vec<_>>>();
        let trace = trace.filter(|trace| (1..=1000).contains(&trace.len())).ok_or(Unknown("a step of the trace"))?;
        let pattern = words.pattern("literal");
        let literal = |text: &str| {
            let [name, value, step] = pattern.fit(text)?[..] else { return None };
            Some((place(name)?, value == "true", step.parse().ok()?))
        };
        let effect: Option<Vec<_>> = words.value("literals").split_terminator("; ").map(literal).collect();
        let effect = effect.ok_or(Unknown("the effect"))?;
        let last = effect.iter().map(|literal| literal.2).max().unwrap_or(0);
        Ok(Problem { words, machine, shown, trace, effect, last, kept: Vec::new() })
    }

    /// Checks what the prompt says of the effect in several ways.
    fn check_effect(&self) -> Check {
        let (outputs, one) = (&self.machine.outputs, self.words.has("one"));
        let written = |&(i, value, t): &(usize, bool, usize)| {
            let text = format!("{} {}", "X".repeat(t), literal(outputs[i], value));
            text.trim_start().to_string()
        };
        let keys: Vec<String> = self.effect.iter().map(written).collect();
        let different = keys.iter().collect::<BTreeSet<_>>().len();
        let fine = different == keys.len() && one == (different == 1) && self.last < self.trace.len();
        Unknown("the effect").when(!fine)?;
        let (i, value, _) = *self.effect.first().ok_or(Unknown("no effect"))?;
        if one {
            self.words.says("output", outputs[i])?;
            self.words.says("other", &(!value).to_string())?;
        }
        self.words.says("step", &self.last.to_string())?;
        self.words.says("effect", &keys.join(if self.words.has("or") { " | " } else { " & " }))
    }

    /// The state and the outputs of each step of the trace.
    fn run(&self, mut state: usize) -> Check<Vec<(usize, u64)>> {
        let mut found = Vec::new();
        for (inputs, _) in &self.trace {
            let (outputs, next) = self.machine.step(state, *inputs, None)?;
            found.push((state, outputs));
            state = next.first().copied().unwrap_or(state);
        }
        found.push((state, 0));
        Ok(found)
    }

    /// Whether the effect is broken at a step with these flips, and if it is open, the states that may follow.
    fn step(&self, state: usize, t: usize, flips: u64) -> Check<(bool, BTreeSet<usize>)> {
        let (outputs, next) = self.machine.step(state, self.trace[t].0 ^ flips, self.kept.get(t))?;
        let mut here = self.effect.iter().filter(|literal| literal.2 == t);
        // One literal that holds is enough, or one that does not.
        let any = self.words.has("or");
        let decided = here.any(|(i, wanted, _)| ((outputs >> i & 1 == 1) == *wanted) == any);
        let open = !decided && t < self.last;
        Ok((!open && decided != any, if open { next } else { BTreeSet::new() }))
    }

    /// Whether the effect is broken in some run with these flips; as long as `kept` is not set, no outputs are kept.
    fn breaks(&self, start: usize, set: &Whole) -> Check<bool> {
        let (inputs, mut reached) = (self.machine.inputs.len(), BTreeSet::from([start]));
        for t in 0..=self.last {
            let mut after = BTreeSet::new();
            for state in reached {
                let (broken, next) = self.step(state, t, set.bits(t * inputs, inputs))?;
                if broken {
                    return Ok(true);
                }
                after.extend(next);
            }
            reached = after;
        }
        Ok(false)
    }

    /// All flips of one input, and whether they break the effect.
    fn flips(&self, start: usize) -> Check<Vec<(Whole, bool)>> {
        let flips = (0..(self.last + 1) * self.machine.inputs.len()).map(|bit| Whole::moved(1, bit));
        flips.map(|flip| self.breaks(start, &flip).map(|breaks| (flip, breaks))).collect()
    }

    /// Checks what a narrative says of flips of one input.
    fn check_told(&self, start: usize) -> Check {
        let ((output, value, last), inputs) = (self.effect[0], &self.machine.inputs);
        let line = |(bit, (_, breaks)): (usize, (Whole, bool))| {
            let (t, i, name) = (bit / inputs.len(), bit % inputs.len(), self.machine.outputs[output]);
            let (not, same) = if breaks { ("not ", "") } else { ("", " all the same") };
            let then = match self.words.has("one") {
                true => format!("{name} would have been {} at step {last}", value != breaks),
                false => format!("the effect would {not}have come"),
            };
            format!("If {} had been {} at step {t}, {then}{same}.", inputs[i], self.trace[t].0 >> i & 1 == 0)
        };
        let flips = if self.words.has("told") { self.flips(start)? } else { Vec::new() };
        let lines: Vec<String> = flips.into_iter().enumerate().map(line).collect();
        self.words.says("otherwise", &lines.join("\n"))
    }

    fn check_run(&self, label: &Json) -> Check {
        let (accepts, run) = (self.words.has("tte"), self.run(self.machine.start)?);
        self.words.says("last", &if accepts { String::new() } else { (self.trace.len() - 1).to_string() })?;
        let differs = |((_, gives), step): (&(usize, u64), &(u64, u64))| (gives ^ step.1) & self.shown != 0;
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
        Refuted("the label is not what the machine does").when(right.as_ref() != Some(label))
    }

    /// Checks the table, and that each set of a first state breaks the effect, and none contains another; returns those.
    fn check_table(&self, proof: &Json, starts: &BTreeSet<usize>) -> Check<Row> {
        let mut table: Vec<Row> = proof.get("table")?;
        Unknown("a table of other steps").when(table.len() != self.last + 1)?;
        let sets_of = |t: usize, state: usize| table[t].get(&state.to_string()).ok_or(Refuted("a state is missing"));
        let (inputs, mut reached) = (self.machine.inputs.len(), starts.clone());
        for t in 0..=self.last {
            let mut after = BTreeSet::new();
            for state in reached {
                let sets = sets_of(t, state)?;
                for flips in 0..1 << inputs {
                    let (broken, next) = self.step(state, t, flips)?;
                    let here = Whole::moved(flips, t * inputs);
                    let mut breaking = Vec::from_iter(broken.then(|| here.clone()));
                    for next in next {
                        breaking.extend(sets_of(t + 1, next)?.iter().map(|set| set.with(&here)));
                        after.insert(next);
                    }
                    for set in breaking {
                        spend(1 + sets.len() * set.len())?;
                        Refuted("a set is missing").when(!sets.iter().any(|part| set.contains(part)))?;
                    }
                }
            }
            reached = after;
        }
        for start in starts {
            let sets = sets_of(0, *start)?;
            spend(sets.len().saturating_mul(sets.len()))?;
            for set in sets {
                let more = sets.iter().filter(|part| set.contains(part)).count() > 1;
                Refuted("a set does not break, or contains another").when(more || !self.breaks(*start, set)?)?;
            }
        }
        Ok(table.swap_remove(0))
    }

    /// Whether the label states just these sets: the clauses of each step, and those across steps.
    fn states(&self, label: &Json, sets: &[Whole]) -> Check<bool> {
        let (inputs, key) = (self.machine.inputs.len(), self.words.value("effect"));
        let (mut steps, mut across) = (vec![Vec::new(); self.last + 1], Vec::new());
        for set in sets {
            let bits = (0..(self.last + 1) * inputs).filter(|bit| set.bits(*bit, 1) == 1);
            let literals = bits.map(|bit| (bit / inputs, bit % inputs));
            let literals = literals.map(|(t, i)| (t, literal(self.machine.inputs[i], self.trace[t].0 >> i & 1 == 1)));
            let (times, texts): (Vec<usize>, Vec<String>) = literals.unzip();
            match times.first() {
                Some(t) if times.iter().all(|other| other == t) => steps[*t].push(format!("{:?}", texts.join(" or "))),
                _ => {
                    let clause = times.iter().zip(texts).map(|(t, text)| format!("{t}:{text}"));
                    across.push(format!("{:?}", clause.collect::<Vec<_>>()));
                }
            }
        }
        steps.iter_mut().filter(|list| list.is_empty()).for_each(|list| list.push("\"no constraints\"".into()));
        let steps: Vec<String> = (0..).zip(steps).map(|(t, list)| format!("\"{t}\": [{}]", list.join(", "))).collect();
        let mut right = format!("{{\"{key}\": {{{}}}", steps.join(", "));
        if self.words.has("tce") && self.words.has("across") {
            Unknown("the effect").when(key == "cross_step_clauses")?;
            right += &format!(", \"cross_step_clauses\": {{\"{key}\": [{}]}}", across.join(", "));
        } else {
            Unknown("a set is at several steps").when(!across.is_empty())?;
        }
        Ok(json::parse(&(right + "}")).as_ref().map(ordered) == Some(ordered(label)))
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
