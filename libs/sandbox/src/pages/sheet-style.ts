import { Html } from './html.js';

/** The pages of buyers and owners: one narrow sheet, in the tokens of all pages. */
export const sheetStyle = new Html(`
  /* What a page that shows this one in itself wants; otherwise the device's. */
  :root[data-theme=light] { color-scheme: light; }
  :root[data-theme=dark] { color-scheme: dark; }
  body { padding: var(--s5) var(--s4); font-size: 1rem; line-height: 1.5; overflow-wrap: anywhere; }
  main { max-width: 27rem; margin: 0 auto; padding: var(--s5); background: var(--surface); border: 1px solid var(--line);
    border-radius: 1rem; }
  main > * + * { margin-top: var(--s4); }
  .order { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 var(--s3); align-items: baseline; }
  .order > :not(.shop, .badge) { grid-column: 1 / -1; }
  .shop { font-weight: 600; }
  h1 { margin-top: var(--s1); font-size: var(--t-2xl); line-height: 1.2; font-variant-numeric: tabular-nums; }
  h2 { font-size: 1.125rem; }
  ul { padding-left: 1.2rem; list-style: disc; }
  fieldset { margin: 0 0 var(--s4); padding: 0; border: 0; display: flex; gap: var(--s3); flex-wrap: wrap; }
  fieldset.list { flex-direction: column; }
  legend { margin-bottom: var(--s2); padding: 0; font-size: var(--t-m); color: var(--ink-3); }
  label { display: block; font-size: inherit; font-weight: 400; color: inherit; }
  .choice { flex: 1; min-width: 8rem; padding: var(--s3); border: 1px solid var(--line-strong); border-radius: var(--radius); }
  .choice:has(:checked) { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
  .choice:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
  .choice small { display: block; padding-left: 1.6rem; color: var(--ink-3); }
  input[type=radio], input[type=checkbox] { width: 1rem; height: 1rem; min-height: 0; margin: 0 0.4rem 0 0; vertical-align: -0.1rem;
    accent-color: var(--accent-solid); }
  form:has([name=method]:checked:not([value=bank_card])) .card-fields { display: none; }
  .pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: var(--s3); }
  .field { display: block; margin-bottom: var(--s4); }
  .field label { margin-bottom: var(--s1); font-size: var(--t-m); color: var(--ink-2); }
  .field input { width: 100%; padding: 0.7rem; font: inherit; font-variant-numeric: tabular-nums; color: inherit; background: transparent;
    border: 1px solid var(--line-strong); border-radius: var(--radius); }
  .field input[aria-invalid] { border: 2px solid var(--bad); }
  .error { margin-top: var(--s1); color: var(--bad); font-size: var(--t-m); }
  .alert { padding: var(--s3); color: var(--bad); background: var(--bad-tint); border-radius: var(--radius); }
  .badge { font-size: var(--t-s); color: var(--ink-3); }
  .bank { padding: var(--s4); border: 1px solid var(--line); border-radius: var(--radius); }
  .bank > * + *, .bank form > * + * { margin-top: var(--s3); }
  .bank h2 + button { margin-top: var(--s4); }
  button, .button { display: block; width: 100%; min-height: 3rem; padding: 0.7rem var(--s4); font: inherit; font-weight: 600; text-align: center;
    text-decoration: none; color: var(--accent-ink); background: var(--accent-solid); border: 1px solid transparent;
    border-radius: var(--radius); cursor: pointer; }
  button:hover, .button:hover { filter: brightness(0.92); }
  .quiet { margin-top: var(--s3); color: var(--ink); background: transparent; border-color: var(--line-strong); }
  .link { display: inline; width: auto; min-height: 1.5rem; padding: 0; font-weight: 400; color: var(--accent); background: none;
    text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 0.2em; border: 0; border-radius: 2px; }
  .leave { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); justify-content: space-between; align-items: baseline; font-size: var(--t-m); }
  .code { display: block; width: 100%; max-width: 17rem; margin-inline: auto; border-radius: var(--radius); }
  .number { font-size: 1.6rem; font-weight: 600; text-align: center; font-variant-numeric: tabular-nums; }
  .save { margin-bottom: var(--s4); }
  .or { text-align: center; color: var(--ink-3); }
  .aside, details { font-size: var(--t-m); color: var(--ink-3); }
  summary { min-height: 1.5rem; cursor: pointer; color: var(--accent); }
  table { width: 100%; margin-top: var(--s2); border-collapse: collapse; font-size: var(--t-m); }
  th, td { padding: 0.4rem 0.5rem 0.4rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
  td:last-child { padding-right: 0; }
  td small { display: block; }
  .fill { display: block; }
  @media (scripting: none) { .fill { display: none; } }
  /* In a page of the shop: its ground, its width, no box in its box. */
  html:has(main.framed), body:has(> main.framed) { background: transparent; }
  body:has(> main.framed) { padding: 2px; }
  main.framed { max-width: none; padding: 0; background: none; border: 0; }
`);
