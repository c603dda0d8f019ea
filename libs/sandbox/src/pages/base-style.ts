import { Html } from './html.js';

/** What all pages share. A TypeScript string rather than a .css file, so that the compiler alone builds the package. */
export const baseStyle = new Html(`
  :root { color-scheme: light dark; --ink: #1b1f24; --soft: #5b6470; --paper: #fff; --ground: #f1f3f6;
    --line: #d5dae1; --field: #8b95a3; --accent: #1c5fd4; --good: #17683a; --good-ground: #e5f5eb;
    --wait: #7a4d00; --wait-ground: #fdf1dc; --held: #1b4fae; --held-ground: #e4edfd; --bad: #b3261e; --bad-ground: #fdecea; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #eceff3; --soft: #a3acb8; --paper: #1d2127; --ground: #121519; --line: #3a414b;
      --field: #6c7683; --accent: #7aaaf8; --good: #8fdcae; --good-ground: #15301f; --wait: #f2c46d;
      --wait-ground: #33270f; --held: #a5c6ff; --held-ground: #16264a; --bad: #ffb4ab; --bad-ground: #3c1a18; } }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
    overflow-wrap: anywhere; }
  a { color: var(--accent); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  table { width: 100%; border-collapse: collapse; }
  button, input, select { font: inherit; }
`);
