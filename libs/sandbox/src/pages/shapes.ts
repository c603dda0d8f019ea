import { Html, html } from './html.js';

/** Each state has a shape of its own, so that colour never says it alone. */
const paths = {
  done: '<circle cx="6" cy="6" r="5"/>',
  open: '<path d="M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1Zm0 1.6a3.4 3.4 0 1 1 0 6.8 3.4 3.4 0 0 1 0-6.8Z"/>',
  half: '<path d="M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1Zm0 1.6a3.4 3.4 0 0 1 0 6.8Z"/>',
  cross: '<path d="M2.3 1 6 4.7 9.7 1 11 2.3 7.3 6 11 9.7 9.7 11 6 7.3 2.3 11 1 9.7 4.7 6 1 2.3Z"/>',
  slash:
    '<path d="M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1ZM3.1 7.8a3.4 3.4 0 0 1 4.7-4.7ZM8.9 4.2a3.4 3.4 0 0 1-4.7 4.7Z"/>',
  stop: '<path d="M1 1h10v10H1Z"/>',
  warn: '<path d="M6 .5 12 11.5H0ZM5.2 4.4v3.3h1.6V4.4ZM5.2 8.5V10h1.6V8.5Z"/>',
  tick: '<path d="M.8 6.4 2.2 5l2.5 2.5L9.8 2l1.4 1.4-6.5 6.9Z"/>',
  mail: '<path d="M0 2h12v8H0ZM1.4 3.4v.4L6 6.9l4.6-3.1v-.4ZM1.4 5.5v3.1h9.2V5.5L6 8.5Z"/>',
  back: '<path d="M5 1 .7 4.8 5 8.6V6h2c1.6 0 2.5.8 2.5 2.3V11h1.8V8.1C11.3 5.5 9.7 3.9 7 3.9H5Z"/>',
  out: '<path d="M4 1h7v7H9.4V3.7L2.6 10.5 1.5 9.4 8.3 2.6H4Z"/>',
} as const;

export type Shape = keyof typeof paths;
export type Tone = 'good' | 'wait' | 'warn' | 'bad' | 'calm';

/** Opens the body of a page that shows shapes: each is drawn here once. */
export const sprite = new Html(
  `<svg class="sprite" aria-hidden="true" focusable="false">${Object.entries(paths)
    .map(([name, path]) => `<symbol id="s-${name}" viewBox="0 0 12 12">${path}</symbol>`)
    .join(
      '',
    )}<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-ground" width="6" height="6"/><line class="hatch-line" y2="6"/></pattern></svg>`,
);

export function shape(name: Shape): Html {
  return html`<svg class="shape" aria-hidden="true"><use href="#s-${name}" /></svg>`;
}

/** A state: its shape and its word, in its tone. */
export function status(tone: Tone, name: Shape, word: string, more: Html | null = null): Html {
  return html`<span class="status is-${tone}" ${more}>${shape(name)}${word}</span>`;
}
