/**
 * Renews a page that is open: asks for its address again and morphs what differs, so that place, focus and what is unfolded stay. It waits while
 * the page is in use, so that nothing moves under a finger and nothing typed is lost. Without it a page works the same, and is read again by hand.
 */
import type { Idiomorph as Morpher } from 'idiomorph';

/** Of the package, whose own file for browsers stands before this one. */
declare const Idiomorph: typeof Morpher;

const EVERY_MS = 15_000;
const LONGEST_MS = 300_000;
const LOOK_AGAIN_MS = 1_000;
const PATIENCE_MS = 30_000;
const HANDS_OFF_MS = 2_000;
const PARTS = ['main', 'nav', 'menu', 'asof'];

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function part(id: string, page = document): HTMLElement {
  const found = page.getElementById(id);
  if (found === null) throw new Error(`The page has no ${id}`);
  return found;
}

let touchedMs = -Infinity;
for (const type of ['pointerdown', 'pointermove', 'pointerup', 'keydown', 'wheel', 'touchmove']) {
  const touched = () => {
    touchedMs = Date.now();
  };
  addEventListener(type, touched, { passive: true, capture: true });
}

function isTyped(field: Field): boolean {
  if (field.type === 'hidden') return false;
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((option) => option.selected !== option.defaultSelected);
  return field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type)
    ? field.checked !== field.defaultChecked
    : field.value !== field.defaultValue;
}

function isSelected(main: HTMLElement): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && main.contains(selection.anchorNode);
}

function isInUse(): boolean {
  const main = part('main');
  return (
    Date.now() - touchedMs < HANDS_OFF_MS ||
    main.querySelector(':is(input, select, textarea):focus') !== null ||
    [...main.querySelectorAll<Field>('input, select, textarea')].some(isTyped) ||
    // A finger leaves no pointer behind, though the last thing it touched stays hovered.
    (matchMedia('(hover: hover)').matches &&
      main.querySelector(':is(a, button, summary, label):hover') !== null) ||
    isSelected(main)
  );
}

const time = () => part('asof').querySelector('time');
let clock = time()?.textContent ?? '';
let tag: string | null = null;
let failures = 0;
let isAsking = false;
let askedMs = Date.now();
let renewedMs = Date.now();
let timer: number | undefined;

function say(id: string): void {
  const told = part('renewal');
  if (told.dataset['says'] === id) return;
  told.dataset['says'] = id;
  const template = id === '' ? null : part(id);
  told.replaceChildren(
    ...(template instanceof HTMLTemplateElement ? [template.content.cloneNode(true)] : []),
  );
  told.querySelector('b')?.append(clock.slice(0, 5));
}

function renewed(): void {
  failures = 0;
  renewedMs = Date.now();
  say('');
}

function show(page: Document): void {
  const keep = { beforeAttributeUpdated: (name: string) => name !== 'open' };
  for (const id of PARTS) void Idiomorph.morph(part(id), part(id, page), { callbacks: keep });
  document.title = page.title;
  clock = time()?.textContent ?? '';
}

async function renew(): Promise<void> {
  askedMs = Date.now();
  const answer = await fetch(location.href, {
    headers: tag === null ? {} : { 'If-None-Match': tag },
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (answer.status === 304) {
    const [iso = '', text = ''] = answer.headers.get('Board-As-Of')?.split(' ') ?? [];
    Object.assign(time() ?? {}, { dateTime: iso, textContent: text });
    clock = text;
    renewed();
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  // Whoever is signed out is shown another page, and a page that could not be made is none to go on from.
  if (!answer.ok || page.querySelector('main[data-live]') === null) throw new Error(answer.statusText);
  if (isInUse()) return;
  show(page);
  tag = answer.headers.get('ETag');
  renewed();
}

async function ask(): Promise<void> {
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

async function look(): Promise<void> {
  const dueMs = askedMs + Math.min(EVERY_MS * 2 ** failures, LONGEST_MS);
  if (Date.now() >= dueMs) {
    if (!isInUse()) await ask();
    else if (failures === 0 && Date.now() - renewedMs > 4 * EVERY_MS) say('waits');
  }
  plan();
}

function plan(): void {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(() => void look(), LOOK_AGAIN_MS);
}

document.addEventListener('visibilitychange', plan);
plan();
