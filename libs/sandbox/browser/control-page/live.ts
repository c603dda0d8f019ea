/**
 * Keeps a page up to date: it looks again when the sandbox says that something has changed, and every ten seconds, for times pass by themselves. It
 * replaces the parts that differ, except those in use. Without it the page works the same, and is read again by hand.
 */

const LOOK_AGAIN_MS = 10_000;

function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${id}`);
  return found;
}

const live = element('live', HTMLInputElement);
const connection = element('connection', HTMLElement);
const address = element('main', HTMLElement).dataset['address'] ?? '';
const label = live.closest('label');
if (label !== null) label.hidden = false;

function isChanged(field: HTMLInputElement | HTMLSelectElement): boolean {
  if (field.type === 'hidden') return false;
  if (field instanceof HTMLSelectElement)
    return [...field.options].some(
      (option, index) => option.selected !== (option.defaultSelected || index === 0),
    );
  return field.type === 'checkbox'
    ? field.checked !== field.defaultChecked
    : field.value !== field.defaultValue;
}

function isSelected(part: Element): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && part.contains(selection.anchorNode);
}

const isBusy = (part: Element): boolean =>
  part.matches(':focus-within') ||
  part.querySelector(':is(a, button, select, label, summary):hover') !== null ||
  isSelected(part) ||
  [...part.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')].some(isChanged);

function put(part: Element, replacement: HTMLElement): void {
  for (const open of part.querySelectorAll('details[open][id]'))
    replacement.querySelector(`#${open.id}`)?.setAttribute('open', '');
  part.replaceWith(replacement);
}

let isLooking = false;
let isAwaited = false;

async function renew(): Promise<void> {
  const answer = await fetch(address);
  connection.textContent = answer.ok ? '' : 'not up to date';
  if (!answer.ok) return;
  const text = await answer.text();
  // Without its head: the policy of this page forbids the style of the other answer.
  const next = new DOMParser().parseFromString(text.slice(text.indexOf('<body')), 'text/html');
  for (const part of document.querySelectorAll('[data-live]')) {
    const replacement = next.getElementById(part.id);
    if (replacement !== null && !isBusy(part) && replacement.innerHTML !== part.innerHTML)
      put(part, replacement);
  }
}

async function look(): Promise<void> {
  if (document.hidden || !live.checked) return;
  isAwaited = isLooking;
  if (isLooking) return;
  isLooking = true;
  await renew().catch(() => {
    connection.textContent = 'the sandbox does not answer';
  });
  isLooking = false;
  if (isAwaited) await look();
}

// A browser keeps few connections to one address: a page that nobody sees leaves its own to the others.
let changes: EventSource | undefined;
function listen(): void {
  changes?.close();
  changes = undefined;
  if (document.hidden || !live.checked) return;
  changes = new EventSource('/sandbox/changes');
  changes.addEventListener('open', () => void look());
  changes.addEventListener('message', () => void look());
}
document.addEventListener('visibilitychange', listen);
live.addEventListener('change', listen);
addEventListener('pagehide', () => changes?.close());
setInterval(() => void look(), LOOK_AGAIN_MS);
listen();
