import { inlineScript } from '../pages/inline-script.js';

/**
 * Keeps the page up to date without a reload: every two seconds it replaces the sections that changed, except those in use.
 * Without it the page works the same, and is reloaded by hand.
 */
const { script, source } = inlineScript(`
const REFRESH_MS = 2000;
const live = document.getElementById('live');
live.closest('label').hidden = false;
const changed = (field) => field.type === 'select-one'
  ? [...field.options].some((option, index) => option.selected !== (option.defaultSelected || index === 0))
  : field.type === 'checkbox' ? field.checked !== field.defaultChecked
  : field.value !== field.defaultValue;
const busy = (section) => section.matches(':hover, :focus-within')
  || [...section.querySelectorAll('input, select')].some(changed);
async function refresh() {
  if (document.hidden || !live.checked) return;
  const answer = await fetch('/sandbox/');
  if (!answer.ok) return;
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const section of document.querySelectorAll('[data-live]')) {
    const replacement = next.getElementById(section.id);
    if (replacement && !busy(section) && replacement.innerHTML !== section.innerHTML) section.replaceWith(replacement);
  }
}
setInterval(() => refresh().catch(() => {}), REFRESH_MS);
`);

/** The one script of the control page. */
export const liveScript = script;
export const liveScriptPolicy = `script-src ${source}; connect-src 'self'`;
