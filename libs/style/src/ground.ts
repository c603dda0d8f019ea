/** How plain elements look. */
export const ground = `
*, *::before, *::after { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); scroll-padding-block: 1rem 6rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; font: var(--t-m)/1.45 var(--sans); font-variant-numeric: tabular-nums; overflow-wrap: break-word; }
h1, h2, h3, p, ol, ul, dl, dd, figure { margin: 0; padding: 0; }
ol, ul { list-style: none; }
h1 { font-size: var(--t-xl); line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; text-wrap: balance; }
h2 { font-size: var(--t-m); line-height: 1.4; font-weight: 650; }
h3 { font-size: var(--t-m); font-weight: 600; }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
code, kbd, pre, .id { font-family: var(--mono); font-size: 0.93em; }
code { overflow-wrap: anywhere; }
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
