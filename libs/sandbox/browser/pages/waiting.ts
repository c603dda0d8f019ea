/**
 * Has the page look again by itself, less and less often: what is awaited happens elsewhere. Loads only a page that has changed; one that is over leads
 * on by a redirect, which may be to the shop.
 */

/** As where no script runs: src/pages/waiting-screen.ts. */
const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;
const GROWTH = 1.5;

let waitMs = FIRST_MS;
let round = 0;

function shownOn(page: Document): string | undefined {
  const main = page.querySelector('main')?.cloneNode(true);
  // What only passes is no change.
  if (main instanceof HTMLElement) for (const time of main.querySelectorAll('time')) time.remove();
  return main?.textContent ?? undefined;
}

async function hasChanged(): Promise<boolean> {
  const answer = await fetch(location.href, { redirect: 'manual' });
  if (answer.type === 'opaqueredirect') return true;
  if (!answer.ok) return false;
  const text = await answer.text();
  // Without its head: the policy of this page forbids the style of the other answer.
  const page = new DOMParser().parseFromString(text.slice(text.indexOf('<body')), 'text/html');
  return shownOn(page) !== shownOn(document);
}

async function look(mine: number): Promise<void> {
  if (mine !== round || document.hidden) return;
  if (await hasChanged().catch(() => false)) {
    location.reload();
    return;
  }
  waitMs = Math.min(waitMs * GROWTH, LONGEST_MS);
  plan(mine);
}

function plan(mine: number): void {
  setTimeout(() => void look(mine), waitMs);
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  waitMs = FIRST_MS;
  round += 1;
  void look(round);
});
plan(round);
