"""The text of the page that `harness.report.page` fills in; Jinja2 escapes whatever it is given."""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline';
 script-src '{{ script_hash }}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{{ title }}</title>
<style>{{ style }}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the results</a>
<div class="page">
<header>
<h1>{{ title }}</h1>
<p class="dim">{{ described }}</p>
</header>
{%- if warnings %}
<section class="alarm" aria-labelledby="warnings"><h2 id="warnings">Before you read on</h2><ul>
{%- for line in warnings %}
<li>{{ line }}</li>
{%- endfor %}
</ul></section>
{%- endif %}
<div class="body">
<nav aria-label="Contents"><details open><summary>Contents</summary><ul>
{%- for study in studies %}
<li><details{% if studies|length < 3 or loop.first %} open{% endif %}><summary>{{ study.name }}</summary><ul>
<li><a href="#{{ study.anchor }}">Overview</a></li>
{%- for section in study.sections %}
<li><a href="#{{ section.anchor }}">{{ section.title }}</a></li>
{%- endfor %}
{%- if study.explorer %}
<li class="explorer"><a href="#{{ study.explorer.anchor }}">Items</a></li>
{%- endif %}
<li><a href="#{{ study.anchor }}-runs">Runs</a></li></ul></details></li>
{%- endfor %}
<li><a href="#made">How these numbers are made</a></li>
</ul></details></nav>
<main id="content" tabindex="-1">
{%- for study in studies %}
<section aria-labelledby="{{ study.anchor }}">
<h2 id="{{ study.anchor }}">{{ study.name }}{{ here(study.anchor, study.name) }}</h2>
<p>{{ study.summary }}</p>
<p class="dim">{{ study.described }}; all answers: <a href="answers_{{ study.name }}.csv">CSV</a></p>
{%- if study.glossary %}
{{ explained(study.glossary) }}
{%- endif %}
{%- if study.glance %}
{{ grid(study.glance, study.glance.title) }}
<p class="note">{{ study.glance.note }}</p>
{%- endif %}
{%- for section in study.sections %}
<section aria-labelledby="{{ section.anchor }}">
<h3 id="{{ section.anchor }}">{{ section.title }}{{ here(section.anchor, section.title) }}</h3>
{%- if section.note %}
<p class="note">{{ section.note }}</p>
{%- endif %}
{%- for piece in section.pieces %}
{%- if piece.figure and not section.first %}
{{ drawn(piece.figure, section.title) }}
{%- endif %}
{%- for table in piece.tables %}
{{ tabled(table, section.title) }}
{%- endfor %}
{%- if piece.figure and section.first %}
{{ drawn(piece.figure, section.title) }}
{%- endif %}
{%- endfor %}
</section>
{%- endfor %}
{%- if study.explorer %}
{{ explored(study) }}
{%- endif %}
{{ runs(study) }}
</section>
{%- endfor %}
{{ made }}
</main>
</div>
</div>
{%- for study in studies if study.explorer %}
<script type="application/json" id="{{ study.explorer.anchor }}-data">{{ study.explorer.data }}</script>
{%- endfor %}
<script>{{ script }}</script>
</body>
</html>
"""

MACROS = """
{%- macro here(anchor, title) %}<a class="here" href="#{{ anchor }}" aria-label="Link to {{ title }}">#</a>
{%- endmacro %}

{%- macro drawn(figure, above) %}
<figure>
<div class="panels{{ {1: ' alone', 4: ' four'}.get(figure.panels|length, '') }}" role="img"
 aria-label="{{ figure.alt }}">
{%- for panel in figure.panels %}
<div>{{ panel }}</div>
{%- endfor %}
</div>
{%- if figure.legend %}
<ul class="legend" aria-label="Legend">
{%- for sign, label in figure.legend %}
<li>{{ sign }}<span>{{ label }}</span></li>
{%- endfor %}
</ul>
{%- endif %}
<figcaption><span{% if figure.title == above %} class="seen-by-none"{% endif %}>{{ figure.title }}
{{- '. ' if figure.note }}</span>{{ figure.note }}</figcaption>
</figure>
<p class="files">Figure: <a href="figures/{{ figure.file }}.svg">SVG</a>
<a href="figures/{{ figure.file }}.png">PNG</a></p>
{%- endmacro %}

{%- macro grid(table, above) %}
<div class="scroll" tabindex="0" role="region" aria-label="{{ table.title }}">
<table class="data{{ ' wide' if table.wide }}{{ ' widest' if table.widest }}">
<caption{% if table.title == above and table.file %} class="seen-by-none"{% endif %}>{{ table.title }}</caption>
<thead><tr>
{%- for name, number in table.head %}<th scope="col"{% if number %} class="n"{% endif %}>{{ name }}</th>{% endfor -%}
</tr></thead>
<tbody>
{%- for row in table.rows %}
<tr{% if row.floor %} class="floor"{% endif %}>
{%- for cell in row.cells %}
{%- if cell.first %}<th scope="row" class="{{ cell.looks }}">{{ said(cell) }}</th>
{%- else %}<td class="{{ cell.looks }}"{% if cell.hint %} title="{{ cell.hint }}"{% endif %}>
{{- said(cell) }}{% if cell.interval %}<small>{{ cell.interval }}</small>{% endif %}</td>{% endif %}
{%- endfor -%}
</tr>
{%- endfor %}
</tbody></table></div>
{%- endmacro %}

{%- macro said(cell) %}
{%- for part, whole in cell.parts %}
{%- if whole %}<span class="whole">{{ part }}</span>{% else %}<span class="long">{{ part }}</span>{% endif %}<wbr>
{%- else %}{{ cell.text }}{% endfor %}
{%- endmacro %}

{%- macro tabled(table, above) %}
{%- if table.folded %}
<details class="folded"><summary>Table: {{ table.title }} <span class="dim">({{ table.size }})</span></summary>
{{ grid(table, table.title) }}
{%- else %}
{{ grid(table, above) }}
{%- endif %}
{%- if table.more %}
<p class="note">{{ table.more }} more rows are in the files.</p>
{%- endif %}
{%- if table.note %}
<p class="note">{{ table.note }}</p>
{%- endif %}
<p class="files">Table: <a href="tables/{{ table.file }}.csv">CSV</a>
<a href="tables/{{ table.file }}.md">Markdown</a>
<a href="tables/{{ table.file }}.tex">LaTeX</a></p>
{%- if table.folded %}
</details>
{%- endif %}
{%- endmacro %}

{%- macro explained(terms) %}
<details class="folded glossary"><summary>What the metrics mean</summary>
<dl class="terms">
{%- for name, meaning, headline in terms %}
<dt>{{ name }}{% if headline %} <span class="tag">headline</span>{% endif %}</dt>
<dd>{{ meaning }}</dd>
{%- endfor %}
</dl></details>
{%- endmacro %}

{%- macro explored(study) %}
<section class="explorer" aria-labelledby="{{ study.explorer.anchor }}" data-items="{{ study.explorer.anchor }}">
<h3 id="{{ study.explorer.anchor }}">Items <span class="seen-by-none">of {{ study.name }}</span>
{{- here(study.explorer.anchor, 'the items of ' ~ study.name) }}</h3>
<p class="note">{{ study.explorer.described }}
{%- if study.explorer.chosen %} <a href="#made">How they were chosen</a>{% endif %}</p>
<noscript><p class="warn">The list of items needs JavaScript; all else on this page does without.</p></noscript>
</section>
{%- endmacro %}

{%- macro runs(study) %}
<section aria-labelledby="{{ study.anchor }}-runs">
<h3 id="{{ study.anchor }}-runs">Runs <span class="seen-by-none">of {{ study.name }}</span>
{{- here(study.anchor ~ '-runs', 'the runs of ' ~ study.name) }}</h3>
{%- if study.many_logs %}
<details class="folded"><summary>The {{ study.logs|length }} logs that these numbers are from</summary>
{%- endif %}
<div class="scroll" tabindex="0" role="region" aria-label="Runs of {{ study.name }}">
<table><caption>The logs that these numbers are from</caption>
<thead><tr><th scope="col">log</th><th scope="col">model</th><th scope="col">asked</th><th scope="col">items</th>
<th scope="col" class="n">n</th><th scope="col">status</th><th scope="col">made</th></tr></thead><tbody>
{%- for log in study.logs %}
<tr><th scope="row" class="text">{{ log.path }}</th><td class="{{ log.looks }}">{{ log.model }}</td>
<td>{{ log.asked }}</td><td>{{ log.source }}</td>
<td class="n">{{ log.n }}</td><td{% if log.status != 'success' %} class="warn"{% endif %}>{{ log.status }}</td>
<td class="name">{{ log.created }}</td></tr>
{%- endfor %}
</tbody></table></div>
{%- if study.many_logs %}
</details>
{%- endif %}
</section>
{%- endmacro %}

{%- set made %}
<section aria-labelledby="made">
<h2 id="made">How these numbers are made</h2>
<dl class="terms">
<dt>Intervals</dt>
<dd>Small type below a number is its 95 % interval. A share of right answers has Wilson's interval, any other mean a
percentile bootstrap over items, a number of a whole run (an F1, an AUC) a bootstrap that computes it anew. Where
several items share a source (the same machine, say) they are drawn together, for they are no independent evidence.
Above some thousand answers a normal approximation and batches take the place of the bootstraps. Point at a number to
see which method it has and of how many answers it is.</dd>
<dt>Wrong, unparsed, unscored</dt>
<dd><em>Wrong</em>: an answer was read, and it is not right. <em>Partly right</em>: it earns some of the score,
but not all of it. <em>Unparsed</em>: nothing that could be read as an answer was said; it counts as 0, and the share
of such answers stands beside every score. <em>Unscored</em>: no answer came, or judging it failed, which says nothing
of the model; such items are left out of every number and counted apart.</dd>
<dt>Floors</dt>
<dd>What answers that never read the problem get on the same items: <em>majority</em> is the best constant answer
of each task, <em>constant</em> the first of each item's possible answers, <em>random</em> the average over them.
Floors that lie on each other are one row or line, which names all of them. A score that is not above its floor shows
nothing.</dd>
<dt>Points of scatters</dt>
<dd>Where nearly all values are 0 or 1, a point is the mean of items with the same or like numbers along the axis
below, larger where there are more of them. The line, <em>r</em> and <em>p</em> are always of the items.</dd>
<dt>–</dt>
<dd>The number is not defined here: there is no answer that it could be of, or it divides by nothing. That is never
shown as 0.</dd>
<dt>Items shown</dt>
<dd>The lists of items hold a choice, made by rule and not by hand: items on which the models disagree, that all get
wrong, that could not be read or scored and that all get right take turns, spread over the benchmark's groups; which
of the alike is decided by a hash of the item's id. They are therefore <em>no</em> random sample: shares counted in
them are no results.</dd>
</dl>
</section>
{%- endset %}
"""
