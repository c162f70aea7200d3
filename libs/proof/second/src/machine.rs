//! The machines of TempoBench, in each of the three notations.

use crate::form::Said;
use crate::{ltl, number, spend, unknown_if, Fail, Need};
use std::collections::{BTreeSet, HashMap};

/// Words of prompts that no input and no output may have for a name.
const WORDS: [&str; 11] = ["and", "any", "are", "false", "if", "is", "not", "or", "the", "then", "true"];

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

/// The values of literals in a list of all names in their order, with what stands between them and before a false one.
pub fn literals(text: &str, between: &str, not: &str, names: &[&str]) -> Option<u64> {
    let parts: Vec<&str> = text.split(between).collect();
    let named = |(part, name): (&&str, &&str)| part.strip_prefix(not).unwrap_or(part) == *name;
    let fine = parts.len() == names.len() && parts.iter().zip(names).all(named);
    let values = parts.iter().enumerate().map(|(i, part)| u64::from(!part.starts_with(not)) << i);
    fine.then(|| values.sum())
}

impl<'a> Machine<'a> {
    pub fn read(said: &Said<'a>) -> Result<Machine<'a>, Fail> {
        let list = |slot| said.slot(slot).split(", ").collect::<Vec<&str>>();
        let (inputs, outputs) = (list("inputs"), list("outputs"));
        let all = [&inputs[..], &outputs[..]].concat();
        let fine = all.iter().all(|name| ltl::is_atom(name) && !name.contains('(') && !WORDS.contains(name));
        let different = all.iter().collect::<BTreeSet<_>>().len();
        unknown_if(!fine || different < all.len() || inputs.len() > 12 || all.len() > 72, "inputs and outputs")?;
        let quoted: String = all.iter().map(|name| format!(" \"{name}\"")).collect();
        let numbers: Vec<String> = (inputs.len()..all.len()).map(|n| n.to_string()).collect();
        let right = said.slot("names") == format!("{}{quoted}", all.len()) && said.slot("numbers") == numbers.join(" ");
        unknown_if(said.has("hoa") && !right, "the head of the machine")?;
        let lines = said.lines("machine").iter();
        let lines: Option<Vec<Vec<Line>>> = match ["hoa", "table", "prose"].map(|mark| said.has(mark)) {
            [true, ..] => read_hoa(lines.as_slice(), said.has("numbered").then_some(&all)).map(|lines| vec![lines]),
            [_, true, _] => lines.map(|line| Some(vec![read_row(line)?])).collect(),
            _ => lines.map(|line| read_sentences(line, &outputs)).collect(),
        };
        let start = number(said.slot("start")).or_unknown("the initial state")?;
        let mut machine = Machine { inputs, outputs, start, states: HashMap::new(), by_outputs: HashMap::new() };
        for (state, label, next) in lines.or_unknown("a line of the machine")?.concat() {
            let (outputs, fits) = machine.read_label(&label)?;
            let steps = machine.states.entry(state).or_insert_with(|| vec![Vec::new(); fits.len()]);
            steps.iter_mut().zip(fits).filter(|(_, fits)| *fits).for_each(|(steps, _)| steps.push((outputs, next)));
        }
        let there = |step: &Step| machine.states.contains_key(&step.1);
        let all = machine.states.values().flatten().flatten().all(there);
        let count = !said.has("hoa") || said.slot("states") == machine.states.len().to_string();
        unknown_if(!all || !count, "the machine has not the states that it says")?;
        for steps in machine.states.values().flatten().filter(|_| said.has("kept")) {
            unknown_if(steps.len() != 1, "not exactly one line of a state fits")?;
            machine.by_outputs.entry(steps[0].0).or_default().insert(steps[0].1);
        }
        Ok(machine)
    }

    /// The outputs that a label such as `(u | !v)&g&!h` says, and by the inputs whether it fits.
    fn read_label(&self, label: &str) -> Result<(u64, Vec<bool>), Fail> {
        // The reader of formulas knows more than labels may have.
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_!&| ()".contains(&b);
        unknown_if(!label.bytes().all(plain), "a label")?;
        let (formulas, root, names) = ltl::parse(label).or_unknown("a label")?;
        // All outputs stand at the end, each with its value, and the whole is joined by `and`.
        let outputs = label.rsplitn(self.outputs.len() + 1, '&').take(self.outputs.len()).collect::<Vec<_>>();
        let outputs = outputs.into_iter().rev().collect::<Vec<_>>().join("&");
        let place = |list: &[&str], name: &str| list.iter().position(|n| *n == name);
        let known = |name: &&str| place(&self.inputs, name).or(place(&self.outputs, name)).is_some();
        let values = literals(&outputs, "&", "!", &self.outputs);
        let values = values.filter(|_| names.iter().all(known) && formulas.nodes[root as usize].0 != '|');
        let values = values.or_unknown("a label does not say all outputs")?;
        // Each value of the inputs is a moment of a path: so all of them are tried at once.
        let is = |atom: u32, inputs: usize| match place(&self.inputs, names[atom as usize]) {
            Some(i) => inputs >> i & 1 == 1,
            None => place(&self.outputs, names[atom as usize]).is_some_and(|o| values >> o & 1 == 1),
        };
        Ok((values, formulas.truth(root, 1 << self.inputs.len(), 0, is)?))
    }

    /// The outputs in a state with some inputs, and the states that may follow. With `kept`, outputs may be replaced by
    /// their values there; if that changes them, a state follows that follows some step with what results.
    pub fn step(&self, state: u32, inputs: u64, kept: Option<u64>) -> Result<(u64, BTreeSet<u32>), Fail> {
        spend(1)?;
        let steps = self.states.get(&state).map_or(&[][..], |steps| &steps[inputs as usize]);
        unknown_if(steps.len() != 1, "not exactly one line of a state fits")?;
        let (outputs, next) = steps[0];
        let mut after = BTreeSet::from([next]);
        for (mixed, states) in self.by_outputs.iter().filter(|_| kept.is_some()) {
            spend(1 + states.len())?;
            if *mixed != outputs && (mixed ^ outputs) & (mixed ^ kept.unwrap_or(0)) == 0 {
                after.extend(states);
            }
        }
        Ok((outputs, after))
    }
}

/// Lines in HOA; their labels have numbers instead of names if these are given.
fn read_hoa(lines: &[&str], names: Option<&Vec<&str>>) -> Option<Vec<Line>> {
    let (mut state, mut found) = (None, Vec::new());
    for line in lines {
        if let Some(name) = line.strip_prefix("State: ") {
            state = Some(number(name)?);
            continue;
        }
        let (label, next) = line.strip_prefix('[')?.split_once("] ")?;
        let mut text = String::new();
        for piece in label.split_inclusive(|c: char| !c.is_ascii_digit()).filter(|_| names.is_some()) {
            let sign = piece.trim_start_matches(|c: char| c.is_ascii_digit());
            let place = &piece[..piece.len() - sign.len()];
            text += if place.is_empty() { "" } else { names?.get(number(place)? as usize)? };
            text += Some(sign).filter(|sign| !sign.contains(char::is_alphanumeric))?;
        }
        found.push((state?, if names.is_some() { text } else { label.into() }, number(next)?));
    }
    Some(found)
}

/// A row of a table.
fn read_row(line: &str) -> Option<Line> {
    let columns: Vec<&str> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
    let [state, inputs, outputs, next] = columns[..] else { return None };
    let (any, plain) = (inputs == "any", !inputs.contains(['(', ')', '|']));
    let inputs = if any { String::new() } else { format!("({})&", inputs.replace(" or ", " | ")) };
    Some((number(state)?, inputs + &outputs.replace(" & ", "&"), number(next)?)).filter(|_| plain)
}

/// The sentences on a state.
fn read_sentences(line: &str, outputs: &[&str]) -> Option<Vec<Line>> {
    let (state, rest) = line.strip_prefix("In state ")?.split_once(": ")?;
    let sentence = |sentence: &str| {
        let (inputs, then) = match sentence.strip_prefix("Whatever the inputs, ") {
            Some(then) => (String::new(), then),
            None => {
                let (inputs, then) = sentence.strip_prefix("If ")?.split_once(", then ")?;
                let inputs = inputs.split(", or if ").map(|part| Some(read_words(part)?.join("&")));
                (format!("({})&", inputs.collect::<Option<Vec<_>>>()?.join(" | ")), then)
            }
        };
        let (words, next) = then.split_once(", and the next state is ")?;
        let mut all = read_words(words)?;
        all.sort_by_key(|part| outputs.iter().position(|name| *name == part.trim_start_matches('!')));
        Some((number(state)?, inputs + &all.join("&"), number(next)?))
    };
    rest.strip_suffix('.')?.split(". ").map(sentence).collect()
}

/// The literals that are said in words such as `u, v and w are true and x is false`.
fn read_words(text: &str) -> Option<Vec<String>> {
    let (mut found, mut open, mut written) = (Vec::new(), Vec::new(), Vec::new());
    for word in text.replace(',', "").split(' ') {
        match word {
            "and" | "is" | "are" => {}
            "true" | "false" => {
                let not = if word == "true" { "" } else { "!" };
                found.extend(open.iter().map(|name| format!("{not}{name}")));
                let verb = if open.len() == 1 { "is" } else { "are" };
                written.push(format!("{} {verb} {word}", open.join(", ")));
                open.clear();
            }
            name => open.push(name.to_string()),
        }
    }
    // What is understood has to be written just so: `u, v and w`.
    let lists = written.iter().map(|list| match list.rsplit_once(", ") {
        Some((most, last)) => format!("{most} and {last}"),
        None => list.clone(),
    });
    (lists.collect::<Vec<String>>().join(" and ") == text && open.is_empty()).then_some(found)
}
