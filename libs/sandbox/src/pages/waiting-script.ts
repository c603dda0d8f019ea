import { html, type Html } from './html.js';

const FIRST_SECONDS = 2;
const LONGEST_SECONDS = 60;
const GROWTH = 1.5;
const MOST_LOOKS = 99;

/**
 * Has the page look again by itself, less and less often: what is awaited happens elsewhere. Loads only a page that has changed; one that is over leads
 * on by a redirect, which may be to the shop.
 */
export const waitingScript = `
let waitMs = ${FIRST_SECONDS * 1_000};
let round = 0;
const shownOn = (page) => {
  const main = page.querySelector('main').cloneNode(true);
  // What only passes is no change.
  for (const time of main.querySelectorAll('time')) time.remove();
  return main.textContent;
};
async function hasChanged() {
  const answer = await fetch(location.href, { redirect: 'manual' });
  if (answer.type === 'opaqueredirect') return true;
  if (!answer.ok) return false;
  const text = await answer.text();
  // Without its head: the policy of this page forbids the style of the other answer.
  const page = new DOMParser().parseFromString(text.slice(text.indexOf('<body')), 'text/html');
  return shownOn(page) !== shownOn(document);
}
async function look(mine) {
  if (mine !== round || document.hidden) return;
  if (await hasChanged().catch(() => false)) return location.reload();
  waitMs = Math.min(waitMs * ${GROWTH}, ${LONGEST_SECONDS * 1_000});
  setTimeout(look, waitMs, mine);
}
document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  waitMs = ${FIRST_SECONDS * 1_000};
  round += 1;
  look(round);
});
setTimeout(look, waitMs, round);
`;

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
