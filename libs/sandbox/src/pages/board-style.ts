import { Html } from './html.js';

/**
 * The tokens of every page: colours of the light and the dark theme, space, type. A theme is the `color-scheme` of the root alone.
 * A TypeScript string rather than a .css file, so that the compiler alone builds the package.
 */
const tokens = `
  :root {
    color-scheme: light dark;

    /* ground and ink */
    --paper: light-dark(#f5f6f8, #0e1116);
    --surface: light-dark(#ffffff, #161a20);
    --sunk: light-dark(#eff1f5, #1e232b);
    --line: light-dark(#e2e6eb, #2a303a);
    --line-strong: light-dark(#828c9b, #727d8d);
    --ink: light-dark(#161a21, #e9ecf1);
    --ink-2: light-dark(#454e5c, #bcc4cf);
    --ink-3: light-dark(#5d6776, #98a2b1);
    --accent: light-dark(#1d58cf, #8fb3ff);
    --accent-solid: light-dark(#1d58cf, #2f67dc);
    --accent-ink: #ffffff;

    /* states: a tone for shape and word, a tint for what lies under them. Each has a shape of its own */
    --good: light-dark(#17703f, #6fd39b);
    --good-tint: light-dark(#e5f4eb, #12301f);
    --wait: light-dark(#2456b8, #94b6ff);
    --wait-tint: light-dark(#e8effc, #182846);
    --warn: light-dark(#8a5300, #f0be62);
    --warn-tint: light-dark(#fdf2da, #2b220f);
    --bad: light-dark(#b4231a, #ff857b);
    --bad-tint: light-dark(#fdebe9, #301817);
    --calm: light-dark(#5d6776, #a4aebb);
    --calm-tint: light-dark(#eceff3, #232932);

    /* money that is left */
    --left: light-dark(#2c9a61, #3fae76);

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

  :root[data-theme=light] { color-scheme: light; }
  :root[data-theme=dark] { color-scheme: dark; }

  /* touch: larger controls, and 16 px in fields so that phones do not zoom */
  @media (pointer: coarse), (max-width: 45rem) {
    :root { --control: 2.75rem; --field: 1rem; }
  }
`;

const ground = `
  /* ground */
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
  ::placeholder { color: var(--ink-3); opacity: 1; }
  .vh { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .mute { color: var(--ink-3); }
  .money { white-space: nowrap; }
  .nw { white-space: nowrap; }
  .skip { position: absolute; inset: var(--s2) auto auto var(--s2); z-index: 9; padding: var(--s2) var(--s4);
    background: var(--surface); border: 1px solid var(--line-strong); border-radius: var(--radius-s); }
  .skip:not(:focus) { clip-path: inset(50%); }
  .sprite { position: absolute; width: 0; height: 0; }
`;

/** What all pages share: tokens, and how plain elements look. */
export const groundStyle = new Html(`${tokens}${ground}`);

/** The frame, the parts and the tables of pages for whoever operates something; each state has a shape, a word and a tone. */
export const boardStyle = new Html(`
  /* frame: side navigation, top line, main */
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
  .asof { display: flex; align-items: center; gap: var(--s2); margin-left: auto; font-size: var(--t-s); color: var(--ink-3); white-space: nowrap; }
  main { display: block; padding: var(--s5) var(--s6) var(--s6); max-width: 100rem; }
  main > * + * { margin-top: var(--s4); }

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
  input, select { width: 100%; min-height: var(--control); padding: 0.25rem 0.6rem; font: inherit; font-size: var(--field, var(--t-m));
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
  .panel .head > a { font-size: var(--t-s); }
  .panel > .body { padding: 0 var(--s4) var(--s4); }
  .cols { display: grid; grid-template-columns: repeat(12, minmax(0, 1fr)); gap: var(--s4); align-items: start; }
  .cols > * { grid-column: span 12; }
  .stack { display: grid; gap: var(--s4); min-width: 0; }
  .empty { padding: var(--s2) var(--s4) var(--s4); color: var(--ink-3); }

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
  .when small { white-space: nowrap; }
  td.num small { white-space: normal; }

  /* payment: head, money, facts, timeline */
  .crumb { font-size: var(--t-s); }
  .hero { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: end; gap: var(--s3) var(--s5); }
  .hero h1 { font-size: var(--t-l); font-weight: 500; color: var(--ink-2); overflow-wrap: anywhere; }
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
  .timeline time { font-size: var(--t-s); color: var(--ink-3); line-height: 1.55; }
  .timeline .shape { width: 0.875rem; height: 0.875rem; margin: 0.2rem auto 0; fill: var(--tone, var(--ink-3)); }
  .timeline b { font-weight: 600; }
  .folds details { padding: 0 var(--s4); }
  .folds details + details { border-top: 1px solid var(--line); }
  .folds details > :not(summary) { margin-bottom: var(--s4); }
  .folds summary { padding: var(--s3) 0; }
  .timeline q, .timeline small { display: block; font-size: var(--t-s); color: var(--ink-2); }

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
    .list :is(th, td):not(:first-child) { padding-left: 0.4rem; }
    .list :is(th, td):not(:last-child) { padding-right: 0.4rem; }
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
    .asof { order: 2; margin-left: 0; }
    main { padding: var(--s4) var(--s4) 6rem; }
    .hero .sum { font-size: 1.75rem; }
    .panel .head { flex-wrap: wrap; gap: 0 var(--s3); }
    .money-flow { grid-template-columns: minmax(0, 1fr); gap: 0; }
    .money-flow > div { display: flex; justify-content: space-between; padding: 0.35rem 0; border-bottom: 1px solid var(--line); }
    .money-flow dt { font-size: var(--t-m); }
    .timeline li { grid-template-columns: 1rem minmax(0, 1fr) auto; }
    .timeline time { grid-area: 1 / 2; }
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
    .cards tr > :is(td, th):nth-child(n) { display: block; width: auto; min-width: 0; max-width: 100%; padding: 0; border: 0; text-align: left; }
    .cards .id { max-width: 100%; }
    .cards tr > td:empty { display: none; }
    .cards [data-label]::before { content: attr(data-label) " "; color: var(--ink-3); }
    .cards .lead { order: -2; flex: 1 1 40%; font-size: var(--t-l); }
    .cards tr > .when:nth-child(n) { order: -1; text-align: right; }
    .cards .state { flex-basis: 100%; }
    .cards tr > .fill:nth-child(n) { flex: 1 0 auto; max-width: 100%; }

  }
  @media (forced-colors: active) {
    .side [aria-current] { outline: 2px solid; outline-offset: -2px; }
    .bar, .bar rect { forced-color-adjust: none; }
  }
  @media print { .side, .top, .acts { display: none !important; } .frame { display: block; } }
`);
