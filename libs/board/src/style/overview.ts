/** What needs a person, what is in progress, and the charts: SVG in per cent of its box, so that nothing is stretched. */
export const overview = `
.verdict { display: flex; align-items: center; gap: var(--s3); }
.verdict .shape { width: 1.25rem; height: 1.25rem; }
.verdict p { color: var(--ink-3); padding-top: 0.25rem; }
.needs { overflow: hidden; }
.needs > li { display: grid; grid-template-columns: 1rem minmax(0, 1fr) auto; gap: var(--s1) var(--s3); align-items: start;
  padding: var(--s3) var(--s4); box-shadow: inset 3px 0 var(--tone); }
.needs > li + li { border-top: 1px solid var(--line); }
.needs .shape { width: 0.875rem; height: 0.875rem; margin-top: 0.25rem; }
.needs h2 { font-weight: 600; overflow-wrap: anywhere; }
.needs p { font-size: var(--t-s); color: var(--ink-2); margin-top: 0.15rem; }

.figures { grid-template-columns: repeat(7, minmax(0, 1fr)); }
.figures dt a { color: var(--ink-2); text-decoration: none; }
.figures dt a:hover { text-decoration: underline; }
.figures .zero dd { color: var(--ink-3); font-weight: 400; }

:root {
  --bar: light-dark(#4a7bdc, #5b8def);
  --bar-soft: light-dark(#c9d8f5, #2b3f66);
}
.cols.even { align-items: stretch; }
.chart .body { display: flex; flex-direction: column; gap: var(--s3); height: calc(100% - 2.75rem); }
.plot { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: var(--s1) var(--s2); font-size: var(--t-xs); color: var(--ink-3); margin-top: auto; padding-top: var(--s2); }
.plot svg { display: block; width: 100%; height: 7.5rem; overflow: visible; }
.plot .y { display: flex; flex-direction: column; justify-content: space-between; text-align: right; margin-block: -0.55rem; }
.plot .x { grid-column: 2; display: flex; justify-content: space-around; }
.plot .x span { flex: 1; text-align: center; }
.gridline { stroke: var(--line); stroke-width: 1; }
.gridline.base { stroke: var(--line-strong); }
.bars-v rect { fill: var(--bar); }
.bars-v .today { fill: var(--bar-soft); stroke: var(--bar); stroke-dasharray: 3 2; }
.reasons { display: grid; gap: var(--s2); margin-top: auto; }
.reasons li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 var(--s2); font-size: var(--t-s); }
.reasons svg { grid-column: 1 / -1; display: block; width: 100%; height: 0.375rem; }
.reasons rect { fill: var(--bar); }
.reasons .track { fill: var(--calm-tint); }

@media (max-width: 74.99rem) {
  .figures { grid-template-columns: repeat(4, minmax(0, 1fr)); }
}
@media (max-width: 45rem) {
  .needs > li { grid-template-columns: 1rem minmax(0, 1fr); }
  .needs .acts { grid-column: 2; margin-top: var(--s2); }
  .verdict { flex-wrap: wrap; }
  .verdict p { flex-basis: 100%; margin-top: calc(-1 * var(--s3)); padding: 0 0 0 2rem; }
  .figures { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .plot .x span:nth-last-child(even) { visibility: hidden; }
}
@media (forced-colors: active) {
  .needs > li { border-left: 3px solid; }
  .bars-v rect, .reasons rect { forced-color-adjust: none; }
}
`;
