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
<li><a href="#{{ study.anchor }}">{{ study.name }}</a><ul>
{%- for section in study.sections %}
<li><a href="#{{ section.anchor }}">{{ section.title }}</a></li>
{%- endfor %}
{%- if study.explorer %}
<li class="explorer"><a href="#{{ study.explorer.anchor }}">Items</a></li>
{%- endif %}
<li><a href="#{{ study.anchor }}-runs">Runs</a></li></ul></li>
{%- endfor %}
<li><a href="#made">How these numbers are made</a></li>
</ul></details></nav>
<main id="content" tabindex="-1">
{%- for study in studies %}
<section aria-labelledby="{{ study.anchor }}">
<h2 id="{{ study.anchor }}">{{ study.name }}</h2>
<p>{{ study.summary }}</p>
<p class="dim">{{ study.described }}; all answers: <a href="answers_{{ study.name }}.csv">CSV</a></p>
{%- for section in study.sections %}
<section aria-labelledby="{{ section.anchor }}">
<h3 id="{{ section.anchor }}">{{ section.title }}</h3>
{%- if section.note %}
<p class="note">{{ section.note }}</p>
{%- endif %}
{%- for figure in section.figures %}
{{ drawn(figure, section.title) }}
{%- endfor %}
{%- for table in section.tables %}
{{ tabled(table, section.title) }}
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
{%- macro drawn(figure, above) %}
<figure>
<div class="drawn">{{ figure.svg }}</div>
<figcaption><span{% if figure.title == above %} class="seen-by-none"{% endif %}>{{ figure.title }}
{{- '. ' if figure.note }}</span>{{ figure.note }}</figcaption>
</figure>
<p class="files">Figure: <a href="figures/{{ figure.file }}.svg">SVG</a>
<a href="figures/{{ figure.file }}.png">PNG</a></p>
{%- endmacro %}

{%- macro tabled(table, above) %}
<div class="scroll" tabindex="0" role="region" aria-label="{{ table.title }}">
<table class="data{{ ' wide' if table.wide }}">
<caption{% if table.title == above %} class="seen-by-none"{% endif %}>{{ table.title }}</caption>
<thead><tr>
{%- for name, number in table.head %}<th scope="col"{% if number %} class="n"{% endif %}>{{ name }}</th>{% endfor -%}
</tr></thead>
<tbody>
{%- for row in table.rows %}
<tr{% if row.floor %} class="floor"{% endif %}>
{%- for cell in row.cells %}
{%- if cell.first %}<th scope="row"{% if cell.number %} class="n"{% endif %}>{{ cell.text }}</th>
{%- else %}<td{% if cell.number %} class="n"{% endif %}{% if cell.hint %} title="{{ cell.hint }}"{% endif %}>
{{- cell.text }}{% if cell.interval %}<small>{{ cell.interval }}</small>{% endif %}</td>{% endif %}
{%- endfor -%}
</tr>
{%- endfor %}
</tbody></table></div>
{%- if table.more %}
<p class="note">{{ table.more }} more rows are in the files.</p>
{%- endif %}
{%- if table.note %}
<p class="note">{{ table.note }}</p>
{%- endif %}
<p class="files">Table: <a href="tables/{{ table.file }}.csv">CSV</a>
<a href="tables/{{ table.file }}.md">Markdown</a>
<a href="tables/{{ table.file }}.tex">LaTeX</a></p>
{%- endmacro %}

{%- macro explored(study) %}
<section class="explorer" aria-labelledby="{{ study.explorer.anchor }}" data-items="{{ study.explorer.anchor }}">
<h3 id="{{ study.explorer.anchor }}">Items <span class="seen-by-none">of {{ study.name }}</span></h3>
<p class="note">{{ study.explorer.described }}
{%- if study.explorer.chosen %} <a href="#made">How they were chosen</a>{% endif %}</p>
<noscript><p class="warn">The list of items needs JavaScript; all else on this page does without.</p></noscript>
</section>
{%- endmacro %}

{%- macro runs(study) %}
<section aria-labelledby="{{ study.anchor }}-runs">
<h3 id="{{ study.anchor }}-runs">Runs <span class="seen-by-none">of {{ study.name }}</span></h3>
<div class="scroll" tabindex="0" role="region" aria-label="Runs of {{ study.name }}">
<table><caption>The logs that these numbers are from</caption>
<thead><tr><th scope="col">log</th><th scope="col">model</th><th scope="col">asked</th><th scope="col">items</th>
<th scope="col" class="n">n</th><th scope="col">status</th><th scope="col">made</th></tr></thead><tbody>
{%- for log in study.logs %}
<tr><th scope="row">{{ log.path }}</th><td>{{ log.model }}</td><td>{{ log.asked }}</td><td>{{ log.source }}</td>
<td class="n">{{ log.n }}</td><td{% if log.status != 'success' %} class="warn"{% endif %}>{{ log.status }}</td>
<td>{{ log.created }}</td></tr>
{%- endfor %}
</tbody></table></div>
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
<dd>What answers that never read the problem get on the same items: <em>majority</em> is the best constant answer,
<em>random</em> the average over the possible answers. A score that is not above its floor shows nothing.</dd>
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
