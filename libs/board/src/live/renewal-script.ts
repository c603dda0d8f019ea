import { idiomorph } from './idiomorph.js';

/**
 * Renews a page that is open: asks for its address again and morphs what differs, so that place, focus and what is unfolded stay. It waits while
 * the page is in use, so that nothing moves under a finger and nothing typed is lost. Without it a page works the same, and is read again by hand.
 */
export const renewalScript = `${idiomorph}
const EVERY_MS = 15000;
const LONGEST_MS = 300000;
const LOOK_AGAIN_MS = 1000;
const PATIENCE_MS = 30000;
const HANDS_OFF_MS = 2000;
const PARTS = ['main', 'nav', 'menu', 'asof'];
const part = (id, page = document) => page.getElementById(id);

let touchedMs = -Infinity;
for (const type of ['pointerdown', 'pointermove', 'pointerup', 'keydown', 'wheel', 'touchmove'])
  addEventListener(type, () => { touchedMs = Date.now(); }, { passive: true, capture: true });

const isTyped = (field) => field.type === 'hidden' ? false
  : field.options ? [...field.options].some((option) => option.selected !== option.defaultSelected)
  : field.type === 'checkbox' || field.type === 'radio' ? field.checked !== field.defaultChecked
  : field.value !== field.defaultValue;
const isSelected = (main, selection) => !selection.isCollapsed && main.contains(selection.anchorNode);
function isInUse() {
  const main = part('main');
  return Date.now() - touchedMs < HANDS_OFF_MS
    || main.querySelector(':is(input, select, textarea):focus') !== null
    || [...main.querySelectorAll('input, select, textarea')].some(isTyped)
    // A finger leaves no pointer behind, though the last thing it touched stays hovered.
    || (matchMedia('(hover: hover)').matches && main.querySelector(':is(a, button, summary, label):hover') !== null)
    || isSelected(main, getSelection());
}

let clock = part('asof').querySelector('time').textContent;
let tag = null;
let failures = 0;
let isAsking = false;
let askedMs = Date.now();
let renewedMs = Date.now();
let timer;

function say(id) {
  const told = part('renewal');
  if (told.dataset.says === id) return;
  told.dataset.says = id;
  told.replaceChildren(...(id === '' ? [] : [part(id).content.cloneNode(true)]));
  told.querySelector('b')?.append(clock.slice(0, 5));
}
function renewed() {
  failures = 0;
  renewedMs = Date.now();
  say('');
}
function show(page) {
  const keep = { beforeAttributeUpdated: (name) => name !== 'open' };
  for (const id of PARTS) Idiomorph.morph(part(id), part(id, page), { callbacks: keep });
  document.title = page.title;
  clock = part('asof').querySelector('time').textContent;
}
async function renew() {
  askedMs = Date.now();
  const answer = await fetch(location.href, {
    headers: tag === null ? {} : { 'If-None-Match': tag },
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (answer.status === 304) {
    const [iso, text] = answer.headers.get('Board-As-Of').split(' ');
    Object.assign(part('asof').querySelector('time'), { dateTime: iso, textContent: text });
    clock = text;
    return renewed();
  }
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  // Whoever is signed out is shown another page, and a page that could not be made is none to go on from.
  if (!answer.ok || page.querySelector('main[data-live]') === null) throw new Error(answer.statusText);
  if (isInUse()) return;
  show(page);
  tag = answer.headers.get('ETag');
  renewed();
}
async function ask() {
  // A slow answer to an earlier question would replace a later one.
  if (isAsking) return;
  isAsking = true;
  await renew().catch(() => {
    failures += 1;
    // Whatever failed, the next answer is a whole page.
    tag = null;
    say('not-renewed');
  });
  isAsking = false;
}
async function look() {
  const dueMs = askedMs + Math.min(EVERY_MS * 2 ** failures, LONGEST_MS);
  if (Date.now() >= dueMs) {
    if (!isInUse()) await ask();
    else if (failures === 0 && Date.now() - renewedMs > 4 * EVERY_MS) say('waits');
  }
  plan();
}
function plan() {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(look, LOOK_AGAIN_MS);
}
document.addEventListener('visibilitychange', plan);
plan();
`;
