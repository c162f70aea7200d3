//! VLTL: whether a trace satisfies a formula; and what a sentence means, by what its forms mean.

use crate::ltl::{number, Formulas};
use crate::words::{one_of, Pattern, Words};
use crate::{json::Json, spend, Check, Fail::Refuted, Fail::Unknown};
use std::collections::{BTreeMap, HashMap};

pub fn check(prompt: &str, target: &str, proof: &Json) -> Check {
    let words = Words::new(include_str!("../../harness_proof/prompts/vltl.txt"), prompt).read(prompt)?;
    if words.has("verify") {
        return check_verdict(&words, target);
    }
    let (mut sentence, mut actions) = (words.value("requirement").to_string(), Vec::new());
    if !words.has("translate") {
        (sentence, actions) = lift(&words, &sentence, &proof.get("words")?)?;
        Refuted("words of another scenario").when(proof.get::<String>("scenario")? != words.value("scenario"))?;
    }
    if words.has("named") {
        let listed = listed(&words).ok_or(Unknown("a list of actions of another form"))?;
        Refuted("an action is not in the list").when(!actions.iter().all(|action| listed.fit(action).is_some()))?;
    }
    let means = meaning(&words, &with_agent(&words, &sentence, &proof.get::<String>("agent")?)?, &actions)?;
    let mut formulas = Formulas { finite: words.has("finite"), ..Formulas::default() };
    let means = read_formula(&words, &means, &mut formulas)?;
    let right = if words.has("lift") {
        target == sentence
    } else if words.has("ground") {
        let pairs = actions.iter().zip(1..).map(|(action, n)| format!("\"prop_{n}\": \"{action}\""));
        let object = format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "));
        target == object && words.value("lifted") == sentence
    } else {
        Unknown("a label that is too long").when(target.len() > 5000)?;
        let label = read_formula(&words, target, &mut formulas)?;
        // Twice negated, a formula has its negations at its atoms.
        let [label, means] = [label, means].map(|place| {
            let negated = formulas.negate(place);
            formulas.negate(negated)
        });
        label == means
    };
    Refuted("the label is not what the sentence says").when(!right)
}

fn read_formula<'a>(words: &Words, text: &'a str, formulas: &mut Formulas<'a>) -> Check<usize> {
    let place = words.pattern("token").split(text).and_then(|signs| formulas.read(&signs));
    place.ok_or(Unknown("a formula that is not known, or is open"))
}

fn check_verdict(words: &Words, target: &str) -> Check {
    let (text, trace, finite) = (words.value("formula"), words.value("trace"), words.has("finite"));
    Unknown("a formula that is too long").when(text.len() > 5000)?;
    let mut formulas = Formulas { finite, ..Formulas::default() };
    let root = read_formula(words, text, &mut formulas)?;
    let (steps, back) = read_trace(words, trace, finite).ok_or(Unknown("a trace of another form"))?;
    spend(formulas.names.len().saturating_mul(trace.len()))?;
    let is = |atom: usize, t: usize| steps[t].contains(&formulas.names[atom]);
    let holds = formulas.truth(root, steps.len(), back, is)?[0];
    Refuted("the label is wrong").when(target != if holds { "satisfied" } else { "violated" })
}

/// The sentence with propositions in place of words, and their actions, by first mention.
fn lift(words: &Words, sentence: &str, told: &BTreeMap<String, (String, Json)>) -> Check<(String, Vec<String>)> {
    let pattern = words.pattern("words");
    let plain = told.keys().all(|text| pattern.fit(&text.to_lowercase()).is_some());
    Unknown("words of forms, or propositions in the sentence").when(!plain || sentence.contains("prop_"))?;
    let mut longest: Vec<&str> = told.keys().map(|text| &**text).collect();
    longest.sort_by_key(|text| std::cmp::Reverse(text.len()));
    let (found, rest) = Pattern::new(&one_of(longest.into_iter())).places(sentence);
    let (mut lifted, mut actions) = (String::new(), Vec::new());
    for (before, text, _) in found {
        lifted += &format!("{before}prop_{}", number(&mut actions, told[text].0.clone()) + 1);
    }
    Ok((lifted + rest, actions))
}

/// The sentence with "the agent" for who acts.
fn with_agent(words: &Words, sentence: &str, agent: &str) -> Check<String> {
    Unknown("words of forms in the agent").when(words.pattern("agent").fit(agent).is_none())?;
    let pattern = Pattern::new(&format!(r"([Tt])he {}\b", one_of([agent].into_iter())));
    let (found, rest) = pattern.places(sentence);
    let mut called = String::new();
    for (before, who, groups) in found {
        let within = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        called += before;
        called += &if within { who.to_string() } else { format!("{}he agent", groups[0]) };
    }
    Ok(called + rest)
}

/// What each form means: what stands behind the last = of its line.
fn forms(words: &Words) -> HashMap<&'static str, &'static str> {
    let means = |line: &'static str| Some((line.split_once('=')?.0, line.rsplit_once('=')?.1));
    let finite = words.has("finite");
    let more = match finite {
        true => include_str!("../../harness_proof/prompts/vltl_forms_finite.txt"),
        false if words.has("fixed") && !words.has("timed") => "",
        false => include_str!("../../harness_proof/prompts/vltl_forms_timed.txt"),
    };
    let every = include_str!("../../harness_proof/prompts/vltl_forms.txt").lines().filter_map(means);
    every.filter(|row| !finite || !row.1.contains('X')).chain(more.lines().filter_map(means)).collect()
}

/// The formula of a lifted sentence: that of its first piece, in which those of later ones stand.
fn meaning(words: &Words, sentence: &str, actions: &[String]) -> Check<String> {
    let (cuts, last) = words.pattern("defines").places(sentence);
    let texts = cuts.iter().map(|cut| cut.0).chain([last]);
    let pieces: Vec<(&str, &str)> = [""].into_iter().chain(cuts.iter().map(|cut| cut.2[0])).zip(texts).collect();
    let (forms, mention) = (forms(words), words.pattern("mention"));
    let mut formulas: HashMap<&str, String> = HashMap::new();
    for (name, text) in pieces.into_iter().rev() {
        let (found, rest) = mention.places(text);
        let (mut form, mut places) = (String::new(), Vec::new());
        for (before, _, groups) in found {
            let place = number(&mut places, groups[usize::from(groups[0].is_empty())]);
            form += &format!("{before}[{}]", ["P", "Q", "R", "?"][place.min(3)]);
        }
        let formula = forms.get(&*(form + rest)).ok_or(Unknown("a form that is not known"))?;
        let part = |place: &&str| {
            let number = place.strip_prefix("prop_").and_then(|number| number.parse::<usize>().ok());
            let action = number.map(|n| actions.get(n - 1).map_or(*place, |action| action));
            action.or(formulas.get(place).map(|formula| &**formula)).map(|formula| format!("({formula})"))
        };
        let parts = places.iter().map(part).collect::<Option<Vec<_>>>();
        let parts = parts.ok_or(Unknown("a condition that no later piece defines"))?;
        let sign = |sign: char| "pqr".find(sign).and_then(|i| parts.get(i).cloned()).unwrap_or(sign.to_string());
        let whole: String = formula.chars().map(sign).collect();
        Unknown("a formula that is too long").when(whole.len() > 100_000)?;
        Unknown("a condition is defined twice").when(formulas.insert(name, whole).is_some())?;
    }
    Ok(formulas.remove("").unwrap_or_default())
}

/// What fits the actions that a prompt lists: a name, and for each slot a value of its kind.
fn listed(words: &Words) -> Option<Pattern> {
    let mut blocks = words.value("actions").split("\nValues of ");
    let (lines, line, combined) = (blocks.next()?, words.pattern("listed"), words.pattern("combined"));
    let mut kinds = HashMap::new();
    for (kind, said) in blocks.map(|block| block.split_once(':').unwrap_or((block, ""))) {
        let values = if let Some(lines) = said.strip_prefix('\n') {
            let value = |line| Some(str::strip_prefix(line, "- ")?.split_once(':')?.0);
            one_of(lines.split('\n').map(value).collect::<Option<Vec<_>>>()?.into_iter())
        } else if let Some(groups) = combined.fit(said) {
            // One word of each list, joined by _.
            let list = |part| Some(one_of(str::split_once(part, ')')?.0.split(", ")));
            groups[0].split('(').skip(1).map(list).collect::<Option<Vec<_>>>()?.join(")_(?:")
        } else {
            one_of(said.trim_start().split(", "))
        };
        kinds.insert(kind, format!("(?:{values})"));
    }
    let mut actions = BTreeMap::new();
    for text in lines.split('\n') {
        let [name, slots] = line.fit(text)?[..] else { return None };
        // A kind without values has none that fits.
        let slots = slots.split(',').filter(|slot| !slot.is_empty());
        let slots: Vec<&str> = slots.map(|slot| kinds.get(slot).map_or("(?!)", |values| values)).collect();
        let values = if slots.is_empty() { String::new() } else { format!(r"\({}\)", slots.join(",")) };
        actions.insert(name, format!("{name}{values}"));
    }
    Some(Pattern::new(&actions.into_values().collect::<Vec<_>>().join("|")))
}

/// What is true in each step, and the step (from 0) to which the last one goes back.
fn read_trace<'a>(words: &Words, text: &'a str, finite: bool) -> Option<(Vec<Vec<&'a str>>, usize)> {
    let (lines, last) = text.rsplit_once('\n')?;
    let pattern = words.pattern("state");
    let mut steps = Vec::new();
    for (line, number) in lines.split('\n').zip(1..) {
        let [step, names] = pattern.fit(line)?[..] else { return None };
        (step == number.to_string()).then_some(())?;
        // In each step of a finite trace w is true, which has no name.
        let w = finite.then_some("");
        steps.push(names.split(", ").filter(|_| names != "nothing").chain(w).collect());
    }
    let ends = words.pattern(if finite { "finite" } else { "infinite" }).fit(last)?;
    let numbers: Vec<usize> = ends.iter().filter_map(|group| group.parse().ok()).collect();
    let (count, back) = (*numbers.first()?, *numbers.last()?);
    let right = count == steps.len() && (1..=count).contains(&back);
    steps.extend(finite.then(Vec::new));
    right.then_some((steps, if finite { back } else { back - 1 }))
}
