import { html, type Html } from '../pages/html.js';
import { momentText } from '../pages/spans.js';
import type { PageAction } from './actions.js';

/** A form that does one thing; `given` are its hidden fields. */
export function actionForm(action: PageAction, given: Readonly<Record<string, string>>, content: Html): Html {
  const hidden = Object.entries(given).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form method="post" action="/sandbox/do/${action}" data-testid="do-${action}">
    ${hidden}${content}
  </form>`;
}

/** A form of a single button. */
export function actionButton(
  action: PageAction,
  given: Readonly<Record<string, string>>,
  label: string,
  testId: string,
): Html {
  return actionForm(action, given, html`<button data-testid="${testId}">${label}</button>`);
}

export function select(label: string, name: string, options: readonly string[]): Html {
  return html`<label
    ><span class="hint">${label}</span>
    <select name="${name}">
      ${options.map((option) => html`<option>${option}</option>`)}
    </select>
  </label>`;
}

/** A text field; `attributes` such as `size="8"`. */
export function textField(label: string, name: string, value: string, attributes: Html | null = null): Html {
  return html`<label
    ><span class="hint">${label}</span> <input name="${name}" value="${value}" ${attributes} />
  </label>`;
}

/** Shown for an id that is too long; the whole id appears under the pointer. */
export function shortId(id: string): Html {
  return html`<code title="${id}">…${id.slice(-8)}</code>`;
}

export function moment(iso: string): Html {
  return html`<time datetime="${iso}">${momentText(new Date(iso))}</time>`;
}

const tones: Readonly<Record<string, string>> = {
  pending: 'wait',
  waiting_for_capture: 'held',
  succeeded: 'good',
  canceled: 'bad',
  opened: 'wait',
  closed: 'good',
  active: 'good',
  inactive: 'bad',
  good: 'good',
  expired: 'bad',
  revoked: 'bad',
  enabled: 'good',
  disabled: 'bad',
};

export function statusChip(status: string): Html {
  return html`<span class="chip ${tones[status] ?? 'wait'}" data-testid="status"
    >${status.replaceAll('_', ' ')}</span
  >`;
}

/** A section that the live script may replace while nobody uses it. */
export function section(id: string, title: string, content: Html, aside: Html | null = null): Html {
  return html`<section id="${id}" data-live aria-labelledby="${id}-title">
    <header>
      <h2 id="${id}-title">${title}</h2>
      ${aside}
    </header>
    ${content}
  </section>`;
}
