//! VLTL: whether a trace satisfies a formula. Nothing but the prompt is needed.

use crate::ltl::{is_atom, parse};
use crate::{number, refuted_if, spend, unknown_if, Fail, Need};

const BEGIN: &str = "Task: decide whether a trace satisfies a formula of linear temporal logic (LTL).\nFormula: ";
const END: &str = include_str!("prompts/vltl_end.txt");

pub fn check(prompt: &str, target: &str) -> Result<(), Fail> {
    let text = prompt.strip_suffix('\n').unwrap_or(prompt);
    let middle = text.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(END.trim_end()));
    let parts = middle.and_then(|rest| rest.strip_suffix('\n')?.split_once("\nTrace:\n"));
    let (formula, trace) = parts.or_unknown("the prompt is built otherwise")?;
    let (formulas, root, names) = parse(formula).or_unknown("a formula that is not known, or is open")?;
    let (steps, back) = read_trace(trace)?;
    spend(names.len().saturating_mul(trace.len()))?;
    let is = |atom: u32, t: usize| steps[t].contains(&names[atom as usize]);
    let holds = formulas.truth(root, steps.len(), back, is)?[0];
    refuted_if(target != if holds { "satisfied" } else { "violated" }, "the label is wrong")
}

/// What is true in each step, and the step (from 0) to which the last one goes back.
fn read_trace(text: &str) -> Result<(Vec<Vec<&str>>, usize), Fail> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let last = lines.pop().unwrap_or("");
    let mut steps = Vec::new();
    for line in lines {
        let names = line.strip_prefix(&format!("Step {}: ", steps.len() + 1)).unwrap_or("?");
        let names: Vec<&str> = if names == "nothing" { Vec::new() } else { names.split(", ").collect() };
        unknown_if(names.iter().any(|name| !is_atom(name)), &format!("a step: {line}"))?;
        steps.push(names);
    }
    let len = steps.len();
    let pair = match last.strip_prefix("After step ") {
        Some(rest) => {
            rest.strip_suffix(", again and again forever.").and_then(|r| r.split_once(" it goes back to step "))
        }
        None => last.strip_prefix("From step ").and_then(|rest| {
            let step = rest.strip_suffix(" on, the state stays as it is forever.")?;
            Some((step, step))
        }),
    };
    let pair = pair.and_then(|(from, to)| Some((number(from)? as usize, number(to)? as usize)));
    let (_, to) =
        pair.filter(|(from, to)| *from == len && (1..=len).contains(to)).or_unknown("how the trace goes on")?;
    Ok((steps, to - 1))
}
