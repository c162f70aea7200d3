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
use Fail::{Refuted, Unknown};

/// Why an item is not proved.
pub enum Fail {
    /// The certificate does not prove the label.
    Refuted(&'static str),
    /// The prompt or the certificate is of a form or size that is not known here.
    Unknown(&'static str),
}

pub type Check<T = ()> = Result<T, Fail>;

impl Fail {
    pub fn when(self, wrong: bool) -> Check {
        (!wrong).then_some(()).ok_or(self)
    }
}

thread_local! {
    /// What the item may still cost, in elementary steps: no input may keep the checker busy for long.
    static LEFT: Cell<usize> = const { Cell::new(0) };
}

pub fn spend(steps: usize) -> Check {
    let left = LEFT.get().checked_sub(steps);
    LEFT.set(left.unwrap_or(0));
    Unknown("too much work").when(left.is_none())
}

/// Checks one line of a file.
fn check(line: &[u8]) -> Check {
    Unknown("too long").when(line.len() > 2_000_000)?;
    let record = std::str::from_utf8(line).ok().and_then(json::parse).ok_or(Unknown("not JSON"))?;
    let (plugin, prompt, target): (String, String, String) =
        (record.get("plugin")?, record.get("prompt")?, record.get("target")?);
    let proof = record.get("proof")?;
    Unknown("too long").when(prompt.len() > 200_000)?;
    Unknown("no certificate").when(!matches!(proof, json::Json::Obj(_)))?;
    LEFT.set(50_000_000);
    spend(prompt.len())?;
    let check = match &*plugin {
        "ltlbench" => ltlbench::check,
        "vltl" => vltl::check,
        "tempobench" => tempobench::check,
        "timepuzzles" => timepuzzles::check,
        _ => return Err(Unknown("another benchmark")),
    };
    let found = check(&prompt, &target, &proof);
    // What an expression fits is not known for certain once the steps are used up.
    spend(1)?;
    found
}

/// Checks a file, says a line of each item, and of all how many; returns whether it has items and all are proved.
fn file(name: &OsStr) -> std::io::Result<bool> {
    let (bytes, mut counts, mut out) = (std::fs::read(name)?, [0; 3], String::new());
    for line in bytes.split_inclusive(|&b| b == b'\n') {
        let (kind, says, why) = match check(line) {
            Ok(()) => (0, "proved", ""),
            Err(Refuted(why)) => (1, "refuted: ", why),
            Err(Unknown(why)) => (2, "not checkable: ", why),
        };
        counts[kind] += 1;
        out += &format!("{says}{why}\n");
    }
    let ([proved, wrong, rest], items) = (counts, counts.iter().sum::<usize>());
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
