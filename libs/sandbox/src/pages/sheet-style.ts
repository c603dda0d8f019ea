import { Html } from './html.js';

/** The pages of buyers and owners: one narrow sheet. */
export const sheetStyle = new Html(`
  body { padding: 1.5rem 1rem; }
  main { max-width: 27rem; margin: 0 auto; padding: 1.5rem; background: var(--paper); border-radius: 1rem;
    box-shadow: 0 1px 3px #0002, 0 8px 24px #0001; }
  h1 { margin: .25rem 0; font-size: 2rem; line-height: 1.2; }
  h2 { margin: 0; font-size: 1.15rem; }
  fieldset { margin: 1.25rem 0; padding: 0; border: 0; display: flex; gap: .75rem; flex-wrap: wrap; }
  fieldset.list { flex-direction: column; }
  legend { margin-bottom: .5rem; padding: 0; color: var(--soft); }
  label { display: block; }
  .choice { flex: 1; min-width: 8rem; padding: .75rem; border: 1px solid var(--line); border-radius: .6rem; }
  .choice:has(:checked) { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
  .choice small { display: block; padding-left: 1.6rem; color: var(--soft); }
  form:has([name=method]:checked:not([value=bank_card])) .card-fields { display: none; }
  .pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
  .field { margin-bottom: .9rem; }
  .field input { width: 100%; padding: .7rem; color: inherit; background: transparent;
    border: 1px solid var(--field); border-radius: .6rem; }
  .field input[aria-invalid] { border-color: var(--bad); }
  .error { margin: .25rem 0 0; color: var(--bad); font-size: .9rem; }
  .alert { padding: .75rem; color: var(--bad); background: var(--bad-ground); border-radius: .6rem; }
  .badge { margin: 0; color: var(--soft); font-size: .85rem; }
  .bank { margin: 1.25rem 0; padding: 1.1rem; border: 1px solid var(--line); border-radius: .8rem; }
  .bank h2 + button { margin-top: .9rem; }
  .bank p { margin: .5rem 0 1rem; }
  button, .button { display: block; width: 100%; padding: .85rem; font-weight: 600; text-align: center;
    text-decoration: none; color: #fff; background: #1c5fd4; border: 1px solid transparent;
    border-radius: .6rem; cursor: pointer; }
  .quiet { margin-top: .75rem; color: var(--ink); background: transparent; border-color: var(--line); }
  .code { display: block; width: 100%; max-width: 17rem; margin: 0 auto; border-radius: .6rem; }
  .number { font-size: 1.6rem; font-weight: 600; text-align: center; font-variant-numeric: tabular-nums; }
  .save { margin: 0 0 .9rem; font-size: .95rem; }
  .or { margin: .75rem 0 0; text-align: center; color: var(--soft); }
  .aside, details { color: var(--soft); font-size: .9rem; }
  summary { cursor: pointer; }
  th, td { padding: .35rem .5rem .35rem 0; text-align: left; border-top: 1px solid var(--line); }
  table { font-size: .95em; }
  td:first-child { white-space: nowrap; font-variant-numeric: tabular-nums; }
  td small { display: block; }
`);
