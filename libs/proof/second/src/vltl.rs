//! VLTL: whether a trace satisfies a formula. Nothing but the prompt is needed.

use crate::{ltl, refuted_if, spend, unknown, words::Words, Fail};

pub fn check(prompt: &str, target: &str) -> Result<(), Fail> {
    let mut words = Words::new(include_str!("../../harness_proof/prompts/vltl.txt"), prompt);
    let finite = prompt.lines().next().unwrap_or("").split(' ').any(|word| word == "finite");
    words.holds.insert(if finite { "finite" } else { "infinite" });
    let words = words.read(prompt)?;
    let signs = words.pattern("token").split(words.value("formula")).filter(|_| words.value("formula").len() <= 5000);
    let parsed = signs.and_then(|signs| ltl::parse(&signs, finite));
    let (formulas, root, names) = parsed.ok_or(unknown("a formula that is not known, or is open"))?;
    let (steps, back) = read_trace(&words, words.value("trace"), finite).ok_or(unknown("a trace of another form"))?;
    spend(names.len().saturating_mul(words.value("trace").len()))?;
    let is = |atom: u32, t: usize| steps[t].contains(&names[atom as usize]);
    let holds = formulas.truth(root, steps.len(), back, is)?[0];
    refuted_if(target != if holds { "satisfied" } else { "violated" }, "the label is wrong")
}

/// What is true in each step, and the step (from 0) to which the last one goes back.
fn read_trace<'a>(words: &Words, text: &'a str, finite: bool) -> Option<(Vec<Vec<&'a str>>, usize)> {
    let (lines, last) = text.rsplit_once('\n')?;
    let pattern = words.pattern("state");
    let mut steps = Vec::new();
    for line in lines.split('\n') {
        let groups = pattern.fit(line)?;
        (groups[0] == (steps.len() + 1).to_string()).then_some(())?;
        let mut names: Vec<&str> = groups[1].split(", ").collect();
        if names == ["nothing"] {
            names.clear();
        }
        // In each step of a finite trace w is true, which has no name.
        names.extend(finite.then_some(""));
        steps.push(names);
    }
    let ends = words.pattern(if finite { "finite" } else { "infinite" }).fit(last)?;
    let numbers: Vec<usize> = ends.iter().filter_map(|group| group.parse().ok()).collect();
    let back = *numbers.last()?;
    if finite {
        steps.push(Vec::new());
    }
    let right = numbers[0] + usize::from(finite) == steps.len() && (1..=numbers[0]).contains(&back);
    right.then_some((steps, if finite { back } else { back - 1 }))
}
