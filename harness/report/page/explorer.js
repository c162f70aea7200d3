"use strict";
(() => {
  const WORDS = { right: "right", partial: "partly right", wrong: "wrong", unparsed: "unparsed",
    unscored: "unscored" };
  const MARKS = { right: "✓", partial: "◐", wrong: "✗", unparsed: "?", unscored: "!" };
  const TONES = { right: "good", partial: "warn", wrong: "bad", unparsed: "warn", unscored: "dim" };
  const MODELS = ["model", "recorded"];
  const STEP = 10, MARKED = 8, CHOICES = 30, FEATURES = 60;
  let made = 0;

  const element = (name, options = {}, ...inside) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(options)) {
      if (key === "text") made.textContent = value; else made.setAttribute(key, value);
    }
    made.append(...inside.filter((one) => one !== null));
    return made;
  };
  const number = (value) => Number.isInteger(value) ? String(value) : String(Math.round(value * 1000) / 1000);
  const shown = (value) => typeof value === "number" ? number(value) : String(value);
  const compared = (a, b) => typeof a === "number" && typeof b === "number" ? a - b
    : String(a).localeCompare(String(b), "en", { numeric: true });

  const labelled = (words, control, wide) => {
    control.id = "control-" + made++;
    return element("div", wide ? { class: "wide" } : {}, element("label", { for: control.id, text: words }), control);
  };
  const selected = (choices) => element("select", {},
    ...choices.map(([value, text]) => element("option", { value, text })));

  // What the values of a feature are filtered by: a choice of one, or a least and a greatest number.
  const featured = (name, entries) => {
    const values = new Map();
    let present = 0;
    for (const entry of entries) {
      if (!Object.hasOwn(entry.features, name)) continue;
      present += 1;
      const value = entry.features[name];
      const key = shown(value);
      values.set(key, [value, (values.has(key) ? values.get(key)[1] : 0) + 1]);
    }
    const all = [...values.values()].map((pair) => pair[0]);
    if (all.length < 2 && present === entries.length) return null;
    if (all.every((value) => typeof value === "number") && all.length > 6) return ranged(name, all);
    if (all.length > CHOICES) return null;
    const ordered = [...values].sort((a, b) => compared(a[1][0], b[1][0]));
    const select = selected([["", "any"],
      ...ordered.map(([key, [, count]]) => ["=" + key, key + " (" + count + ")"])]);
    return { row: labelled(name, select), clear: () => { select.value = ""; },
      holds: (entry) => !select.value
        || (Object.hasOwn(entry.features, name) && "=" + shown(entry.features[name]) === select.value) };
  };
  const ranged = (name, all) => {
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const one = (words, placeholder) => element("input",
      { type: "number", step: "any", "aria-label": name + ", " + words, placeholder: number(placeholder) });
    const [least, most] = [one("least", low), one("greatest", high)];
    const row = element("div", { class: "pair", role: "group", "aria-label": name },
      element("span", { text: name + ", from – to" }), element("div", {}, least, most));
    return { row, clear: () => { least.value = most.value = ""; },
      holds: (entry) => {
        if (least.value === "" && most.value === "") return true;
        const value = entry.features[name];
        return typeof value === "number" && (least.value === "" || value >= Number(least.value))
          && (most.value === "" || value <= Number(most.value));
      } };
  };

  // Unscored says nothing of a model, and references and baselines nothing of how hard an item is.
  const disagree = (entry, series) => {
    const told = series.some((one) => MODELS.includes(one.kind)) ? MODELS : null;
    const judged = entry.answers.filter((one) => !told || told.includes(series[one.series].kind))
      .map((one) => one.outcome).filter((one) => one !== "unscored");
    return judged.includes("right") && judged.some((one) => one !== "right");
  };
  const share = (entry) => entry.answers.filter((one) => one.outcome === "right").length
    / Math.max(1, entry.answers.length);

  const marks = (entry, series) => {
    const box = element("span", { class: "marks" });
    const mark = (outcome, words, hidden) => box.append(
      element("span", { class: "mark " + TONES[outcome], title: words },
        element("span", { "aria-hidden": "true", text: hidden }),
        element("span", { class: "seen-by-none", text: words + ". " })));
    if (entry.answers.length <= MARKED) {
      for (const one of entry.answers) {
        mark(one.outcome, series[one.series].label + ": " + WORDS[one.outcome], MARKS[one.outcome]);
      }
      return box;
    }
    for (const outcome of Object.keys(WORDS)) {
      const count = entry.answers.filter((one) => one.outcome === outcome).length;
      if (count) mark(outcome, count + " " + WORDS[outcome], MARKS[outcome] + " " + count);
    }
    return box;
  };

  const facts = (pairs) => {
    const list = element("dl", { class: "facts" });
    for (const [name, value] of pairs) {
      list.append(element("dt", { text: name }), element("dd", { text: shown(value) }));
    }
    return list;
  };
  const long = (words, text) => element("pre", { text, tabindex: "0", role: "region", "aria-label": words });
  const folded = (words, inside, open) => {
    const box = element("details", {}, element("summary", { text: words }), inside);
    box.open = open;
    return box;
  };

  const answered = (one, series) => {
    const box = element("div", { class: "answer" });
    const label = series[one.series].label;
    box.append(element("div", { class: "line" }, element("h5", { text: label }),
      element("span", { class: "tag " + TONES[one.outcome], text: MARKS[one.outcome] + " " + WORDS[one.outcome] })));
    if (one.reason) box.append(element("p", { text: "No score: " + one.reason }));
    if (one.answer !== null) {
      box.append(element("p", {}, "Answer read: ", element("code", { text: one.answer })));
    }
    if (one.explanation) {
      // Made by the report from Markdown: paragraphs, lists, tables, code; all else in it is text.
      const told = element("div", { class: "explained" });
      told.innerHTML = one.explanation;
      box.append(told);
    }
    const values = Object.entries(one.values);
    if (values.length) box.append(folded("Values (" + values.length + ")", facts(values), values.length < 4));
    if (one.completion) {
      box.append(folded("Completion (" + one.completion.length.toLocaleString("en") + " characters)",
        long("Completion of " + label, one.completion), one.completion.length < 600));
    } else if (one.outcome !== "unscored") {
      box.append(element("p", { class: "dim", text: "The completion is empty." }));
    }
    return box;
  };

  const opened = (entry, series) => {
    const left = element("div", {}, element("h4", { text: "Prompt" }), long("Prompt", entry.prompt));
    const right = element("div", {});
    right.append(element("h4", { text: "Target" }), long("Target", entry.target));
    if (entry.solution) right.append(folded("Worked solution", long("Worked solution", entry.solution), false));
    const features = Object.entries(entry.features);
    if (features.length) right.append(element("h4", { text: "Features" }), facts(features));
    const alt = "Item " + entry.id + ", drawn with its target " + entry.target.slice(0, 200);
    const drawn = entry.drawing ? [element("h4", { text: "Drawing" }),
      element("div", { class: "drawing", tabindex: "0", role: "region", "aria-label": "Drawing" },
        element("img", { src: entry.drawing, alt }))] : [];
    return element("div", { class: "opened" }, element("div", { class: "halves" }, left, right),
      ...drawn, element("h4", { text: "Answers" }),
      element("div", { class: "answers" }, ...entry.answers.map((one) => answered(one, series))));
  };

  const called = (entry) => entry.number === null ? entry.id : "item " + entry.number + " · " + entry.id;

  // Prompts of one task begin alike; what comes after tells its items apart.
  const kind = (entry) => entry.prompt.slice(0, 40);
  const begun = (entry, common) => {
    const rest = entry.prompt.slice(common).replace(/\s+/g, " ").trim();
    return rest.length > 110 ? rest.slice(0, 110) + "…" : rest;
  };
  const commonStart = (entries) => {
    let common = entries.length > 1 ? entries[0].prompt.length : 0;
    for (const { prompt } of entries) {
      let at = 0;
      while (at < common && prompt[at] === entries[0].prompt[at]) at += 1;
      common = at;
    }
    const line = entries[0].prompt.lastIndexOf("\n", common - 1);
    return common > 0 ? line + 1 : 0;
  };

  const explorer = (root) => {
    const data = JSON.parse(document.getElementById(root.dataset.items + "-data").textContent);
    const { series, entries } = data;
    const kinds = new Map();
    for (const entry of entries) kinds.set(kind(entry), [...(kinds.get(kind(entry)) ?? []), entry]);
    const common = new Map([...kinds].map(([key, own]) => [key, commonStart(own)]));
    const outcome = selected([["", "any"], ...Object.entries(WORDS), ["disagree", "series disagree"]]);
    const model = selected([["", "any series"], ...series.map((one, at) => [String(at), one.label])]);
    const order = selected([["", "kinds take turns"], ["low", "fewest right first"], ["high", "most right first"],
      ["id", "id"]]);
    const text = element("input", { type: "search", placeholder: "id, prompt, target or answer" });
    const names = [...new Set(entries.flatMap((entry) => Object.keys(entry.features)))];
    const features = names.map((name) => featured(name, entries)).filter((one) => one).slice(0, FEATURES);
    const tools = element("div", { class: "tools" }, labelled("Search", text, true), labelled("Outcome", outcome),
      labelled("Outcome in", model), labelled("Order", order));
    const more = element("details", {}, element("summary", { text: "Filter by feature (" + features.length + ")" }),
      element("div", { class: "tools" }, ...features.map((one) => one.row)));
    const status = element("p", { role: "status", "aria-live": "polite", class: "dim" });
    const clear = element("button", { type: "button", text: "Clear filters" });
    const next = element("button", { type: "button" });
    const list = element("ol", { class: "items" });
    root.append(tools, ...(features.length ? [more] : []), element("div", { class: "line" }, status, clear),
      list, next);

    const texts = [];
    const said = (at) => {
      const { prompt, target, answers } = entries[at];
      texts[at] ??= [called(entries[at]), prompt, target, ...answers.map((one) => one.answer || "")].join("\n").toLowerCase();
      return texts[at];
    };
    const keys = { low: share, high: (entry) => -share(entry), id: (entry) => entry.id };
    const wanted = (entry, at, words) => {
      const asked = entry.answers.filter((one) => !model.value || String(one.series) === model.value);
      if (!asked.length) return false;
      if (outcome.value === "disagree" ? !disagree(entry, series)
        : outcome.value && !asked.some((one) => one.outcome === outcome.value)) return false;
      return features.every((one) => one.holds(entry)) && words.every((word) => said(at).includes(word));
    };

    let found = [], count = 0;
    const row = (entry) => {
      const start = begun(entry, common.get(kind(entry))) || entry.id;
      const box = element("details", { id: "item-" + entry.id }, element("summary", {},
        element("span", {}, element("span", { class: "start", text: start }),
          element("span", { class: "id", text: called(entry) })), marks(entry, series)));
      box.addEventListener("toggle", () => {
        if (!box.open) return;
        if (box.children.length === 1) box.append(opened(entry, series));
        history.replaceState(null, "", "#item-" + encodeURIComponent(entry.id));
      });
      return element("li", {}, box);
    };
    const show = (upto) => {
      while (count < Math.min(upto, found.length)) list.append(row(entries[found[count++]]));
      next.hidden = count >= found.length;
      next.textContent = "Show " + Math.min(STEP, found.length - count) + " more";
    };
    const filter = () => {
      const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      found = entries.map((entry, at) => at).filter((at) => wanted(entries[at], at, words));
      const key = keys[order.value];
      const before = (a, b) => a < b ? -1 : a > b ? 1 : 0;
      if (key) found.sort((a, b) => before(key(entries[a]), key(entries[b])) || a - b);
      list.replaceChildren();
      count = 0;
      show(STEP);
      status.textContent = found.length + " of " + entries.length + " items";
      clear.hidden = found.length === entries.length;
    };
    const reset = () => {
      for (const one of [outcome, model, text]) one.value = "";
      for (const one of features) one.clear();
      filter();
    };
    let waiting = 0;
    const soon = () => { clearTimeout(waiting); waiting = setTimeout(filter, 120); };
    tools.addEventListener("change", filter);
    more.addEventListener("change", filter);
    text.addEventListener("input", soon);
    more.addEventListener("input", soon);
    clear.addEventListener("click", () => { reset(); text.focus(); });
    next.addEventListener("click", () => {
      const first = count;
      show(count + STEP);
      list.children[first].querySelector("summary").focus();
    });
    filter();

    return (id) => {
      const at = entries.findIndex((entry) => entry.id === id);
      if (at < 0) return false;
      if (!found.includes(at)) reset();
      show(found.indexOf(at) + 1);
      const box = list.children[found.indexOf(at)].firstElementChild;
      box.open = true;
      box.scrollIntoView();
      box.firstElementChild.focus({ preventScroll: true });
      return true;
    };
  };

  const finders = [...document.querySelectorAll("section.explorer")].map(explorer);
  const follow = () => {
    let id = location.hash;
    try { id = decodeURIComponent(id); } catch { return; }
    if (id.startsWith("#item-")) finders.some((find) => find(id.slice(6)));
  };
  addEventListener("hashchange", follow);
  follow();
})();
