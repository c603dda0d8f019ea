/** Parts of such a page: each state has a shape, a word and a tone. */
export const parts = `
/* small parts: shape, status, button, field */
.is-good { --tone: var(--good); --tint: var(--good-tint); }
.is-wait { --tone: var(--wait); --tint: var(--wait-tint); }
.is-warn { --tone: var(--warn); --tint: var(--warn-tint); }
.is-bad { --tone: var(--bad); --tint: var(--bad-tint); }
.is-calm { --tone: var(--calm); --tint: var(--calm-tint); }
.shape { flex: none; width: 0.75rem; height: 0.75rem; fill: var(--tone, currentColor); fill-rule: evenodd; }
.status { display: inline-flex; align-items: baseline; gap: 0.45em; white-space: nowrap; }
.status .shape { align-self: center; }
.status.is-bad, .status.is-warn { color: var(--tone); font-weight: 600; }
.id { display: inline-block; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom;
  user-select: all; }
th .id, td .id { max-width: 17ch; }

.btn { display: inline-flex; align-items: center; justify-content: center; gap: var(--s2); min-height: var(--control); padding: 0.2rem 0.75rem;
  font: 500 var(--t-s)/1.2 var(--sans); font-variant-numeric: tabular-nums; color: var(--ink); text-decoration: none; white-space: nowrap;
  background: var(--surface); border: 1px solid var(--line-strong); border-radius: var(--radius-s); cursor: pointer; }
.btn:hover { background: var(--sunk); }
.btn.main { color: var(--accent-ink); background: var(--accent-solid); border-color: var(--accent-solid); font-weight: 600; }
.btn.main:hover { filter: brightness(0.92); }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s3); }
.acts { display: flex; flex-wrap: wrap; gap: var(--s2); align-items: center; }

label, legend { font-size: var(--t-s); font-weight: 500; color: var(--ink-2); }
input, select, textarea { width: 100%; min-height: var(--control); padding: 0.25rem 0.6rem; font: inherit; font-size: var(--field, var(--t-m));
  color: var(--ink); background: var(--surface); border: 1px solid var(--line-strong); border-radius: var(--radius-s); }
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

/* panel and the page's columns */
.panel { min-width: 0; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
.panel .head { display: flex; align-items: center; justify-content: space-between; gap: var(--s3); min-height: 2.75rem; padding: var(--s2) var(--s4); }
.panel .head > a, .panel .head > p { font-size: var(--t-s); }
.panel > .body { padding: 0 var(--s4) var(--s4); }
.cols { display: grid; grid-template-columns: repeat(12, minmax(0, 1fr)); gap: var(--s4); align-items: start; }
.cols > * { grid-column: span 12; }
.stack { display: grid; gap: var(--s4); min-width: 0; }
.empty { padding: var(--s2) var(--s4) var(--s4); color: var(--ink-3); }
.head + .empty { padding-top: 0; }

/* what waits, what went wrong */
.note { display: flex; gap: var(--s3); padding: var(--s3) var(--s4); color: var(--ink); background: var(--tint); border: 1px solid color-mix(in srgb, var(--tone) 40%, transparent);
  border-radius: var(--radius); }
.note .shape { margin-top: 0.25rem; }
.note p + p, .note ul { margin-top: var(--s1); }

/* figures */
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); overflow: hidden; }
.figures > div { display: grid; grid-row: span 3; grid-template-rows: subgrid; row-gap: 0.1rem; align-content: start; padding: var(--s3) var(--s4); box-shadow: -1px -1px var(--line); }
.figures dt { font-size: var(--t-s); line-height: 1.3; }
.figures dd { display: flex; align-items: center; gap: 0.4rem; font-size: var(--t-xl); line-height: 1.3; font-weight: 600; }
.figures dd + dd { display: block; font-size: var(--t-xs); font-weight: 400; color: var(--ink-3); }
`;
