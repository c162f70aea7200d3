//! Prompts as forms: rows of which each says when it has to stand, and has slots for what differs.

use std::collections::{BTreeSet, HashMap};

/// What a prompt says: the marks of its rows, and the lines, mostly one, that stand in each slot.
#[derive(Default)]
pub struct Said<'a> {
    marks: BTreeSet<&'static str>,
    slots: HashMap<&'static str, Vec<&'a str>>,
}

/// Reads a prompt by a form. A row `a -b|text` stands just if the mark a is set and b is not; `+c|text` sets the mark c;
/// `?c|text` may stand, and sets c if it does. A slot such as `{x}` is the same wherever it is named; a row `{x*}` takes
/// all lines up to a blank one or to `--END--`.
pub fn read<'a>(form: &'static str, prompt: &'a str) -> Option<Said<'a>> {
    let lines: Vec<&str> = prompt.strip_suffix('\n').unwrap_or(prompt).split('\n').collect();
    let (mut said, mut at) = (Said::default(), 0);
    for row in form.lines() {
        let (words, text) = row.split_once('|')?;
        let words: Vec<&str> = words.split_whitespace().collect();
        let due = |word: &&str| match word.strip_prefix('-') {
            Some(mark) => !said.has(mark),
            None => word.starts_with(['?', '+']) || said.has(word),
        };
        if !words.iter().all(due) {
            continue;
        }
        if let Some(slot) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix("*}")) {
            let block = lines[at..].iter().take_while(|line| !line.is_empty() && **line != "--END--");
            said.slots.insert(slot, block.copied().collect());
            at += said.slots[slot].len();
        } else if let Some(found) = said.fit(text, lines.get(at)?) {
            said.slots.extend(found);
            said.marks.extend(words.iter().filter_map(|word| word.strip_prefix(['?', '+'])));
            at += 1;
        } else if !words.iter().any(|word| word.starts_with('?')) {
            return None;
        }
    }
    (at == lines.len()).then_some(said)
}

impl<'a> Said<'a> {
    pub fn has(&self, mark: &str) -> bool {
        self.marks.contains(mark)
    }

    pub fn lines(&self, slot: &str) -> &[&'a str] {
        self.slots.get(slot).map_or(&[], |lines| lines)
    }

    /// What stands in a slot of one line; nothing if the row does not stand.
    pub fn slot(&self, slot: &str) -> &'a str {
        self.lines(slot).first().copied().unwrap_or("")
    }

    /// What stands in the slots of a row, if the line fits it.
    fn fit(&self, text: &'static str, line: &'a str) -> Option<HashMap<&'static str, Vec<&'a str>>> {
        let mut found: HashMap<&str, Vec<&str>> = HashMap::new();
        let (before, slots) = text.split_once('{').unwrap_or((text, ""));
        let mut rest = line.strip_prefix(before)?;
        for part in slots.split_terminator('{') {
            let (slot, then) = part.split_once('}')?;
            let end = if then.is_empty() { rest.len() } else { rest.find(then)? };
            let known = self.slots.get(slot).or(found.get(slot));
            if known.is_some_and(|known| known[..] != [&rest[..end]]) {
                return None;
            }
            found.insert(slot, vec![&rest[..end]]);
            rest = &rest[end + then.len()..];
        }
        rest.is_empty().then_some(found)
    }
}
