/** Tables, and all of one payment. */
export const records = `
/* tables */
table { width: 100%; border-collapse: collapse; }
caption { text-align: left; }
th a { text-decoration: none; font-weight: 500; }
th a:hover { text-decoration: underline; }
th, td { padding: var(--s2) var(--s3); text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
th:first-child, td:first-child { padding-left: var(--s4); }
th:last-child, td:last-child { padding-right: var(--s4); }
thead th { padding-block: var(--s1) var(--s2); border: 0; font-size: var(--t-xs); font-weight: 500; color: var(--ink-3); white-space: nowrap; }
tbody th { font-weight: 400; }
.num { text-align: right; white-space: nowrap; }
td.num .money { font-weight: 600; }
td small, th small, dd small { display: block; font-size: var(--t-xs); color: var(--ink-3); font-weight: 400; }
tbody tr:hover > * { background: color-mix(in srgb, var(--sunk) 50%, transparent); }
.list { font-size: var(--t-s); }
.state .status { margin-right: var(--s2); }
.when :is(time, small) { white-space: nowrap; }
td.num small { white-space: normal; }

/* payment: head, money, facts, timeline */
.crumb { font-size: var(--t-s); }
.hero { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: end; gap: var(--s3) var(--s5); }
.hero h1 { overflow-wrap: anywhere; }
.hero h1:has(+ .sum) { font-size: var(--t-l); font-weight: 500; color: var(--ink-2); }
.hero h1 + .row { margin-top: var(--s2); }
.hero .sum { margin: var(--s1) 0 var(--s2); font-size: var(--t-2xl); line-height: 1.15; font-weight: 650; letter-spacing: -0.02em; white-space: nowrap; }
.bar { display: block; width: 100%; height: 0.5rem; border-radius: 0.25rem; background: var(--calm-tint); }
.bar .left { fill: var(--left); }
.bar .back { fill: url(#hatch); }
.hatch-ground { fill: var(--calm-tint); }
.hatch-line { stroke: var(--calm); stroke-width: 2.5; }
.money-flow { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); gap: var(--s3); }
.money-flow dt, .facts dt { font-size: var(--t-xs); color: var(--ink-3); display: flex; align-items: center; gap: 0.4em; }
.money-flow dd { font-weight: 600; white-space: nowrap; }
.money-flow .zero dd { font-weight: 400; color: var(--ink-3); }
.bar + * { margin-top: var(--s3); }
.big { font-size: var(--t-xl); line-height: 1.25; font-weight: 600; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: var(--s3) var(--s5); }
.facts dd { overflow-wrap: anywhere; }

.timeline { padding: 0 var(--s4) var(--s4); }
.timeline li { position: relative; display: grid; grid-template-columns: 6rem 1rem minmax(0, 1fr) auto; gap: 0 var(--s3); padding: 0.35rem 0; }
.timeline li:not(:last-child)::after { content: ""; position: absolute; left: 7.22rem; top: 1.6rem; bottom: -0.4rem; width: 1px; background: var(--line); }
.timeline .at { font-size: var(--t-s); color: var(--ink-3); line-height: 1.55; }
.timeline .shape { width: 0.875rem; height: 0.875rem; margin: 0.2rem auto 0; fill: var(--tone, var(--ink-3)); }
.timeline b { font-weight: 600; }
.timeline :is(q, small) { display: block; font-size: var(--t-s); color: var(--ink-2); }
.timeline .at small { font-size: var(--t-xs); color: inherit; }
`;
