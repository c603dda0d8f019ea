import { html, type Html } from './html.js';

/** As where a script runs: browser/pages/waiting.ts. */
const FIRST_SECONDS = 2;
const LONGEST_SECONDS = 60;
const GROWTH = 1.5;
const MOST_LOOKS = 99;

/**
 * Has a page without `waitingScript` look again: its address counts. `kept`: what else stays in it.
 */
export function waitingScreen(looks: string | undefined, kept = ''): Html {
  const count = looks !== undefined && /^\d{1,2}$/.test(looks) ? Number(looks) : 0;
  const seconds = Math.min(Math.round(FIRST_SECONDS * GROWTH ** count), LONGEST_SECONDS);
  return html`<noscript
    ><meta
      http-equiv="refresh"
      content="${String(seconds)};url=?${kept}looks=${String(Math.min(count + 1, MOST_LOOKS))}"
  /></noscript>`;
}
