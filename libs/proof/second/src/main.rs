//! Decides from prompt, label and certificate whether labels are right: an independent second checker.

mod calendar;
mod json;
mod ltl;
mod ltlbench;
mod machine;
mod tempobench;
mod timepuzzles;
mod vltl;
mod walks;
mod whole;
mod words;

use std::{cell::Cell, ffi::OsStr, process::ExitCode};

/// Why an item is not proved.
pub enum Fail {
    /// The certificate does not prove the label.
    Refuted(String),
    /// The prompt or the certificate is of a form or size that is not known here.
    Unknown(String),
}

pub fn refuted(why: impl Into<String>) -> Fail {
    Fail::Refuted(why.into())
}

pub fn unknown(why: impl Into<String>) -> Fail {
    Fail::Unknown(why.into())
}

pub fn refuted_if(wrong: bool, why: &str) -> Result<(), Fail> {
    (!wrong).then_some(()).ok_or_else(|| refuted(why))
}

pub fn unknown_if(wrong: bool, why: &str) -> Result<(), Fail> {
    (!wrong).then_some(()).ok_or_else(|| unknown(why))
}

thread_local! {
    /// What the item may still cost, in elementary steps: no input may keep the checker busy for long.
    static LEFT: Cell<usize> = const { Cell::new(0) };
}

pub fn spend(steps: usize) -> Result<(), Fail> {
    let left = LEFT.get().checked_sub(steps);
    LEFT.set(left.unwrap_or(0));
    unknown_if(left.is_none(), "too much work")
}

/// Checks one line of a file.
fn check(line: &[u8]) -> Result<(), Fail> {
    unknown_if(line.len() > 2_000_000, "too long")?;
    let record = std::str::from_utf8(line).ok().and_then(json::parse).ok_or(unknown("not JSON"))?;
    let (prompt, target): (String, String) = (record.get("prompt")?, record.get("target")?);
    let proof = record.get("proof")?;
    unknown_if(prompt.len() > 200_000, "too long")?;
    unknown_if(!matches!(proof, json::Json::Obj(_)), "no certificate")?;
    LEFT.set(50_000_000);
    spend(prompt.len())?;
    match &*record.get::<String>("plugin")? {
        "ltlbench" => ltlbench::check(&prompt, &target, &proof),
        "vltl" => vltl::check(&prompt, &target, &proof),
        "tempobench" => tempobench::check(&prompt, &target, &proof),
        "timepuzzles" => timepuzzles::check(&prompt, &target, &proof),
        _ => Err(unknown("another benchmark")),
    }
}

/// Checks a file, says a line of each item, and of all how many; returns whether it has items and all are proved.
fn file(name: &OsStr) -> Result<bool, std::io::Error> {
    let bytes = std::fs::read(name)?;
    let (mut counts, mut out) = ([0; 3], String::new());
    for line in bytes.split_inclusive(|&b| b == b'\n') {
        let (kind, says) = match check(line) {
            Ok(()) => (0, "proved".to_string()),
            Err(Fail::Refuted(why)) => (1, format!("refuted: {why}")),
            Err(Fail::Unknown(why)) => (2, format!("not checkable: {why}")),
        };
        counts[kind] += 1;
        // A reason may quote the prompt: it has to stay on its line.
        out += &(says.replace(char::is_control, " ") + "\n");
    }
    let [proved, wrong, rest] = counts;
    let items = proved + wrong + rest;
    // A reader that has gone away is no reason to panic.
    let _ = std::io::Write::write_all(&mut std::io::stdout(), out.as_bytes());
    eprintln!("{}: {items} items: {proved} proved, {wrong} refuted, {rest} not checkable", name.display());
    Ok(items > 0 && items == proved)
}

fn main() -> ExitCode {
    let names = std::env::args_os().skip(1);
    let found = names.map(|name| match file(&name) {
        Ok(proved) => u8::from(!proved),
        Err(why) => {
            eprintln!("{}: {why}", name.display());
            2
        }
    });
    found.max().map(ExitCode::from).unwrap_or_else(|| {
        eprintln!("usage: harness-proof-second FILE.jsonl ...");
        ExitCode::from(2)
    })
}
