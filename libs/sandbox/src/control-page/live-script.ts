/**
 * Keeps a page up to date: it looks again when the sandbox says that something has changed, and every ten seconds, for times pass by themselves. It
 * replaces the parts that differ, except those in use. Without it the page works the same, and is read again by hand.
 */
export const liveScript = `
const LOOK_AGAIN_MS = 10000;
const live = document.getElementById('live');
const connection = document.getElementById('connection');
const address = document.getElementById('main').dataset.address;
live.closest('label').hidden = false;
const changed = (field) => field.type === 'hidden' ? false
  : field.type === 'select-one'
  ? [...field.options].some((option, index) => option.selected !== (option.defaultSelected || index === 0))
  : field.type === 'checkbox' ? field.checked !== field.defaultChecked
  : field.value !== field.defaultValue;
const busy = (part) => part.matches(':focus-within')
  || part.querySelector(':is(a, button, select, label, summary):hover') !== null
  || (!getSelection().isCollapsed && part.contains(getSelection().anchorNode))
  || [...part.querySelectorAll('input, select')].some(changed);
function put(part, replacement) {
  for (const open of part.querySelectorAll('details[open][id]'))
    replacement.querySelector('#' + open.id)?.setAttribute('open', '');
  part.replaceWith(replacement);
}
let looking = false;
let again = false;
async function look() {
  if (document.hidden || !live.checked) return;
  if (looking) { again = true; return; }
  looking = true;
  try {
    const answer = await fetch(address);
    connection.textContent = answer.ok ? '' : 'not up to date';
    if (!answer.ok) return;
    const text = await answer.text();
    // Without its head: the policy of this page forbids the style of the other answer.
    const next = new DOMParser().parseFromString(text.slice(text.indexOf('<body')), 'text/html');
    for (const part of document.querySelectorAll('[data-live]')) {
      const replacement = next.getElementById(part.id);
      if (replacement && !busy(part) && replacement.innerHTML !== part.innerHTML) put(part, replacement);
    }
  } catch {
    connection.textContent = 'the sandbox does not answer';
  } finally {
    looking = false;
    if (again) { again = false; look(); }
  }
}
// A browser keeps few connections to one address: a page that nobody sees leaves its own to the others.
let changes;
function listen() {
  changes?.close();
  changes = undefined;
  if (document.hidden || !live.checked) return;
  changes = new EventSource('/sandbox/changes');
  changes.onopen = look;
  changes.onmessage = look;
}
document.addEventListener('visibilitychange', listen);
live.addEventListener('change', listen);
addEventListener('pagehide', () => changes?.close());
setInterval(look, LOOK_AGAIN_MS);
listen();
`;
