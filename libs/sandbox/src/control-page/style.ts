import { Html } from '../pages/html.js';

/** The control page: wide, two columns if there is room. */
export const style = new Html(`
  body { padding: 1.25rem clamp(.75rem, 3vw, 2rem) 3rem; }
  main { max-width: 90rem; margin: 0 auto; display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); }
  details.ticks { padding: .35rem .8rem; margin-bottom: .8rem; }
  .ticks .buttons { padding-top: .5rem; }
  h1, h2 { margin: 0; line-height: 1.25; }
  h1 { font-size: 1.5rem; }
  h2 { font-size: 1.1rem; }
  p { margin: .35rem 0; }
  .top { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: baseline; justify-content: space-between; }
  .top p { color: var(--soft); font-size: .9rem; }
  section, details { padding: 1rem 1.15rem; background: var(--paper); border: 1px solid var(--line);
    border-radius: .9rem; }
  section > header { display: flex; justify-content: space-between; align-items: baseline; }
  section:not(.clock) > :not(:last-child) { margin-bottom: .8rem; }
  .clock { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; }
  .clock p { margin: 0; flex: 1; min-width: 16rem; }
  #now { font-weight: 600; font-variant-numeric: tabular-nums; }
  .columns { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
  .column { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); }
  @media (min-width: 70rem) { .columns { grid-template-columns: minmax(0, 1.55fr) minmax(0, 1fr); } }
  ul, ol { margin: 0; padding: 0; list-style: none; }
  .payments > li, .rows > li { padding: .8rem 0; border-top: 1px solid var(--line); }
  .payments > li:first-child, .rows > li:first-child { border-top: 0; padding-top: .2rem; }
  .payments > li:target { background: var(--wait-ground); box-shadow: 0 0 0 .5rem var(--wait-ground); border-radius: .2rem; }
  .rows > li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; justify-content: space-between; align-items: center; }
  .what { display: flex; flex-wrap: wrap; gap: .25rem .7rem; align-items: baseline; }
  .amount { font-size: 1.1rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
  .chip { padding: .05rem .55rem; border-radius: 1rem; font-size: .8rem; font-weight: 600; white-space: nowrap; }
  .chip.good { color: var(--good); background: var(--good-ground); }
  .chip.bad { color: var(--bad); background: var(--bad-ground); }
  .chip.wait { color: var(--wait); background: var(--wait-ground); }
  .chip.held { color: var(--held); background: var(--held-ground); }
  dl { display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; margin: .35rem 0 .5rem; font-size: .88rem; }
  dl div { display: flex; gap: .4rem; }
  dt { color: var(--soft); }
  dd { margin: 0; }
  label > .hint, dt { flex: none; white-space: nowrap; }
  .hint, .empty { color: var(--soft); font-size: .88rem; }
  .good { color: var(--good); }
  .bad { color: var(--bad); }
  .attempts { font-size: .88rem; }
  code { font: .9em ui-monospace, monospace; }
  code[title] { white-space: nowrap; }
  .buttons, .buttons form { display: flex; flex-wrap: wrap; gap: .4rem .5rem; align-items: center; }
  .buttons form { max-width: 100%; }
  .buttons + .buttons { margin-top: .4rem; }
  label { display: inline-flex; gap: .35rem; align-items: center; max-width: 100%; }
  label > * { min-width: 0; }
  label[hidden] { display: none; }
  button, .button, input, select { padding: .3rem .65rem; color: var(--ink); background: var(--paper);
    border: 1px solid var(--field); border-radius: .5rem; font-size: .88rem; line-height: 1.4; max-width: 100%; }
  button, .button { cursor: pointer; font-weight: 600; text-decoration: none; }
  button:hover, .button:hover { border-color: var(--accent); color: var(--accent); }
  input[type=checkbox] { padding: 0; }
  .said { position: sticky; top: .5rem; z-index: 1; justify-self: start; padding: .6rem 1rem; border-radius: .6rem;
    margin: 0; box-shadow: 0 .3rem .8rem #0002; }
  section, .payments > li { scroll-margin-top: 4.5rem; }
  .said.good { background: var(--good-ground); }
  .said.bad { background: var(--bad-ground); }
  summary { cursor: pointer; font-weight: 600; }
  .top nav { display: flex; flex-wrap: wrap; gap: .3rem 1rem; font-size: .9rem; }
  #test-cards tbody { display: block; columns: 21rem; column-gap: 2rem; }
  #test-cards thead { display: none; }
  #test-cards tr { display: flex; justify-content: space-between; gap: 1rem; break-inside: avoid;
    border-top: 1px solid var(--line); }
  td { padding: .3rem 0; font-size: .88rem; }
  td:first-child { white-space: nowrap; font-variant-numeric: tabular-nums; }
  td small { display: block; color: var(--soft); }
  td:last-child { text-align: right; }
  /* The clock and what is sent stay in sight however far down the payments one reads. */
  @media (min-width: 76rem) and (min-height: 40rem) {
    .clock { position: sticky; top: .5rem; z-index: 1; box-shadow: 0 .6rem 1.2rem -.6rem #0003; }
    .column { position: sticky; top: 6rem; max-height: calc(100vh - 6.5rem); overflow-y: auto; }
    .said { top: 5.5rem; }
    section, .payments > li { scroll-margin-top: 9.5rem; }
  }
`);
