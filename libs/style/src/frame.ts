/** Side navigation, top line and main part of a page for whoever operates something. */
export const frame = `
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
.count { display: inline-flex; align-items: center; gap: 0.3em; font-size: var(--t-xs); font-weight: 600; color: var(--tone, var(--ink-3)); }

.top { display: flex; align-items: center; gap: var(--s3) var(--s4); padding: var(--s3) var(--s6); border-bottom: 1px solid var(--line); }
.top .brand, .top .open { display: none; }
.asof { display: flex; align-items: center; gap: var(--s2); margin-left: auto; font-size: var(--t-s); color: var(--ink-3); white-space: nowrap; }
main { display: block; padding: var(--s5) var(--s6) var(--s6); max-width: 100rem; }
main > * + * { margin-top: var(--s4); }
`;
