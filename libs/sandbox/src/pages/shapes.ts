import { shapePaths, type ShapeName, type Tone } from '../../../style/src/index.js';
import { Html, html } from './html.js';

export type { ShapeName, Tone };

/** Opens the body of a page that shows shapes: each is drawn here once. */
export const sprite = new Html(
  `<svg class="sprite" aria-hidden="true" focusable="false">${Object.entries(shapePaths)
    .map(([name, path]) => `<symbol id="s-${name}" viewBox="0 0 12 12"><path d="${path}"/></symbol>`)
    .join(
      '',
    )}<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-ground" width="6" height="6"/><line class="hatch-line" y2="6"/></pattern></svg>`,
);

export function shape(name: ShapeName): Html {
  return html`<svg class="shape" aria-hidden="true"><use href="#s-${name}" /></svg>`;
}

/** A state: its shape and its word, in its tone. */
export function status(tone: Tone, name: ShapeName, word: string, more: Html | null = null): Html {
  return html`<span class="status is-${tone}" ${more}>${shape(name)}${word}</span>`;
}
