//! The machines of TempoBench, in each of the three notations.

use crate::{ltl::Formulas, spend, words::Pattern, words::Words, Check, Fail::Unknown};
use std::collections::{BTreeSet, HashMap};

pub struct Machine<'a> {
    pub inputs: Vec<&'a str>,
    pub outputs: Vec<&'a str>,
    pub start: usize,
    /// Of each state, by the inputs, of each line that fits the outputs and the state that follows.
    pub states: HashMap<usize, Vec<Vec<(u64, usize)>>>,
    /// The states that follow some step with these outputs.
    by_outputs: HashMap<u64, BTreeSet<usize>>,
}

/// The values of literals such as `u & !v`, by the places of their names; those named are those with a bit set.
pub fn literals(text: &str, names: &[&str], named: u64) -> Option<u64> {
    let (mut parts, mut values) = (text.split(" & "), 0);
    for (i, name) in names.iter().enumerate().filter(|(i, _)| named >> i & 1 == 1) {
        let part = parts.next()?;
        values |= u64::from(part == *name) << i;
        (part.strip_prefix('!').unwrap_or(part) == *name).then_some(())?;
    }
    parts.next().is_none().then_some(values)
}

impl<'a> Machine<'a> {
    pub fn read(words: &Words<'a>) -> Check<Machine<'a>> {
        let list = |name| words.value(name).split(", ").collect::<Vec<&str>>();
        let (inputs, outputs) = (list("inputs"), list("outputs"));
        let all = [&inputs[..], &outputs[..]].concat();
        let different = all.iter().collect::<BTreeSet<_>>().len();
        Unknown("inputs and outputs").when(different < all.len() || inputs.len() > 12 || outputs.len() > 60)?;
        let (start, lines) = read_lines(words, &all, inputs.len()).ok_or(Unknown("a line of the machine"))?;
        let mut machine = Machine { inputs, outputs, start, states: HashMap::new(), by_outputs: HashMap::new() };
        let pattern = Pattern::new(r"\w+|[!&|()]");
        for (state, label, next) in lines {
            let mut signs = pattern.split(&label).ok_or(Unknown("a label"))?;
            for sign in signs.iter_mut().filter(|_| words.has("numbers")) {
                // A number that stands for no name is no sign of a label.
                *sign = sign.parse().map_or(*sign, |number: usize| all.get(number).unwrap_or(&"?"));
            }
            let (outputs, fits) = machine.read_label(&signs, &all)?;
            let steps = machine.states.entry(state).or_insert_with(|| vec![Vec::new(); fits.len()]);
            for (steps, _) in steps.iter_mut().zip(fits).filter(|(_, fits)| *fits) {
                steps.push((outputs, next));
                machine.by_outputs.entry(outputs).or_default().insert(next);
            }
        }
        let steps = || machine.states.values().flatten();
        Unknown("an unknown state").when(steps().flatten().any(|step| !machine.states.contains_key(&step.1)))?;
        let kept = words.has("kept");
        Unknown("not exactly one line of a state fits").when(kept && steps().any(|steps| steps.len() != 1))?;
        Ok(machine)
    }

    /// The outputs that a label such as `(u | !v)&g&!h` says, and by the inputs whether it fits.
    fn read_label(&self, signs: &[&str], all: &[&str]) -> Check<(u64, Vec<bool>)> {
        let (mut formulas, inputs) = (Formulas::default(), self.inputs.len());
        let root = formulas.read(signs).ok_or(Unknown("a label"))?;
        let place = |name: &&str| all.iter().position(|known| known == name);
        let places: Option<Vec<usize>> = formulas.names.iter().map(place).collect();
        let places = places.ok_or(Unknown("a label with an unknown name"))?;
        // The outputs are literals of the whole conjunction; all else is about inputs.
        let (mut parts, mut said) = (vec![root], [0, 0]);
        while let Some(part) = parts.pop() {
            let (op, a, b) = formulas.nodes[part];
            let (kind, atom, _) = if op == '!' { formulas.nodes[a] } else { (op, a, b) };
            if op == '&' {
                parts.extend([a, b]);
            } else if kind == 'a' && places[atom] >= inputs {
                said[usize::from(op == 'a')] |= 1 << (places[atom] - inputs);
            }
        }
        let [no, yes]: [u64; 2] = said;
        let once = no & yes == 0 && (no | yes).count_ones() as usize == self.outputs.len();
        Unknown("a label does not say all outputs, or one twice").when(!once)?;
        // Each value of the inputs is a moment of a path: so all of them are tried at once.
        let is = |atom: usize, values| (values as u128 | u128::from(yes) << inputs) >> places[atom] & 1 == 1;
        Ok((yes, formulas.truth(root, 1 << inputs, 0, is)?))
    }

    /// The outputs in a state with some inputs, and the states that may follow. With `kept`, outputs may be replaced by
    /// their values there; if that changes them, a state follows that follows some step with what results.
    pub fn step(&self, state: usize, inputs: u64, kept: Option<&u64>) -> Check<(u64, BTreeSet<usize>)> {
        spend(1)?;
        let steps = self.states.get(&state).map_or(&[][..], |steps| &steps[inputs as usize]);
        let [(outputs, next)] = *steps else { return Err(Unknown("not exactly one line of a state fits")) };
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

/// A line of a machine: its state, its label as HOA writes it with names, and the state that follows.
type Line = (usize, String, usize);

/// A line that fits if the inputs are in one of these ways, if there are any.
fn line(state: &str, ways: &str, outputs: &str, next: &str) -> Option<Line> {
    let ways = if ways.is_empty() { String::new() } else { format!("({ways}) & ") };
    Some((state.parse().ok()?, ways + outputs, next.parse().ok()?))
}

/// The first state, and the lines.
fn read_lines(words: &Words, names: &[&str], inputs: usize) -> Option<(usize, Vec<Line>)> {
    let (mut text, mut start, mut states) = (words.value("machine"), words.value("start"), None);
    let mut form = "described";
    if words.has("hoa") {
        let [count, first, all, quoted, outputs, body] = words.pattern("hoa").fit(text)?[..] else { return None };
        let said: String = names.iter().map(|name| format!(" \"{name}\"")).collect();
        let numbers: String = (inputs..names.len()).map(|n| format!(" {n}")).collect();
        (all == names.len().to_string() && quoted == said && outputs == numbers).then_some(())?;
        (form, text, start, states) = ("line", body, first, Some(count));
    } else if words.has("table") {
        (form, text) = ("row", words.pattern("table").fit(text)?[0]);
    }
    let (pattern, sentence) = (words.pattern(form), words.pattern("sentence"));
    let (mut state, mut seen, mut lines) = ("", BTreeSet::new(), Vec::new());
    for text in text.lines() {
        match pattern.fit(text)?[..] {
            [head, "", _] => {
                state = head;
                seen.insert(head);
            }
            [_, label, next] => lines.push(line(state, "", label, next)?),
            [state, inputs, outputs, next] => {
                let ways = if inputs == "any" { "" } else { &inputs.replace(" or ", " | ") };
                lines.push(line(state, ways, outputs, next)?);
            }
            [state, sentences] => {
                for text in sentences.split_inclusive(". ") {
                    let [inputs, outputs, next] = sentence.fit(text.trim_end())?[..] else { return None };
                    let ways = inputs.split(", or if ").filter(|_| !inputs.is_empty()).map(spoken);
                    let ways = ways.collect::<Option<Vec<_>>>()?.join(" | ");
                    lines.push(line(state, &ways, &spoken(outputs)?, next)?);
                }
            }
            _ => return None,
        }
    }
    states.is_none_or(|count| count == seen.len().to_string()).then_some((start.parse().ok()?, lines))
}

/// The label for words such as `u, v and w are true and x is false`.
fn spoken(text: &str) -> Option<String> {
    let (yes, no) = match text.strip_suffix(" false") {
        Some(text) => text.split_once(" true and ").unwrap_or(("", text)),
        None => (text.strip_suffix(" true")?, ""),
    };
    let mut literals = Vec::new();
    for (list, not) in [(yes, ""), (no, "!")].iter().filter(|(list, _)| !list.is_empty()) {
        let names = list.strip_suffix(" is").or(list.strip_suffix(" are"))?.replace(" and ", ", ");
        literals.extend(names.split(", ").map(|name| format!("{not}{name}")));
    }
    Some(literals.join(" & "))
}
