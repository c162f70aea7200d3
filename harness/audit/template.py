"""The text of the page that `harness.audit.page` fills in: one file, no network, nothing inline but its own."""

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --dim: #5b6470; --back: #fbfbfa; --card: #fff; --line: #d9dcdf;
  --good: #1a7f37; --bad: #b42318; --warn: #8a5a00; --bar: #4f7cac; --code: #f2f3f4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8ea; --dim: #9aa4ae; --back: #15181b; --card: #1c2024; --line: #343a40;
    --good: #57c274; --bad: #ff8a7a; --warn: #e3b341; --bar: #6c9bd0; --code: #24292e; } }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--back); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 24px 20px 80px; }
h1 { font-size: 24px; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 17px; margin: 36px 0 8px; }
p { margin: 4px 0 10px; max-width: 78ch; }
.dim { color: var(--dim); }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(128px, 1fr)); gap: 10px; margin: 18px 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 10px 14px; }
.card b { display: block; font-size: 24px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(440px, 100%), 1fr)); gap: 0 36px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--dim); }
th.n, #findings th { white-space: nowrap; }
.name { min-width: 10em; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.follows td { font-weight: 600; } .follows td.dim { font-weight: 400; }
td.wide { overflow-wrap: anywhere; }
svg.bar { width: 110px; height: 10px; vertical-align: baseline; }
svg.bar .all { fill: var(--line); } svg.bar .part { fill: var(--bar); }
.tools { display: flex; flex-wrap: wrap; gap: 10px; align-items: center; margin: 10px 0; position: sticky; top: 0;
  background: var(--back); padding: 8px 0; }
select, input { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
  border-radius: 6px; padding: 5px 9px; max-width: 100%; }
input { flex: 1 1 260px; }
#findings { table-layout: fixed; min-width: 760px; }
#findings th:nth-child(1) { width: 15%; } #findings th:nth-child(2) { width: 17%; }
#findings th:nth-child(3) { width: 16%; }
#findings td { overflow-wrap: anywhere; }
#findings th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
#findings th[aria-sort=ascending] button::after { content: " \\2191"; }
#findings th[aria-sort=descending] button::after { content: " \\2193"; }
:focus-visible { outline: 2px solid var(--bar); outline-offset: 2px; }
.tag { display: inline-block; border: 1px solid currentColor; border-radius: 10px; padding: 0 8px; font-size: 13px; }
.id { font: 12px/1.7 ui-monospace, monospace; color: var(--dim); }
details { margin-top: 4px; } summary { cursor: pointer; color: var(--dim); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--code); border-radius: 6px; padding: 8px 10px;
  margin: 6px 0; font: 12.5px/1.5 ui-monospace, monospace; max-height: 420px; overflow-y: auto; }
pre code { font: inherit; font-weight: 600; }
@media (max-width: 759px) {
  #findings { min-width: 0; table-layout: auto; }
  #findings, #findings tbody, #findings tr, #findings td { display: block; }
  #findings tr[hidden] { display: none; }
  #findings thead { display: block; } #findings thead tr { display: flex; flex-wrap: wrap; gap: 4px 16px; }
  #findings thead th { width: auto; }
  #findings td { border: 0; padding: 2px 0; }
  #findings tbody tr { border-bottom: 1px solid var(--line); padding: 8px 0; }
}
@media print { .tools { display: none; } }
"""

SCRIPT = """
"use strict";
(() => {
  const body = document.querySelector("#findings tbody");
  if (!body) return;
  const rows = [...body.rows];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const kind = document.getElementById("kind");
  const text = document.getElementById("text");
  const shown = document.getElementById("shown");
  const filter = () => {
    const words = text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((row, at) => {
      const wanted = (!kind.value || row.dataset.kind === kind.value)
        && words.every((word) => texts[at].includes(word));
      row.hidden = !wanted;
      count += wanted;
    });
    shown.textContent = count + " of " + rows.length + " shown";
  };
  let waiting = 0;
  text.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 120); });
  kind.addEventListener("change", filter);
  const heads = [...document.querySelectorAll("#findings th")];
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = (row) => column === 0 ? Number(row.dataset.position) : row.cells[column].textContent;
    const order = (a, b) => typeof a[0] === "number" ? a[0] - b[0] : a[0].localeCompare(b[0]);
    const sorted = rows.map((row) => [key(row), row]).sort(order);
    if (down) sorted.reverse();
    body.append(...sorted.map((pair) => pair[1]));
  }));
  document.querySelector(".tools").hidden = false;
  filter();
})();
"""

HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src '{{ style_hash }}'; script-src '{{ script_hash }}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Audit of {{ name }}</title>
<style>{{ style }}</style>
</head>
<body>
<main>
"""

SUMMARY = """
{%- macro bar(share) -%}
<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="all" width="100"
 height="10"/><rect class="part" width="{{ '%.1f' | format(100 * share) }}" height="10"/></svg>
{%- endmacro -%}
<h1>Audit of {{ name }}</h1>
<p class="dim">{{ plugin }} {{ version }}{% for key, value in config.items() %} · {{ key }}={{ value }}{% endfor %}
{%- for format, count in formats.items() %} · {{ count }} × {{ format }}{% endfor %}</p>
<p class="{{ 'bad' if wrong else 'warn' if grave or undecided else 'good' }}"><strong>
{%- if wrong %}{{ wrong }} of {{ items }} labels {{ 'is' if wrong == 1 else 'are' }} wrong.
{%- elif grave %}No label was found wrong, but not everything is in order.
{%- elif undecided %}No label was found wrong, but {{ undecided }} of {{ items }} could not be decided.
{%- else %}Every label is right, by every engine that decided it.{% endif %}</strong></p>
<div class="cards">
{%- for label, number, tone in cards %}
<div class="card"><b class="{{ tone if number }}">{{ '{:,}'.format(number) }}</b>{{ label }}</div>
{%- endfor %}
</div>
<div class="pair">
<section><h2>Engines</h2>
<p class="dim">Each derives the answer anew from the formal problem; they share no code in which one slip could
hide twice.</p>
<div class="scroll"><table><tr><th>engine</th>
{%- for head in ('agree', 'contradict', 'abstain', 'fail', 'unscored') %}
<th class="n">{{ head }}</th>{% endfor %}</tr>
{%- for engine, counts in engines.items() %}
<tr><td>{{ engine }}</td>
{%- for count in counts.values() %}<td class="n">{{ count }}</td>{% endfor %}</tr>
{%- endfor %}</table></div></section>
<section><h2>Prompts and duplicates</h2>
<div class="scroll"><table>
<tr><td>prompts that state the formal problem</td><td class="n">{{ prompts.same }}</td></tr>
<tr><td>prompts that state another problem</td><td class="n">{{ prompts.other }}</td></tr>
<tr><td>prompts that cannot be read back</td><td class="n">{{ prompts.nothing + prompts.failed }}</td></tr>
<tr><td>items whose problem came before</td><td class="n">{{ duplicates.problem }}</td></tr>
<tr><td>items whose prompt came before</td><td class="n">{{ duplicates.prompt }}</td></tr>
<tr><td>of either, with another label</td><td class="n">{{ duplicates.contradicting }}</td></tr>
</table></div></section>
</div>
{%- for question, one in readings.items() %}
<section><h2>Reading: {{ question }}</h2>
<p>The data follows: <strong>{{ one.follows }}</strong>
{%- if one.share is not none %} ({{ '%.1f' | format(100 * one.share) }} % of labels hold
{%- if one.follows not in one.readings %} under the best{% endif %}){% endif %}.
{%- if one.left_out %}
{{ one.left_out }} wrong {{ 'label is' if one.left_out == 1 else 'labels are' }} left out.{% endif %}
<span class="dim">The readings differ on {{ one.differ }} items.</span></p>
<div class="scroll"><table><tr><th class="name">reading</th><th class="n">agree</th><th class="n">contradict</th>
<th class="n">share</th><th></th>
<th>against it, for example</th></tr>
{%- for name, c in one.readings.items() %}{% set n = c.agree + c.contradict %}
<tr class="{{ 'follows' if name == one.follows }}"><td>{{ name }}</td><td class="n">{{ c.agree }}</td>
<td class="n">{{ c.contradict }}</td>
<td class="n">{{ '%.1f' | format(100 * c.agree / n) if n else '–' }} %</td><td>{{ bar(c.agree / n) if n }}</td>
<td class="dim wide">{{ c.against | join(', ') }}</td></tr>
{%- endfor %}</table></div></section>
{%- endfor %}
<div class="pair">
<section><h2>Labels</h2>
{%- if labels.counts %}
<div class="scroll"><table>
{%- for label, count in labels.counts.items() %}
<tr><td class="wide">{{ label }}</td><td class="n">{{ count }}</td>
<td class="n">{{ '%.1f' | format(100 * count / items) }} %</td><td>{{ bar(count / items) }}</td></tr>
{%- endfor %}</table></div>
{%- else %}<p>{{ labels.distinct }} different labels.</p>{% endif %}
{%- if labels.order.repeats is not none %}
<p class="{{ 'warn' if labels.order.z is not none and (labels.order.z > 4 or labels.order.z < -4) else 'dim' }}">
{{ '%.1f' | format(100 * labels.order.repeats) }} % of labels repeat the one before;
{{ '%.1f' | format(100 * labels.order.chance) }} % would by chance
{%- if labels.order.z is not none %} (z = {{ labels.order.z }}){% endif %}.</p>
{%- endif %}</section>
<section><h2>Answers that never read the problem</h2>
<div class="scroll"><table><tr><th>answer</th><th class="n">items</th>
{%- for metric in metrics %}<th class="n">{{ metric }}</th>{% endfor %}</tr>
{%- for choice, one in constants.items() %}
<tr><td class="wide">{{ choice }}</td><td class="n">{{ one['items'] }}</td>
{%- for metric in metrics %}
<td class="n">{{ '%.3f' | format(one.metrics[metric]) if metric in one.metrics else '–' }}</td>
{%- endfor %}</tr>
{%- endfor %}</table></div></section>
</div>
{%- if weaknesses %}
<section><h2>Items that do not measure what they claim</h2>
<div class="scroll"><table>
{%- for kind, one in weaknesses.items() %}
<tr><td>{{ kind }}</td><td class="n">{{ one['items'] }}</td>
<td class="n">{{ '%.1f' | format(100 * one['items'] / items) if items else '–' }} %</td>
<td>{{ bar(one['items'] / items) if items }}</td><td class="dim">{{ one.meaning }}</td></tr>
{%- endfor %}</table></div></section>
{%- endif %}
{%- if unreadable_reasons %}
<section><h2>Records that could not be understood</h2>
<div class="scroll"><table>
{%- for reason, count in unreadable_reasons.items() %}
<tr><td class="n">{{ count }}</td><td class="wide">{{ reason }}</td></tr>
{%- endfor %}</table></div></section>
{%- endif %}
{%- if changed is defined %}
<p>{{ changed }} {{ 'label was' if changed == 1 else 'labels were' }} corrected in {{ out }};
{{ changes }} says which, and why.</p>
{%- endif %}
<section><h2>Findings</h2>
{%- if findings_total %}
{%- if findings_total > most %}
<p class="warn">These are {{ '{:,}'.format(most) }} of {{ '{:,}'.format(findings_total) }} findings, the gravest kinds
first; all of them are in audit.json beside this page.</p>
{%- endif %}
<div class="tools" hidden><select id="kind" aria-label="kind of finding"><option value="">all kinds</option>
{%- for kind, count in kinds.items() %}
<option value="{{ kind }}">{{ kind }} ({{ count }}): {{ meaning[kind] }}</option>{% endfor %}
</select><input id="text" type="search" placeholder="filter by text" aria-label="filter by text"><span id="shown"
 class="dim" role="status"></span></div>
<div class="scroll"><table id="findings"><thead><tr>
{%- for head in ('record', 'kind', 'id', 'finding') %}<th><button type="button">{{ head }}</button></th>{% endfor %}
</tr></thead><tbody>
{%- else %}<p>None.</p>{% endif %}
"""

ROW = """
<tr data-kind="{{ kind }}" data-position="{{ position }}"><td>{{ where }}</td>
<td><span class="tag {{ tone }}">{{ weakness or kind }}</span></td>
<td class="id">{{ source_id }}{{ ' ' if source_id }}{{ id }}</td><td>{{ message }}
{%- if evidence %}<details{{ ' open' if open }}><summary>evidence</summary><pre>{{ evidence }}</pre></details>
{%- endif %}</td></tr>
"""

FOOT = """{%- if findings_total %}
</tbody></table></div>
{%- endif %}</section>
</main>
<script>{{ script }}</script>
</body>
</html>
"""
