/** What the control page alone has. */
export const controlStyle = `
  .inline { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s3); align-items: end; max-width: 100%; }
  .inline .field { max-width: 100%; }
  .inline input, .inline select { width: auto; max-width: 100%; min-width: 0; }
  .inline > .hint { flex-basis: 100%; }
  .tick { display: inline-flex; align-items: center; gap: var(--s2); min-height: 1.5rem; font-weight: 400; }
  .tick[hidden] { display: none; }
  .tick input { width: 1rem; height: 1rem; min-height: 0; margin: 0; accent-color: var(--accent-solid); }
  /* No fault waits. */
  main > [hidden] + * { margin-top: 0; }
  .strip { flex-wrap: wrap; align-items: start; }
  .strip ul { flex: 1 1 16rem; min-width: 0; }
  .rows > li { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s4); justify-content: space-between; align-items: center;
    padding: var(--s3) var(--s4); border-top: 1px solid var(--line); overflow-wrap: anywhere; }
  .rows > li > div:first-child { flex: 1 1 18rem; min-width: 0; }
  code[title]:not(.id) { white-space: nowrap; }
  .attempts li + li { margin-top: var(--s1); }
  .state .status, .acts .btn { white-space: normal; overflow-wrap: anywhere; }
  .acts { align-items: end; }
  .acts form, .acts .btn { max-width: 100%; }
  tr:target > * { background: var(--wait-tint); }
  .side .foot { display: grid; gap: var(--s2); margin-top: auto; padding: 0 var(--s3); font-size: var(--t-xs); color: var(--ink-3); overflow-wrap: anywhere; }
  .asof a { color: inherit; }
  .panel .body + .empty { padding-top: 0; }
  .folds details { padding: 0 var(--s4); }
  .folds details + details { border-top: 1px solid var(--line); }
  .folds details > :not(summary) { margin-bottom: var(--s4); }
  .folds summary { padding: var(--s3) 0; }
  .folds .inline { padding-top: var(--s2); }
  th small code, td small code { font-size: 1em; }
  @media (max-width: 45rem) {
    .cards .fill { flex: 1 0 auto; max-width: 100%; }
  }
`;
