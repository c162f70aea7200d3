//! The machines of TempoBench, in each of the three notations.

use crate::{ltl, spend, unknown, unknown_if, words::Pattern, words::Words, Fail};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A step of the machine: its outputs and the state that follows.
type Step = (u64, u32);
/// A line of the machine: its state, its label as HOA writes it with names, and the state that follows.
type Line = (u32, String, u32);

pub struct Machine<'a> {
    pub inputs: Vec<&'a str>,
    pub outputs: Vec<&'a str>,
    pub start: u32,
    /// Of each state, by the inputs, the step of each line that fits.
    pub states: HashMap<u32, Vec<Vec<Step>>>,
    /// If outputs may be kept, the states that follow some step with these outputs.
    by_outputs: HashMap<u64, BTreeSet<u32>>,
}

/// The place of a name; 0 if there is no such one, which is to be asked before.
pub fn place(names: &[&str], name: &str) -> usize {
    names.iter().position(|known| *known == name).unwrap_or(0)
}

/// The values of literals such as `u & !v` in a list of some names in their order, by their places among all names.
pub fn literals(text: &str, some: &[&str], all: &[&str]) -> Option<u64> {
    let parts: Vec<&str> = text.split(" & ").collect();
    let named = |(part, name): (&&str, &&str)| part.strip_prefix('!').unwrap_or(part) == *name;
    let fine = parts.len() == some.len() && parts.iter().zip(some).all(named);
    fine.then(|| parts.iter().filter(|part| !part.starts_with('!')).map(|name| 1 << place(all, name)).sum())
}

impl<'a> Machine<'a> {
    pub fn read(words: &Words<'a>) -> Result<Machine<'a>, Fail> {
        let list = |name| words.value(name).split(", ").collect::<Vec<&str>>();
        let (inputs, outputs) = (list("inputs"), list("outputs"));
        let all = [&inputs[..], &outputs[..]].concat();
        let different = all.iter().collect::<BTreeSet<_>>().len();
        let many = inputs.len() > 12 || outputs.len() > 60;
        unknown_if(different < all.len() || many, "inputs and outputs")?;
        let text = words.value("machine");
        let read = match ["hoa", "table"].map(|notation| words.has(notation)) {
            [true, _] => read_hoa(words, text, &all, inputs.len()),
            [_, true] => read_rows(words, text, words.value("start")),
            _ => read_sentences(words, text, words.value("start")),
        };
        let (start, lines) = read.ok_or(unknown("a line of the machine"))?;
        let mut machine = Machine { inputs, outputs, start, states: HashMap::new(), by_outputs: HashMap::new() };
        let pattern = Pattern::new(r"\w+|[!&|()]");
        for (state, label, next) in lines {
            let mut signs = pattern.split(&label).ok_or(unknown("a label"))?;
            for sign in signs.iter_mut().filter(|_| words.has("numbers")) {
                if let Ok(number) = sign.parse::<usize>() {
                    *sign = all.get(number).ok_or(unknown("a label"))?;
                }
            }
            let (outputs, fits) = machine.read_label(&signs)?;
            let steps = machine.states.entry(state).or_insert_with(|| vec![Vec::new(); fits.len()]);
            steps.iter_mut().zip(fits).filter(|(_, fits)| *fits).for_each(|(steps, _)| steps.push((outputs, next)));
        }
        let steps = || machine.states.values().flatten();
        unknown_if(steps().flatten().any(|step| !machine.states.contains_key(&step.1)), "an unknown state")?;
        if words.has("kept") {
            unknown_if(steps().any(|steps| steps.len() != 1), "not exactly one line of a state fits")?;
            for (outputs, next) in machine.states.values().flatten().flatten() {
                machine.by_outputs.entry(*outputs).or_default().insert(*next);
            }
        }
        Ok(machine)
    }

    /// The outputs that a label such as `(u | !v)&g&!h` says, and by the inputs whether it fits.
    fn read_label(&self, signs: &[&str]) -> Result<(u64, Vec<bool>), Fail> {
        let mut named = ltl::Named::new(false);
        let root = named.parse(signs, &HashMap::new()).ok_or(unknown("a label"))?;
        let ltl::Named { formulas, names, .. } = named;
        let place = |list: &[&str], atom: u32| list.iter().position(|name| *name == names[atom as usize]);
        // The outputs are literals of the whole conjunction; all else is about inputs.
        let (mut parts, mut said) = (vec![root], BTreeMap::new());
        while let Some(part) = parts.pop() {
            let (op, a, b) = formulas.nodes[part as usize];
            let atom = if op == '!' { formulas.nodes[a as usize] } else { (op, a, b) };
            match (op, if atom.0 == 'a' { place(&self.outputs, atom.1) } else { None }) {
                (_, Some(output)) => {
                    let other = said.insert(output, op == 'a').is_some_and(|value| value != (op == 'a'));
                    unknown_if(other, "a label with two values of an output")?;
                }
                ('&', None) => parts.extend([a, b]),
                _ => {}
            }
        }
        let values: u64 = said.iter().map(|(output, value)| u64::from(*value) << output).sum();
        let all = [&self.inputs[..], &self.outputs].concat();
        let right = said.len() == self.outputs.len() && names.iter().all(|name| all.contains(name));
        unknown_if(!right, "a label does not say all outputs")?;
        // Each value of the inputs is a moment of a path: so all of them are tried at once.
        let is = |atom: u32, inputs: usize| match place(&self.inputs, atom) {
            Some(i) => inputs >> i & 1 == 1,
            None => place(&self.outputs, atom).is_some_and(|o| values >> o & 1 == 1),
        };
        Ok((values, formulas.truth(root, 1 << self.inputs.len(), 0, is)?))
    }

    /// The outputs in a state with some inputs, and the states that may follow. With `kept`, outputs may be replaced by
    /// their values there; if that changes them, a state follows that follows some step with what results.
    pub fn step(&self, state: u32, inputs: u64, kept: Option<&u64>) -> Result<(u64, BTreeSet<u32>), Fail> {
        spend(1)?;
        let steps = self.states.get(&state).map_or(&[][..], |steps| &steps[inputs as usize]);
        unknown_if(steps.len() != 1, "not exactly one line of a state fits")?;
        let (outputs, next) = steps[0];
        let mut after = BTreeSet::from([next]);
        for (mixed, states) in self.by_outputs.iter().filter(|_| kept.is_some()) {
            spend(1 + states.len())?;
            if *mixed != outputs && (mixed ^ outputs) & (mixed ^ kept.unwrap_or(&0)) == 0 {
                after.extend(states);
            }
        }
        Ok((outputs, after))
    }
}

/// The first state, and the lines.
type Lines = Option<(u32, Vec<Line>)>;

fn read_hoa(words: &Words, text: &str, names: &[&str], inputs: usize) -> Lines {
    let [states, start, count, quoted, outputs, body] = words.pattern("hoa").fit(text)?[..] else { return None };
    let said: String = names.iter().map(|name| format!(" \"{name}\"")).collect();
    let numbers: String = (inputs..names.len()).map(|n| format!(" {n}")).collect();
    let right = count == names.len().to_string() && quoted == said && outputs == numbers;
    let (mut state, mut lines, mut seen) = (None, Vec::new(), BTreeSet::new());
    let pattern = words.pattern("line");
    for line in body.lines() {
        let groups = pattern.fit(line)?;
        if groups[1].is_empty() {
            state = groups[0].parse().ok();
            seen.extend(state);
            continue;
        }
        lines.push((state?, groups[1].to_string(), groups[2].parse().ok()?));
    }
    (right && states == seen.len().to_string()).then_some((start.parse().ok()?, lines))
}

fn read_rows(words: &Words, text: &str, start: &str) -> Lines {
    let pattern = words.pattern("row");
    let row = |line: &str| {
        let [state, inputs, outputs, next] = pattern.fit(line)?[..] else { return None };
        let inputs = if inputs == "any" { String::new() } else { format!("({}) & ", inputs.replace(" or ", " | ")) };
        Some((state.parse().ok()?, inputs + outputs, next.parse().ok()?))
    };
    let rows = words.pattern("table").fit(text)?[0];
    Some((start.parse().ok()?, rows.lines().map(row).collect::<Option<_>>()?))
}

fn read_sentences(words: &Words, text: &str, start: &str) -> Lines {
    let (described, pattern) = (words.pattern("described"), words.pattern("sentence"));
    let mut lines = Vec::new();
    for line in text.lines() {
        let [state, sentences] = described.fit(line)?[..] else { return None };
        for sentence in sentences.split_inclusive(". ") {
            let [inputs, outputs, next] = pattern.fit(sentence.trim_end())?[..] else { return None };
            let ways = inputs.split(", or if ").map(spoken).collect::<Option<Vec<_>>>();
            let ways = if inputs.is_empty() { String::new() } else { format!("({}) & ", ways?.join(" | ")) };
            lines.push((state.parse().ok()?, ways + &spoken(outputs)?, next.parse().ok()?));
        }
    }
    Some((start.parse().ok()?, lines))
}

/// The label for words such as `u, v and w are true and x is false`.
fn spoken(text: &str) -> Option<String> {
    let (yes, no) = match text.split_once(" true and ") {
        Some((yes, no)) => (yes, no.strip_suffix(" false")?),
        None => text.strip_suffix(" true").map(|yes| (yes, "")).or_else(|| Some(("", text.strip_suffix(" false")?)))?,
    };
    let mut literals = Vec::new();
    for (list, not) in [(yes, ""), (no, "!")].iter().filter(|(list, _)| !list.is_empty()) {
        let names = list.strip_suffix(" is").or(list.strip_suffix(" are"))?.replace(" and ", ", ");
        literals.extend(names.split(", ").map(|name| format!("{not}{name}")));
    }
    Some(literals.join(" & "))
}
