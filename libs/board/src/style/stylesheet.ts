/** The one stylesheet of the board. It names no other file, and needs no style attribute. */
export const stylesheet = `/* The operator's board. One stylesheet, no images, no fonts, no motion; passes style-src 'self'. */

/* 1. Tokens ------------------------------------------------------------------------------------ */
:root {
  color-scheme: light dark;

  /* ground and ink */
  --paper: #f5f6f8;
  --surface: #ffffff;
  --sunk: #eff1f5;
  --line: #e2e6eb;
  --line-strong: #828c9b;
  --ink: #161a21;
  --ink-2: #454e5c;
  --ink-3: #5d6776;
  --accent: #1d58cf;
  --accent-solid: #1d58cf;
  --accent-ink: #ffffff;

  /* states: a tone for shape and word, a tint for what lies under them. Each has a shape of its own */
  --good: #17703f;
  --good-tint: #e5f4eb;
  --wait: #2456b8;
  --wait-tint: #e8effc;
  --warn: #8a5300;
  --warn-tint: #fdf2da;
  --bad: #b4231a;
  --bad-tint: #fdebe9;
  --calm: #5d6776;
  --calm-tint: #eceff3;

  /* charts */
  --left: #2c9a61;
  --bar: #4a7bdc;
  --bar-soft: #c9d8f5;
  --grid: #e2e6eb;

  /* space: 4 px steps */
  --s1: 0.25rem;
  --s2: 0.5rem;
  --s3: 0.75rem;
  --s4: 1rem;
  --s5: 1.5rem;
  --s6: 2rem;

  /* type */
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  --t-xs: 0.75rem;
  --t-s: 0.8125rem;
  --t-m: 0.875rem;
  --t-l: 1rem;
  --t-xl: 1.375rem;
  --t-2xl: 2rem;

  --radius: 0.625rem;
  --radius-s: 0.375rem;
  --control: 2rem;
}

@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0e1116;
    --surface: #161a20;
    --sunk: #1e232b;
    --line: #2a303a;
    --line-strong: #727d8d;
    --ink: #e9ecf1;
    --ink-2: #bcc4cf;
    --ink-3: #98a2b1;
    --accent: #8fb3ff;
    --accent-solid: #2f67dc;

    --good: #6fd39b;
    --good-tint: #12301f;
    --wait: #94b6ff;
    --wait-tint: #182846;
    --warn: #f0be62;
    --warn-tint: #2b220f;
    --bad: #ff857b;
    --bad-tint: #301817;
    --calm: #a4aebb;
    --calm-tint: #232932;

    --left: #3fae76;
    --bar: #5b8def;
    --bar-soft: #2b3f66;
    --grid: #2a303a;
  }
}

/* touch: larger controls, and 16 px in fields so that phones do not zoom */
@media (pointer: coarse), (max-width: 45rem) {
  :root { --control: 2.75rem; --field: 1rem; }
}

/* 2. Ground ------------------------------------------------------------------------------------ */
*, *::before, *::after { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); scroll-padding-block: 1rem 6rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; font: var(--t-m)/1.45 var(--sans); font-variant-numeric: tabular-nums; }
h1, h2, h3, p, ol, ul, dl, dd, figure { margin: 0; padding: 0; }
ol, ul { list-style: none; }
h1 { font-size: var(--t-xl); line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; text-wrap: balance; }
h2 { font-size: var(--t-m); line-height: 1.4; font-weight: 650; }
h3 { font-size: var(--t-m); font-weight: 600; }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
code, kbd, pre, .id { font-family: var(--mono); font-size: 0.93em; }
code, .err { overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.vh { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.mute { color: var(--ink-3); }
.money { white-space: nowrap; }
.nw { white-space: nowrap; }
.skip { position: absolute; inset: var(--s2) auto auto var(--s2); z-index: 9; padding: var(--s2) var(--s4);
  background: var(--surface); border: 1px solid var(--line-strong); border-radius: var(--radius-s); }
.skip:not(:focus) { clip-path: inset(50%); }
.sprite { position: absolute; width: 0; height: 0; }

/* 3. Frame: side navigation, top line, main ---------------------------------------------------- */
.frame { display: grid; grid-template-columns: 13rem minmax(0, 1fr); min-height: 100vh; }
.side { position: sticky; inset: 0 auto auto 0; width: 13rem; height: 100vh; margin: 0; padding: var(--s4) var(--s3);
  display: flex; flex-direction: column; gap: var(--s4); overflow: auto; color: inherit;
  background: transparent; border: 0; }
.frame > div { border-left: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: var(--s2); min-height: 2rem; padding: 0 var(--s3);
  font-weight: 650; font-size: var(--t-l); color: var(--ink); text-decoration: none; }
.side .group { padding: 0 var(--s3) var(--s1); font-size: var(--t-xs); font-weight: 500; color: var(--ink-3); }
.side li a { display: flex; align-items: center; justify-content: space-between; gap: var(--s2); min-height: var(--control);
  padding: var(--s1) var(--s3); border-radius: var(--radius-s); color: var(--ink-2); text-decoration: none; }
.side li a:hover { background: var(--sunk); color: var(--ink); }
.side [aria-current] { background: var(--calm-tint); color: var(--ink); font-weight: 600; box-shadow: inset 2px 0 var(--accent); }
.side .foot { margin-top: auto; padding: 0 var(--s3); font-size: var(--t-xs); color: var(--ink-3); }
.count { display: inline-flex; align-items: center; gap: 0.3em; font-size: var(--t-xs); font-weight: 600; color: var(--tone, var(--ink-3)); }

.top { display: flex; align-items: center; gap: var(--s3) var(--s4); padding: var(--s3) var(--s6); border-bottom: 1px solid var(--line); }
.top .brand, .top .open { display: none; }
.find { position: relative; flex: 1 1 16rem; max-width: 26rem; }
.find kbd { position: absolute; inset: 0 var(--s2) 0 auto; height: 1.25rem; margin: auto; padding: 0 0.4rem; color: var(--ink-3);
  font-size: var(--t-xs); line-height: 1.15rem; border: 1px solid var(--line); border-radius: 0.25rem; pointer-events: none; }
.find input { padding-right: 2.25rem; }
.asof { display: flex; align-items: center; gap: var(--s2); margin-left: auto; font-size: var(--t-s); color: var(--ink-3); white-space: nowrap; }
.menu { position: relative; font-size: var(--t-s); }
.menu > summary { display: flex; align-items: center; min-height: var(--control); color: var(--ink); font-weight: 500; }
.menu > summary::before { order: 1; margin: 0.15rem 0 0 0.5em; transform: rotate(90deg); color: var(--ink-3); }
.menu > div { position: absolute; inset: calc(100% + var(--s1)) 0 auto auto; z-index: 5; width: 16rem; padding: var(--s4);
  display: grid; gap: var(--s2); background: var(--surface); border: 1px solid var(--line-strong); border-radius: var(--radius); }
main { display: block; padding: var(--s5) var(--s6) var(--s6); max-width: 100rem; }
main > * + * { margin-top: var(--s4); }
@media (scripting: none) { .copy, .find kbd { display: none !important; } }

/* 4. Small parts: shape, status, chip, button, field ------------------------------------------- */
.is-good { --tone: var(--good); --tint: var(--good-tint); }
.is-wait { --tone: var(--wait); --tint: var(--wait-tint); }
.is-warn { --tone: var(--warn); --tint: var(--warn-tint); }
.is-bad { --tone: var(--bad); --tint: var(--bad-tint); }
.is-calm { --tone: var(--calm); --tint: var(--calm-tint); }
.shape { flex: none; width: 0.75rem; height: 0.75rem; fill: var(--tone, currentColor); fill-rule: evenodd; }
.status { display: inline-flex; align-items: baseline; gap: 0.45em; white-space: nowrap; }
.status .shape { align-self: center; }
.status.is-bad, .status.is-warn { color: var(--tone); font-weight: 600; }
.pill { padding: 0.1rem 0.6rem 0.1rem 0.5rem; min-height: 1.5rem; font-size: var(--t-s); font-weight: 600; color: var(--tone);
  background: var(--tint); border: 1px solid transparent; border-radius: 1rem; }
.test { padding: 0.1rem 0.5rem; font-size: var(--t-xs); font-weight: 600; color: var(--warn); white-space: nowrap;
  border: 1px dashed currentColor; border-radius: var(--radius-s); }
.id { display: inline-block; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom;
  user-select: all; }
th .id, td .id { max-width: 17ch; }
.id.cut { max-width: 9ch; }

.btn { display: inline-flex; align-items: center; justify-content: center; gap: var(--s2); min-height: var(--control); padding: 0.2rem 0.75rem;
  font: 500 var(--t-s)/1.2 var(--sans); font-variant-numeric: tabular-nums; color: var(--ink); text-decoration: none; white-space: nowrap;
  background: var(--surface); border: 1px solid var(--line-strong); border-radius: var(--radius-s); cursor: pointer; }
.btn:hover { background: var(--sunk); }
.btn.off { color: var(--ink-3); background: none; border-color: var(--line); cursor: default; }
.btn.main { color: var(--accent-ink); background: var(--accent-solid); border-color: var(--accent-solid); font-weight: 600; }
.btn.main:hover { filter: brightness(0.92); }
.link { min-height: 1.5rem; padding: 0; font: inherit; font-size: var(--t-s); color: var(--accent); background: none; border: 0;
  border-radius: 2px; cursor: pointer; white-space: nowrap; text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s3); }
.acts { display: flex; flex-wrap: wrap; gap: var(--s2); align-items: center; }

label, legend { font-size: var(--t-s); font-weight: 500; color: var(--ink-2); }
input, select, textarea { width: 100%; min-height: var(--control); padding: 0.25rem 0.6rem; font: inherit; font-size: var(--field, var(--t-m));
  color: var(--ink); background: var(--surface); border: 1px solid var(--line-strong); border-radius: var(--radius-s); }
textarea { min-height: 4.5rem; padding-block: 0.4rem; resize: vertical; }
::placeholder { color: var(--ink-3); opacity: 1; }
.field { display: grid; grid-template-columns: minmax(0, 1fr); min-width: 0; gap: var(--s1); align-content: start; }
.hint { font-size: var(--t-s); color: var(--ink-3); }
[aria-invalid="true"] { border: 2px solid var(--bad); }

summary { min-height: 1.5rem; padding-block: 0.1rem; cursor: pointer; color: var(--accent); list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: ""; display: inline-block; width: 0; height: 0; margin-right: 0.5em; vertical-align: 0.05em;
  border: 0.28em solid transparent; border-left: 0.42em solid currentColor; border-right: 0; }
[open] > summary::before { transform: rotate(90deg); }
pre { margin: var(--s2) 0 0; padding: var(--s3); max-height: 20rem; overflow: auto; font-size: var(--t-xs); line-height: 1.5;
  white-space: pre-wrap; overflow-wrap: anywhere; background: var(--sunk); border-radius: var(--radius-s); }

/* 5. Panel and the page's columns -------------------------------------------------------------- */
.panel { min-width: 0; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
.panel .head { display: flex; align-items: center; justify-content: space-between; gap: var(--s3); min-height: 2.75rem; padding: var(--s2) var(--s4); }
.panel .head > a, .panel .head > p { font-size: var(--t-s); }
.panel > .body { padding: 0 var(--s4) var(--s4); }
.cols { display: grid; grid-template-columns: repeat(12, minmax(0, 1fr)); gap: var(--s4); align-items: start; }
.cols.even { align-items: stretch; }
.cols > * { grid-column: span 12; }
.stack { display: grid; gap: var(--s4); min-width: 0; }
.empty { padding: var(--s2) var(--s4) var(--s4); color: var(--ink-3); }
.empty.blank { padding: var(--s6) var(--s4); display: grid; gap: var(--s3); justify-items: center; text-align: center; }
.empty h2 { color: var(--ink); }

/* 6. Verdict and what needs a person ----------------------------------------------------------- */
.verdict { display: flex; align-items: center; gap: var(--s3); }
.verdict .shape { width: 1.25rem; height: 1.25rem; }
.verdict p { color: var(--ink-3); padding-top: 0.25rem; }
.verdict .h1 { padding: 0; font-size: var(--t-xl); line-height: 1.25; font-weight: 650; color: var(--ink); }
.needs { overflow: hidden; }
.needs > li { display: grid; grid-template-columns: 1rem minmax(0, 1fr) auto; gap: var(--s1) var(--s3); align-items: start;
  padding: var(--s3) var(--s4); box-shadow: inset 3px 0 var(--tone); }
.needs > li + li { border-top: 1px solid var(--line); }
.needs .shape { width: 0.875rem; height: 0.875rem; margin-top: 0.25rem; }
.needs h2, .needs h3 { font-weight: 600; overflow-wrap: anywhere; }
.needs p { font-size: var(--t-s); color: var(--ink-2); margin-top: 0.15rem; }
.err { font-family: var(--mono); font-size: var(--t-s); color: var(--ink-2); }
.note { display: flex; gap: var(--s3); padding: var(--s3) var(--s4); color: var(--ink); background: var(--tint); border: 1px solid color-mix(in srgb, var(--tone) 40%, transparent);
  border-radius: var(--radius); }
.note .shape { margin-top: 0.25rem; }
.note p + p, .note ul { margin-top: var(--s1); }

/* 7. Figures ----------------------------------------------------------------------------------- */
.figures { display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); overflow: hidden; }
.figures > div { display: grid; grid-row: span 3; grid-template-rows: subgrid; row-gap: 0.1rem; align-content: start; padding: var(--s3) var(--s4); box-shadow: -1px -1px var(--line); }
.figures dt { font-size: var(--t-s); line-height: 1.3; }
.figures dt a { color: var(--ink-2); text-decoration: none; }
.figures dt a:hover { text-decoration: underline; }
.figures dd { display: flex; align-items: center; gap: 0.4rem; font-size: var(--t-xl); line-height: 1.3; font-weight: 600; }
.figures .zero dd { color: var(--ink-3); font-weight: 400; }
.figures dd + dd { display: block; font-size: var(--t-xs); font-weight: 400; color: var(--ink-3); }

/* 8. Tables ------------------------------------------------------------------------------------ */
table { width: 100%; border-collapse: collapse; }
caption { text-align: left; }
caption:not(.vh) { padding: var(--s3) var(--s4) var(--s2); }
th a { text-decoration: none; font-weight: 500; }
th a:hover { text-decoration: underline; }
th.nw { width: 1%; }
th, td { padding: var(--s2) var(--s3); text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
th:first-child, td:first-child { padding-left: var(--s4); }
th:last-child, td:last-child { padding-right: var(--s4); }
thead th { padding-block: var(--s1) var(--s2); border: 0; font-size: var(--t-xs); font-weight: 500; color: var(--ink-3); white-space: nowrap; }
tbody th { font-weight: 400; }
.num { text-align: right; white-space: nowrap; }
td.num .money { font-weight: 600; }
td small, th small, dd small { display: block; font-size: var(--t-xs); color: var(--ink-3); font-weight: 400; }
tbody tr:hover > :not([scope="rowgroup"]) { background: color-mix(in srgb, var(--sunk) 50%, transparent); }
.list { font-size: var(--t-s); }
.state .status { margin-right: var(--s2); }
.when small { white-space: nowrap; }
td.num small { white-space: normal; }
.plain thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.plain tbody th { width: 48%; overflow-wrap: anywhere; }
.plain .more td { padding-top: 0; border: 0; }
.plain .num { width: 1%; }
.plain tbody tr:first-child > * { border: 0; padding-top: 0; }
.group > section + section { border-top: 1px solid var(--line); }
th[scope="rowgroup"] { padding-block: 0.3rem; font-size: var(--t-xs); font-weight: 600; color: var(--ink-2); background: var(--sunk); }

/* 9. Payment: head, money, facts, timeline ----------------------------------------------------- */
.crumb { font-size: var(--t-s); }
.hero { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: end; gap: var(--s3) var(--s5); }
.hero h1 { font-size: var(--t-l); font-weight: 500; color: var(--ink-2); overflow-wrap: anywhere; }
.hero .sum { margin: var(--s1) 0 var(--s2); font-size: var(--t-2xl); line-height: 1.15; font-weight: 650; letter-spacing: -0.02em; white-space: nowrap; }
.bar { display: block; width: 100%; height: 0.5rem; border-radius: 0.25rem; background: var(--calm-tint); }
.bar .left { fill: var(--left); }
.bar .back { fill: url(#hatch); }
.bar .gone { fill: var(--line-strong); }
.hatch-ground { fill: var(--calm-tint); }
.hatch-line { stroke: var(--calm); stroke-width: 2.5; }
.money-flow { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); gap: var(--s3); }
.money-flow dt, .facts dt { font-size: var(--t-xs); color: var(--ink-3); display: flex; align-items: center; gap: 0.4em; }
.money-flow dd { font-weight: 600; white-space: nowrap; }
.money-flow .zero dd { font-weight: 400; color: var(--ink-3); }
.bar + * { margin-top: var(--s3); }
.key { display: inline-block; vertical-align: -0.05em; width: 0.75rem; height: 0.75rem; flex: none; border-radius: 2px; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: var(--s3) var(--s5); }
.facts dd { overflow-wrap: anywhere; }
.rule { border-top: 1px solid var(--line); margin-top: var(--s4); padding-top: var(--s4); }

.timeline { padding: 0 var(--s4) var(--s4); }
.timeline li { position: relative; display: grid; grid-template-columns: 6rem 1rem minmax(0, 1fr) auto; gap: 0 var(--s3); padding: 0.35rem 0; }
.timeline li:not(:last-child)::after { content: ""; position: absolute; left: 7.22rem; top: 1.6rem; bottom: -0.4rem; width: 1px; background: var(--line); }
.timeline .at, .timeline .gap { font-size: var(--t-s); color: var(--ink-3); line-height: 1.55; }
.timeline .shape { width: 0.875rem; height: 0.875rem; margin: 0.2rem auto 0; fill: var(--tone, var(--ink-3)); }
.timeline b { font-weight: 600; }
.copyable { display: flex; align-items: baseline; gap: var(--s1); min-width: 0; }
.copyable .id { flex: 0 1 auto; min-width: 0; }
.folds details { padding: 0 var(--s4); }
.folds details + details { border-top: 1px solid var(--line); }
.folds details > :not(summary) { margin-bottom: var(--s4); }
.folds summary { padding: var(--s3) 0; }
.facts.one { grid-template-columns: minmax(0, 1fr); }
.timeline q, .timeline small { display: block; font-size: var(--t-s); color: var(--ink-2); }

/* 10. Tabs, filters, pages --------------------------------------------------------------------- */
.tabs { display: flex; gap: var(--s1); overflow-x: auto; border-bottom: 1px solid var(--line); scrollbar-width: thin; }
.tabs a { display: inline-flex; align-items: center; gap: 0.45em; min-height: 2.5rem; padding: 0 var(--s3); color: var(--ink-2); text-decoration: none;
  white-space: nowrap; border-bottom: 2px solid transparent; }
.tabs a:hover { color: var(--ink); border-color: var(--line-strong); }
.tabs [aria-current] { color: var(--ink); font-weight: 600; border-color: var(--accent); }
.tabs a:focus-visible { outline-offset: -3px; }
.tabs .count { font-weight: 500; }
progress { display: block; width: 100%; margin-bottom: var(--s3); accent-color: var(--good); }
/* Beside a button, too, a finger hits it. */
.cards th > a { display: inline-block; min-height: 1.5rem; }
.pieces { display: grid; gap: var(--s3); min-width: 0; margin: 0; padding: 0; border: 0; }
.pieces legend { padding: 0; font-weight: 600; }
.switch { display: flex; flex-wrap: wrap; margin-right: -0.6rem; font-size: var(--t-s); }
.switch a { display: inline-flex; align-items: center; min-height: 1.75rem; padding: 0 0.6rem; color: var(--ink-2); text-decoration: none; border-radius: var(--radius-s); }
.switch a:hover { background: var(--sunk); }
.switch [aria-current] { background: var(--calm-tint); color: var(--ink); font-weight: 600; }
.filters { display: grid; grid-template-columns: minmax(14rem, 2fr) repeat(3, minmax(8rem, 1fr)) auto; gap: var(--s3); align-items: end; }
.pager { display: flex; justify-content: space-between; align-items: center; gap: var(--s3); padding: var(--s3) var(--s4); border-top: 1px solid var(--line); color: var(--ink-3); font-size: var(--t-s); }

/* 11. Charts: SVG in per cent of its box, so that nothing is stretched and no style attribute is needed */
.chart .body { display: flex; flex-direction: column; gap: var(--s3); height: calc(100% - 2.75rem); }
.big { font-size: var(--t-xl); line-height: 1.25; font-weight: 600; }
.plot { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: var(--s1) var(--s2); font-size: var(--t-xs); color: var(--ink-3); margin-top: auto; padding-top: var(--s2); }
.plot svg { display: block; width: 100%; height: 7.5rem; overflow: visible; }
.plot .y { display: flex; flex-direction: column; justify-content: space-between; text-align: right; margin-block: -0.55rem; }
.plot .x { grid-column: 2; display: flex; justify-content: space-around; }
.plot .x span { flex: 1; text-align: center; }
.plot .x.ends { justify-content: space-between; }
.plot .x.ends span { flex: none; }
.gridline { stroke: var(--grid); stroke-width: 1; }
.gridline.base { stroke: var(--line-strong); }
.bars-v rect { fill: var(--bar); }
.bars-v .today { fill: var(--bar-soft); stroke: var(--bar); stroke-dasharray: 3 2; }
.trend line:not(.gridline) { stroke: var(--bar); stroke-width: 2; stroke-linecap: round; }
.trend circle { fill: var(--bar); }
.trend .today { fill: var(--surface); stroke: var(--bar); stroke-width: 2; }
.trend line.today { stroke-dasharray: 3 4; }
.reasons { display: grid; gap: var(--s2); margin-top: auto; }
.reasons li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 var(--s2); font-size: var(--t-s); }
.reasons svg { grid-column: 1 / -1; display: block; width: 100%; height: 0.375rem; }
.reasons rect { fill: var(--bar); }
.reasons .track { fill: var(--calm-tint); }

/* 12. The second step -------------------------------------------------------------------------- */
.step { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: var(--s4); align-items: start; }
.step .panel > .body > * + * { margin-top: var(--s4); }
.sums th, .sums td { padding-inline: 0.4rem; }
.sums th:first-child, .sums td:first-child { padding-left: 0; }
.sums th:last-child, .sums td:last-child { padding-right: 0; }
.words { columns: 2 9rem; line-height: 1.9; }
.effects { counter-reset: n; display: grid; gap: var(--s2); }
.effects li { counter-increment: n; display: grid; grid-template-columns: 1.5rem minmax(0, 1fr); }
.effects li::before { content: counter(n) "."; color: var(--ink-3); }
.bottom { display: flex; flex-wrap: wrap; gap: var(--s3); align-items: center; }

/* 13. Widths ----------------------------------------------------------------------------------- */
@media (min-width: 45.01rem) {
  .w3, .w4, .w5, .w6, .w7 { grid-column: span 6; }
}
@media (min-width: 75rem) {
  .w3 { grid-column: span 3; }
  .w4 { grid-column: span 4; }
  .w5 { grid-column: span 5; }
  .w7 { grid-column: span 7; }
}
@media (min-width: 88rem) {
  .list .when, .list .nw-wide { white-space: nowrap; }
  .list .when small { display: inline; margin-left: 0.25rem; }
}
@media (max-width: 74.99rem) {
  .figures { grid-template-columns: repeat(4, minmax(0, 1fr)); }
  .top, main { padding-inline: var(--s5); }
  .filters { grid-template-columns: repeat(4, minmax(0, 1fr)); }
  .filters > :first-child { grid-column: span 4; }
  .only-wide { display: none; }
  .list .id { max-width: 12ch; }
  .list :is(th, td):not(:first-child) { padding-left: 0.4rem; }
  .list :is(th, td):not(:last-child) { padding-right: 0.4rem; }
  .cols > .w-full { grid-column: span 12; }
}
@media (max-width: 59.99rem) {
  .frame { display: block; }
  .frame > div { border: 0; }
  .side:not(:popover-open) { display: none; }
  .side { position: fixed; inset: 0 auto 0 0; width: 17rem; height: 100%; max-height: none; background: var(--surface); }
  .side::backdrop { background: rgb(0 0 0 / 0.45); }
  .top { flex-wrap: wrap; }
  .top .brand { display: flex; padding: 0; order: -3; }
  .top .open { display: inline-flex; order: -2; margin-left: auto; }
  .find { order: 1; flex-basis: 100%; max-width: none; }
  .step { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 45rem) {
  .top { padding: var(--s2) var(--s4); gap: var(--s2) var(--s3); }
  .top .menu, .top .open { order: -1; }
  .top .menu { margin-left: 0; }
  .asof { order: 2; margin-left: 0; }
  main { padding: var(--s4) var(--s4) 6rem; }
  .needs > li { grid-template-columns: 1rem minmax(0, 1fr); }
  .needs .acts { grid-column: 2; margin-top: var(--s2); }
  .verdict { flex-wrap: wrap; }
  .verdict p:not(.h1) { flex-basis: 100%; margin-top: calc(-1 * var(--s3)); padding: 0 0 0 2rem; }
  .find kbd, .top:has(+ main .filters) .find { display: none; }
  .hero .sum { font-size: 1.75rem; }
  .panel .head { flex-wrap: wrap; gap: 0 var(--s3); }
  .figures { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .money-flow { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .money-flow > div { display: flex; justify-content: space-between; padding: 0.35rem 0; border-bottom: 1px solid var(--line); }
  .money-flow dt { font-size: var(--t-m); }
  .filters { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .filters > :first-child { grid-column: span 2; }
  .timeline li { grid-template-columns: 1rem minmax(0, 1fr) auto; }
  .timeline .at { grid-area: 1 / 2; }
  .timeline .gap { grid-area: 1 / 3; }
  .timeline .shape { grid-area: 1 / 1; }
  .timeline div { grid-area: 2 / 2 / auto / -1; }
  .timeline li:not(:last-child)::after { left: 0.47rem; }
  .pager .acts { flex-wrap: nowrap; }

  .asof, .asof .status { white-space: normal; }
  table:not(.cards) :is(th, td):not(:first-child) { padding-left: 0.4rem; }
  table:not(.cards) :is(th, td):not(:last-child) { padding-right: 0.4rem; }

  /* a table becomes cards: one row, one card; the column's name comes from data-label */
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards, .cards tbody { display: block; }
  .cards caption { display: block; }
  .cards tr { display: flex; flex-wrap: wrap; align-items: baseline; gap: var(--s1) var(--s3); padding: var(--s3) var(--s4); border-top: 1px solid var(--line); }
  .cards td, .cards th { display: block; width: auto; min-width: 0; max-width: 100%; padding: 0; border: 0; text-align: left; }
  .cards .day { padding: 0; }
  .cards .id { max-width: 100%; }
  .cards .day th { flex: 1; padding: var(--s1) var(--s4); }
  .cards td:empty { display: none; }
  .cards [data-label]::before { content: attr(data-label) " "; color: var(--ink-3); }
  .cards .lead { order: -2; flex: 1 1 55%; font-size: var(--t-l); }
  .cards .when { order: -1; text-align: right; }
  .cards .state { flex-basis: 100%; }
  .cards .fill { flex: 1; }

  /* the page's actions stay within the thumb's reach */
  .bottom { position: fixed; inset: auto 0 0; z-index: 4; flex-wrap: nowrap; padding: var(--s2) var(--s4) calc(var(--s2) + env(safe-area-inset-bottom));
    background: var(--surface); border-top: 1px solid var(--line); }
  .bottom > * { flex: 1; }
  .bottom .btn { width: 100%; }
}
@media (forced-colors: active) {
  .needs > li { border-left: 3px solid; }
  .side [aria-current], .tabs [aria-current], .switch [aria-current] { outline: 2px solid; outline-offset: -2px; }
  .bar, .bar rect, .trend circle, .bars-v rect, .reasons rect { forced-color-adjust: none; }
}
@media print { .side, .top, .acts, .bottom, .filters { display: none !important; } .frame { display: block; } }
`;
