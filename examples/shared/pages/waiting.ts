import { html, type Html } from './html.js';

/** A page looks again by itself, after this time at first, and after more and more. */
export interface Waiting {
  seconds: number;
  /** How often this page has been looked at, as its address says. */
  looks: number;
}

const LONGEST_SECONDS = 60;
const GROWTH = 1.5;
/** An address that says more is not believed. */
const MOST_LOOKS = 99;

export function secondsUntilNextLook({ seconds, looks }: Waiting): number {
  return Math.min(Math.round(seconds * GROWTH ** looks), LONGEST_SECONDS);
}

/** Of an address, untrusted. */
export function parseLooks(text: string | undefined): number {
  return text !== undefined && /^\d{1,2}$/.test(text) ? Number(text) : 0;
}

/** undefined: nothing to wait for. */
export function waitingFor(seconds: number | undefined, looks: string | undefined): Waiting | undefined {
  return seconds === undefined ? undefined : { seconds, looks: parseLooks(looks) };
}

/** Without scripts the whole page is loaded again, and its address counts; with them only a page that has changed is. */
export function waitingHead(waiting: Waiting): Html {
  const next = `?looks=${Math.min(waiting.looks + 1, MOST_LOOKS)}`;
  return html`<noscript
      ><meta http-equiv="refresh" content="${secondsUntilNextLook(waiting)};url=${next}"
    /></noscript>
    <script defer src="/waiting.js" data-seconds="${waiting.seconds}"></script>`;
}

export const waitingScript = `(() => {
  'use strict';
  const firstMs = Number(document.currentScript.dataset.seconds) * 1000;
  let waitMs = firstMs;
  let round = 0;
  const shownOn = (page) => page.querySelector('main').textContent;
  const hasChanged = async () => {
    const answer = await fetch(location.href, { cache: 'no-store', redirect: 'manual' });
    if (answer.type === 'opaqueredirect') return true;
    if (!answer.ok) return false;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    return shownOn(page) !== shownOn(document);
  };
  // The page that nobody looks at asks for nothing; whoever comes back to it, as from the bank's application, sees at once how it is.
  const look = async (mine) => {
    if (mine !== round || document.hidden) return;
    if (await hasChanged().catch(() => false)) return location.reload();
    waitMs = Math.min(waitMs * ${GROWTH}, ${LONGEST_SECONDS * 1_000});
    setTimeout(look, waitMs, mine);
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    waitMs = firstMs;
    round += 1;
    look(round);
  });
  setTimeout(look, waitMs, round);
})();
`;
