"""How a report's page looks: light and dark, from a phone to paper."""

STYLE = (
    """
:root { color-scheme: light dark; --ink: #1b1f24; --dim: #57606a; --back: #fbfbfa; --card: #fff; --line: #d9dcdf;
  --strong: #8a929b; --good: #1a6b36; --bad: #b3261e; --warn: #7d5200; --link: #0b57a4; --code: #f1f2f4;
  --alarm: #fff6e0; --floor: #f4f4f2; --ground: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8ea; --dim: #a3adb7; --back: #14181d; --card: #1b2026; --line: #353c44; --strong: #7d8791;
    --good: #7bd88f; --bad: #ff9d94; --warn: #e8bd5a; --link: #8ec1f8; --code: #252b32; --alarm: #2d2615;
    --floor: #20262c; --ground: #14181d; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 12px; -webkit-text-size-adjust: 100%; }
body { margin: 0; color: var(--ink); background: var(--back); font: 15px/1.55 system-ui, sans-serif; }
a { color: var(--link); text-underline-offset: 2px; }
.skip { position: absolute; left: -9999px; } .skip:focus { left: 12px; top: 8px; background: var(--card);
  padding: 6px 12px; z-index: 2; border-radius: 6px; }
.seen-by-none { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
.page { max-width: 1480px; margin: 0 auto; padding: 24px 20px 80px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 6px; overflow-wrap: anywhere; }
h2 { font-size: 21px; line-height: 1.3; margin: 0 0 6px; padding-top: 26px; overflow-wrap: anywhere; }
h3 { font-size: 17px; line-height: 1.3; margin: 34px 0 8px; overflow-wrap: anywhere; }
h4 { font-size: 15px; margin: 0 0 6px; overflow-wrap: anywhere; }
p { margin: 4px 0 10px; max-width: 80ch; overflow-wrap: anywhere; }
.dim, .note, figcaption, caption { color: var(--dim); }
.note { font-size: 14px; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.alarm { background: var(--alarm); border: 1px solid var(--warn); border-radius: 8px; padding: 10px 16px;
  margin: 16px 0; } .alarm h2 { font-size: 16px; padding: 0; color: var(--warn); }
.alarm ul { margin: 4px 0; padding-left: 20px; } .alarm li { overflow-wrap: anywhere; }
nav ul { list-style: none; margin: 0; padding: 0; } nav ul ul { padding-left: 10px; }
nav a { display: block; padding: 3px 8px; border-radius: 5px; text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { background: var(--code); text-decoration: underline; }
nav { margin: 18px 0; font-size: 14px; }
nav summary { font-weight: 600; padding: 6px 0; }
main { min-width: 0; }
main > section { border-top: 1px solid var(--line); margin-top: 34px; }
@media (min-width: 1100px) {
  .body { display: grid; grid-template-columns: 205px minmax(0, 1fr); gap: 34px; }
  nav { position: sticky; top: 12px; align-self: start; max-height: calc(100vh - 24px); overflow-y: auto; }
}
.scroll { overflow-x: auto; margin: 8px 0 4px; background:
  linear-gradient(90deg, transparent, var(--back) 70%) right / 40px 100% no-repeat local,
  linear-gradient(270deg, var(--line), transparent) right / 14px 100% no-repeat scroll; }
table { border-collapse: separate; border-spacing: 0; font-size: 14px; }
.data { min-width: min(100%, 460px); }
caption { text-align: left; padding: 0 0 5px; font-size: 14px; }
th, td { text-align: left; vertical-align: baseline; padding: 5px 18px 5px 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } thead th { color: var(--dim); vertical-align: bottom; border-bottom-color: var(--strong); }
tbody th { font-weight: 500; min-width: 6em; overflow-wrap: break-word; }
.name, .whole { white-space: nowrap; } .text { min-width: 19em; max-width: 34em; overflow-wrap: break-word; }
.data tr > :first-child { position: sticky; left: 0; background: var(--back); }
.data thead tr > :first-child { z-index: 1; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.n small { display: block; color: var(--dim); font-size: 11.5px; line-height: 1.3; }
.data tr.floor > th, tr.floor td { background: var(--floor); font-style: italic; }
.tag { display: inline-block; border: 1px solid currentColor; border-radius: 10px; padding: 0 8px; font-size: 12.5px;
  line-height: 1.5; font-style: normal; white-space: nowrap; }
.files { font-size: 13px; margin: 2px 0 16px; color: var(--dim); } .files a { margin-right: 10px; }
figure { margin: 12px 0 4px; break-inside: avoid; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(312px, 100%), 1fr)); gap: 10px 16px; }
.panels.four { grid-template-columns: repeat(auto-fit, minmax(min(380px, 100%), 1fr)); }
.panels > div { min-width: 0; max-width: 410px; } .panels.alone > div { max-width: 520px; }
.panels svg { display: block; width: 100%; height: auto; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 2px 18px; margin: 8px 0 6px; padding: 0;
  font-size: 13px; }
.legend li { display: flex; gap: 7px; align-items: center; min-width: 0; }
.legend span { min-width: 0; overflow-wrap: anywhere; } .legend svg { flex: none; width: 32px; height: 16px; }
.folded > summary { padding: 5px 0; font-size: 14px; }
.here { margin-left: 8px; color: var(--dim); text-decoration: none; font-weight: 400; opacity: 0; }
:is(h2, h3):hover > .here, .here:focus { opacity: 1; }
@media (hover: none) { .here { opacity: 1; } }
figcaption { font-size: 14px; max-width: 80ch; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font-family: ui-monospace, "Liberation Mono", monospace; font-size: 12.5px; }
code { background: var(--code); border-radius: 4px; padding: 1px 4px; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--code); border-radius: 6px; padding: 9px 11px;
  margin: 6px 0; line-height: 1.5; max-height: 420px; overflow-y: auto; } pre code { padding: 0; background: none; }
summary { cursor: pointer; }
dl.terms dt { font-weight: 600; margin-top: 10px; } dl.terms dd { margin: 0; max-width: 80ch; }
"""
    + """
.tools { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(190px, 100%), 1fr)); gap: 8px 14px;
  margin: 10px 0; align-items: end; }
.tools label, .tools .pair > span { display: block; font-size: 13px; color: var(--dim); overflow-wrap: anywhere; }
.tools .wide { grid-column: 1 / -1; max-width: 560px; }
.tools .pair div { display: flex; gap: 6px; }
select, input, button { font: inherit; font-size: 14px; color: inherit; background: var(--card); width: 100%;
  border: 1px solid var(--strong); border-radius: 6px; padding: 6px 9px; min-width: 0; max-width: 100%; }
::placeholder { color: var(--dim); opacity: 1; }
button { width: auto; cursor: pointer; padding: 6px 14px; } button:hover { background: var(--code); }
.line { display: flex; flex-wrap: wrap; gap: 6px 16px; align-items: center; margin: 8px 0; }
.line p { margin: 0; }
.items { list-style: none; margin: 8px 0; padding: 0; border-top: 1px solid var(--line); }
.items > li { border-bottom: 1px solid var(--line); }
.items > li > details > summary { display: grid; grid-template-columns: 14px 1fr auto; gap: 2px 10px;
  padding: 9px 4px; align-items: baseline; list-style: none; }
.items > li > details > summary::-webkit-details-marker { display: none; }
.items > li > details > summary::before { content: "▸"; color: var(--dim); }
.items > li > details[open] > summary::before { content: "▾"; }
.items > li > details > summary:hover { background: var(--code); }
.items .id { font: 12px/1.5 ui-monospace, monospace; color: var(--dim); overflow-wrap: anywhere; }
.items .start { display: block; overflow-wrap: anywhere; }
.marks { display: flex; flex-wrap: wrap; gap: 3px; justify-content: flex-end; max-width: 170px; }
.mark { min-width: 20px; text-align: center; border-radius: 5px; border: 1px solid currentColor; font-size: 12.5px;
  line-height: 18px; padding: 0 3px; }
.opened { padding: 2px 4px 20px 24px; }
.opened h4 { margin-top: 16px; }
.drawing { overflow-x: auto; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; }
.drawing img { display: block; margin: 0 auto; max-width: max(100%, 560px); height: auto; }
.halves { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(380px, 100%), 1fr)); gap: 0 28px; }
.halves > div { min-width: 0; }
.facts { display: grid; grid-template-columns: minmax(7em, max-content) minmax(0, 1fr); gap: 1px 16px; margin: 0;
  font-size: 13.5px; }
.facts dt { color: var(--dim); overflow-wrap: anywhere; } .facts dd { margin: 0; overflow-wrap: anywhere; }
.answers { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(360px, 100%), 1fr)); gap: 10px 14px;
  align-items: start; }
.answer { min-width: 0; border: 1px solid var(--line); border-radius: 8px; background: var(--card);
  padding: 10px 14px; }
.answer .line { margin: 0 0 6px; } .answer h5 { font-size: 14px; margin: 0; overflow-wrap: anywhere; }
.explained { font-size: 14px; overflow-x: auto; } .explained p, .explained ul { margin: 4px 0; }
.explained :is(h1, h2, h3, h4, h5, h6) { font-size: 14px; margin: 6px 0; padding: 0; }
@media (max-width: 600px) {
  .page { padding: 16px 14px 60px; } h1 { font-size: 22px; }
  .opened { padding-left: 4px; } th, td { padding-right: 12px; }
  tbody th { min-width: 7.5em; max-width: 11em; } .name { white-space: normal; } .text { min-width: 8.5em; }
  .long { overflow-wrap: anywhere; }
  .items > li > details > summary { grid-template-columns: 14px 1fr; }
  .items > li > details > summary .marks { grid-column: 2; justify-content: flex-start; max-width: none; }
}
@media print {
  :root { color-scheme: light; --ink: #000; --dim: #444; --back: #fff; --card: #fff; --line: #bbb; --strong: #777;
    --good: #1a6b36; --bad: #b3261e; --warn: #6b4700; --link: #000; --code: #f3f3f3; --alarm: #fff;
    --floor: #f3f3f3; }
  body { font-size: 11pt; } .page { max-width: none; padding: 0; } .body { display: block; }
  nav, .explorer, .files, .skip { display: none; }
  .here { display: none; } .folded::details-content { content-visibility: visible; }
  .panels { grid-template-columns: repeat(auto-fit, minmax(8cm, 1fr)); } .panels > div { break-inside: avoid; }
  .folded > summary { display: none; } .glossary > summary { display: block; font-weight: 600; }
  .scroll { overflow: visible; background: none; } .data tr > :first-child { position: static; }
  table { font-size: 9pt; width: auto; } td.n small { font-size: 7.5pt; }
  th, td { padding-right: 8px; } tbody th, .text { min-width: 0; } .name { white-space: normal; }
  .text, .widest :is(th, td) { overflow-wrap: anywhere; }
  .wide { font-size: 7.5pt; } .wide td.n small { font-size: 5.5pt; } .wide :is(th, td) { padding-right: 5px; }
  .widest { font-size: 6.5pt; } .widest td.n small { font-size: 5pt; } .widest :is(th, td) { padding-right: 3px; }
  th.n { white-space: normal; }
  .wide td.n small { white-space: normal; }
  thead { display: table-header-group; } tr, figure, h2, h3 { break-inside: avoid; }
  h2, h3, caption { break-after: avoid; } .panels svg { max-height: 23cm; }
}
"""
)
