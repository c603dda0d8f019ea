import { Html } from './html.js';

/** A TypeScript string rather than a .css file, so that the compiler alone builds the package. */
export const style = new Html(`
  :root { color-scheme: light dark; --ink: #1b1f24; --soft: #5b6470; --paper: #fff; --ground: #f1f3f6;
    --line: #d5dae1; --accent: #1c5fd4; --bad: #b3261e; --bad-ground: #fdecea; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #eceff3; --soft: #a3acb8; --paper: #1d2127; --ground: #121519;
      --line: #3a414b; --accent: #4f8df5; --bad: #ffb4ab; --bad-ground: #3c1a18; } }
  * { box-sizing: border-box; }
  body { margin: 0; padding: 1.5rem 1rem; background: var(--ground); color: var(--ink);
    font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
  main { max-width: 27rem; margin: 0 auto; padding: 1.5rem; background: var(--paper); border-radius: 1rem;
    box-shadow: 0 1px 3px #0002, 0 8px 24px #0001; }
  h1 { margin: .25rem 0; font-size: 2rem; line-height: 1.2; }
  fieldset { margin: 1.25rem 0; padding: 0; border: 0; display: flex; gap: .75rem; flex-wrap: wrap; }
  legend { margin-bottom: .5rem; padding: 0; color: var(--soft); }
  label { display: block; }
  .choice { flex: 1; min-width: 8rem; padding: .75rem; border: 1px solid var(--line); border-radius: .6rem; }
  .choice:has(:checked) { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
  form:has(#method-wallet:checked) .card-fields { display: none; }
  .pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
  .field { margin-bottom: .9rem; }
  .field input { width: 100%; padding: .7rem; font: inherit; color: inherit; background: transparent;
    border: 1px solid var(--line); border-radius: .6rem; }
  .field input[aria-invalid] { border-color: var(--bad); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  .error { margin: .25rem 0 0; color: var(--bad); font-size: .9rem; }
  .alert { padding: .75rem; color: var(--bad); background: var(--bad-ground); border-radius: .6rem; }
  .badge { margin: 0; color: var(--soft); font-size: .85rem; }
  button, .button { display: block; width: 100%; padding: .85rem; font: inherit; font-weight: 600;
    text-align: center; text-decoration: none; color: #fff; background: #1c5fd4; border: 0;
    border-radius: .6rem; cursor: pointer; }
  button.quiet { margin-top: .75rem; color: var(--ink); background: transparent; border: 1px solid var(--line); }
  a { color: var(--accent); }
  .aside, details { color: var(--soft); font-size: .9rem; }
  table { width: 100%; border-collapse: collapse; }
  th, td { padding: .35rem 0; text-align: left; border-top: 1px solid var(--line); }
  td:first-child { padding-right: .75rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
`);
