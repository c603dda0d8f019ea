/** What changes with the width, in forced colours and on paper. */
export const widths = `
/* widths */
@media (min-width: 45.01rem) {
  .w5, .w7 { grid-column: span 6; }
}
@media (min-width: 75rem) {
  .w5 { grid-column: span 5; }
  .w7 { grid-column: span 7; }
}
@media (min-width: 88rem) {
  .list .when { white-space: nowrap; }
  .list .when small { display: inline; margin-left: 0.25rem; }
}
@media (max-width: 74.99rem) {
  .top, main { padding-inline: var(--s5); }
  .list .id { max-width: 12ch; }
  :where(.list) :is(th, td):not(:first-child) { padding-left: 0.4rem; }
  :where(.list) :is(th, td):not(:last-child) { padding-right: 0.4rem; }
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
}
@media (max-width: 45rem) {
  .top { padding: var(--s2) var(--s4); gap: var(--s2) var(--s3); }
  .top .open { order: -1; }
  .asof { order: 2; flex-wrap: wrap; margin-left: 0; }
  main { padding: var(--s4) var(--s4) 6rem; }
  .hero .sum { font-size: 1.75rem; }
  .panel .head { flex-wrap: wrap; gap: 0 var(--s3); }
  .money-flow { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .money-flow > div { display: flex; justify-content: space-between; padding: 0.35rem 0; border-bottom: 1px solid var(--line); }
  .money-flow dt { font-size: var(--t-m); }
  .timeline li { grid-template-columns: 1rem minmax(0, 1fr) auto; }
  .timeline .at { grid-area: 1 / 2; }
  .timeline .shape { grid-area: 1 / 1; }
  .timeline div { grid-area: 2 / 2 / auto / -1; }
  .timeline li:not(:last-child)::after { left: 0.47rem; }

  .asof, .asof .status { white-space: normal; }
  table:not(.cards) :is(th, td):not(:first-child) { padding-left: 0.4rem; }
  table:not(.cards) :is(th, td):not(:last-child) { padding-right: 0.4rem; }

  /* a table becomes cards: one row, one card; the column's name comes from data-label */
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards, .cards tbody { display: block; }
  .cards caption { display: block; }
  .cards tr { display: flex; flex-wrap: wrap; align-items: baseline; gap: var(--s1) var(--s3); padding: var(--s3) var(--s4); border-top: 1px solid var(--line); }
  .cards td, .cards th { display: block; width: auto; min-width: 0; max-width: 100%; padding: 0; border: 0; text-align: left; }
  .cards .id { max-width: 100%; }
  .cards td:empty { display: none; }
  .cards [data-label]::before { content: attr(data-label) " "; color: var(--ink-3); }
  .cards .lead { order: -2; flex: 1 1 40%; font-size: var(--t-l); }
  .cards .when { order: -1; flex-basis: 100%; }
  .cards .when small { display: inline; }
  .cards tr:has(> .lead) .when { flex-basis: auto; text-align: right; }
  .cards tr:has(> .lead) .when small { display: block; }
  .cards .state { flex-basis: 100%; }
}
@media (forced-colors: active) {
  .side [aria-current] { outline: 2px solid; outline-offset: -2px; }
  .bar, .bar rect { forced-color-adjust: none; }
}
@media print { .side, .top, .acts { display: none !important; } .frame { display: block; } }
`;
