//! VLTL: whether a trace satisfies a formula; and what a sentence means, by what its forms mean.

use crate::json::Json;
use crate::{ltl::Named, refuted_if, spend, unknown, unknown_if, words::Words, Fail};
use std::collections::{BTreeMap, HashMap};

pub fn check(prompt: &str, target: &str, proof: &Json) -> Result<(), Fail> {
    let words = Words::new(include_str!("../../harness_proof/prompts/vltl.txt"), prompt).read(prompt)?;
    if words.has("verify") {
        return check_verdict(&words, target);
    }
    let (mut sentence, mut actions) = (words.value("requirement").to_string(), Vec::new());
    if !words.has("translate") {
        (sentence, actions) = lift(&words, &sentence, &proof.get("words")?)?;
        refuted_if(proof.get::<String>("scenario")? != words.value("scenario"), "words of another scenario")?;
    }
    if words.has("named") {
        let listed = Listed::read(&words).ok_or(unknown("a list of actions of another form"))?;
        refuted_if(!actions.iter().all(|action| listed.has(action)), "an action is not in the list")?;
    }
    let called = with_agent(&words, &sentence, &proof.get::<String>("agent")?)?;
    let mut named = Named::new(words.has("finite"));
    let means = meaning(&words, &called, &actions, &mut named)?;
    let right = if words.has("lift") {
        target == sentence
    } else if words.has("ground") {
        let pairs = actions.iter().zip(1..).map(|(action, n)| format!("\"prop_{n}\": \"{action}\""));
        let object = format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "));
        target == object && words.value("lifted") == sentence
    } else {
        let label = read_formula(&words, target, &mut named, &HashMap::new())?;
        // Twice negated, a formula has its negations at its atoms.
        let mut plain = |place| {
            let negated = named.formulas.negate(place);
            named.formulas.negate(negated)
        };
        plain(label) == plain(means)
    };
    refuted_if(!right, "the label is not what the sentence says")
}

/// The place of a formula, in which some names stand for other formulas.
fn read_formula<'a>(
    words: &Words,
    text: &'a str,
    named: &mut Named<'a>,
    meant: &HashMap<&str, u32>,
) -> Result<u32, Fail> {
    let signs = words.pattern("token").split(text).filter(|_| text.len() <= 5000);
    let place = signs.and_then(|signs| named.parse(&signs, meant));
    place.ok_or(unknown("a formula that is not known, or is open"))
}

fn check_verdict(words: &Words, target: &str) -> Result<(), Fail> {
    let finite = words.has("finite");
    let mut named = Named::new(finite);
    let root = read_formula(words, words.value("formula"), &mut named, &HashMap::new())?;
    let (steps, back) = read_trace(words, words.value("trace"), finite).ok_or(unknown("a trace of another form"))?;
    spend(named.names.len().saturating_mul(words.value("trace").len()))?;
    let is = |atom: u32, t: usize| steps[t].contains(&named.names[atom as usize]);
    let holds = named.formulas.truth(root, steps.len(), back, is)?[0];
    refuted_if(target != if holds { "satisfied" } else { "violated" }, "the label is wrong")
}

/// The sentence with propositions in place of words, and their actions, by first mention.
fn lift(words: &Words, sentence: &str, told: &BTreeMap<String, (String, Json)>) -> Result<(String, Vec<String>), Fail> {
    let pattern = words.pattern("words");
    let plain = told.keys().all(|text| pattern.fit(&text.to_lowercase()).is_some());
    unknown_if(!plain || sentence.contains("prop_"), "words of forms, or propositions in the sentence")?;
    let (mut lifted, mut actions, mut rest) = (String::new(), Vec::<String>::new(), sentence);
    while let Some(next) = rest.chars().next() {
        spend(told.len())?;
        let longest = told.iter().filter(|(text, _)| rest.starts_with(*text)).max_by_key(|(text, _)| text.len());
        let Some((text, (action, _))) = longest else {
            lifted.push(next);
            rest = &rest[next.len_utf8()..];
            continue;
        };
        let known = actions.iter().position(|known| known == action).unwrap_or(actions.len());
        actions.extend(Some(action.clone()).filter(|_| known == actions.len()));
        lifted += &format!("prop_{}", known + 1);
        rest = &rest[text.len()..];
    }
    Ok((lifted, actions))
}

/// The sentence with "the agent" for who acts.
fn with_agent(words: &Words, sentence: &str, agent: &str) -> Result<String, Fail> {
    unknown_if(words.pattern("agent").fit(agent).is_none(), "words of forms in the agent")?;
    let (who, letter) = (format!("he {agent}"), |c: char| c.is_alphanumeric() || c == '_');
    let (mut called, mut done) = (String::new(), 0);
    for (at, _) in sentence.match_indices(&who) {
        let before = sentence[..at].strip_suffix(['t', 'T']);
        let whole = before.is_some_and(|before| !before.ends_with(letter));
        if whole && at >= done && !sentence[at + who.len()..].starts_with(letter) {
            called += &sentence[done..at];
            called += "he agent";
            done = at + who.len();
        }
    }
    Ok(called + &sentence[done..])
}

/// What each form means: what stands behind the last = of its line.
fn forms(words: &Words) -> HashMap<&'static str, &'static str> {
    let rows = |file: &'static str| {
        let row = |line: &'static str| Some((line.split_once('=')?.0, line.rsplit_once('=')?.1));
        file.lines().filter_map(row)
    };
    let every = rows(include_str!("../../harness_proof/prompts/vltl_forms.txt"));
    let mut means: HashMap<_, _> = every.filter(|row| !words.has("finite") || !row.1.contains('X')).collect();
    if words.has("finite") {
        means.extend(rows(include_str!("../../harness_proof/prompts/vltl_forms_finite.txt")));
    } else if words.has("timed") || !words.has("fixed") {
        means.extend(rows(include_str!("../../harness_proof/prompts/vltl_forms_timed.txt")));
    }
    means
}

/// The formula of a lifted sentence: that of its first piece, in which those of later ones stand.
fn meaning<'a>(words: &Words, sentence: &'a str, actions: &'a [String], named: &mut Named<'a>) -> Result<u32, Fail> {
    let (cuts, last) = words.pattern("defines").places(sentence);
    let texts = cuts.iter().map(|(text, _)| *text).chain([last]);
    let names = [""].into_iter().chain(cuts.iter().map(|(_, groups)| groups[0]));
    let pieces: Vec<(&str, &str)> = names.zip(texts).collect();
    let (means, mention) = (forms(words), words.pattern("mention"));
    let mut formulas: HashMap<&str, u32> = HashMap::new();
    for (name, text) in pieces.into_iter().rev() {
        let (found, rest) = mention.places(text);
        let (mut form, mut places) = (String::new(), Vec::new());
        for (before, groups) in found {
            let place = groups[usize::from(groups[0].is_empty())];
            let known = places.iter().position(|known| *known == place).unwrap_or(places.len());
            places.extend(Some(place).filter(|_| known == places.len()));
            form += &format!("{before}[{}]", ["P", "Q", "R", "?"][known.min(3)]);
        }
        form += rest;
        let (form, formula) = means.get_key_value(&*form).ok_or(unknown("a form that is not known"))?;
        spend(form.len())?;
        let mut meant = HashMap::new();
        for (letter, place) in ["p", "q", "r"].into_iter().zip(places) {
            let number = place.strip_prefix("prop_").and_then(|number| number.parse::<usize>().ok());
            let atom = number.map(|n| actions.get(n - 1).map_or(place, |action| action));
            let part = match atom {
                Some(atom) => read_formula(words, atom, named, &HashMap::new())?,
                None => *formulas.get(place).ok_or(unknown("a condition that no later piece defines"))?,
            };
            meant.insert(letter, part);
        }
        let whole = read_formula(words, formula, named, &meant)?;
        unknown_if(formulas.insert(name, whole).is_some(), "a condition is defined twice")?;
    }
    Ok(formulas[""])
}

/// The actions that a prompt lists: of each the kinds of its slots; of each kind lists, one word of each joined by _.
struct Listed<'a> {
    actions: BTreeMap<&'a str, Vec<&'a str>>,
    kinds: BTreeMap<&'a str, Vec<Vec<&'a str>>>,
}

impl<'a> Listed<'a> {
    fn read(words: &Words<'a>) -> Option<Listed<'a>> {
        let mut blocks = words.value("actions").split("\nValues of ");
        let (line, combined) = (words.pattern("listed"), words.pattern("combined"));
        let mut actions = BTreeMap::new();
        for text in blocks.next()?.split('\n') {
            let groups = line.fit(text)?;
            actions.insert(groups[0], groups[1].split(',').filter(|slot| !slot.is_empty()).collect());
        }
        let mut kinds = BTreeMap::new();
        for (kind, said) in blocks.map(|block| block.split_once(':').unwrap_or((block, ""))) {
            let lists: Vec<Vec<&str>> = if let Some(lines) = said.strip_prefix('\n') {
                let value = |line: &'a str| Some(line.strip_prefix("- ")?.split_once(':')?.0);
                vec![lines.split('\n').map(value).collect::<Option<_>>()?]
            } else if let Some(groups) = combined.fit(said) {
                let list = |part: &'a str| Some(part.split_once(')')?.0.split(", ").collect());
                groups[0].split('(').skip(1).map(list).collect::<Option<_>>()?
            } else {
                vec![said.trim_start().split(", ").collect()]
            };
            kinds.insert(kind, lists);
        }
        Some(Listed { actions, kinds })
    }

    fn has(&self, action: &str) -> bool {
        let (name, rest) = action.split_once('(').unwrap_or((action, ""));
        let values: Vec<&str> = rest.strip_suffix(')').map_or(Vec::new(), |values| values.split(',').collect());
        let slots = self.actions.get(name).filter(|slots| slots.len() == values.len());
        let is_one = |(slot, value): (&&str, &str)| self.kinds.get(slot).is_some_and(|lists| joined(value, lists));
        slots.is_some_and(|slots| rest.is_empty() == slots.is_empty() && slots.iter().zip(values).all(is_one))
    }
}

/// Whether a value is one word of each list, joined by _.
fn joined(value: &str, lists: &[Vec<&str>]) -> bool {
    match lists {
        [] => false,
        [last] => last.contains(&value),
        [first, lists @ ..] => {
            let left = |word: &&str| value.strip_prefix(*word).and_then(|rest| rest.strip_prefix('_'));
            first.iter().filter_map(left).any(|rest| joined(rest, lists))
        }
    }
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
