import { html, type Html } from '../pages/html.js';
import { status, type ShapeName, type Tone } from '../pages/shapes.js';
import { momentText, spanText } from '../pages/spans.js';
import type { PageAction } from './actions.js';
import { pathOf } from './places.js';

/** A form that does one thing; `given` are its hidden fields. */
export function actionForm(action: PageAction, given: Readonly<Record<string, string>>, content: Html): Html {
  const hidden = Object.entries(given).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form method="post" action="/sandbox/do/${action}" class="inline" data-testid="do-${action}">
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
  return actionForm(action, given, button(label, testId));
}

export function button(label: string, testId: string, isMain = false): Html {
  return html`<button class="btn${isMain ? ' main' : ''}" data-testid="${testId}">${label}</button>`;
}

/** One of a list of names, or of pairs of a name and its words. */
export function select(
  label: string,
  name: string,
  options: readonly (string | readonly [value: string, words: string])[],
): Html {
  return html`<label class="field"
    >${label}
    <select name="${name}">
      ${options.map((option) =>
        typeof option === 'string'
          ? html`<option>${option}</option>`
          : html`<option value="${option[0]}">${option[1]}</option>`,
      )}
    </select>
  </label>`;
}

/** A text field; `attributes` such as `size="8"`. */
export function textField(label: string, name: string, value: string, attributes: Html | null = null): Html {
  return html`<label class="field"
    >${label} <input name="${name}" value="${value}" autocomplete="off" ${attributes} />
  </label>`;
}

/** A field for a number. */
export function numberField(
  label: string,
  name: string,
  value: string,
  attributes: Html | null = null,
): Html {
  return textField(label, name, value, html`inputmode="decimal" size="6" ${attributes}`);
}

/** Shown for an id that is too long; the whole id appears under the pointer. */
export function shortId(id: string): Html {
  return html`<code title="${id}">…${id.slice(-8)}</code>`;
}

/** Leads to the page of a payment. */
export function paymentLink(id: string): Html {
  return html`<a href="${pathOf({ tab: 'payments', id })}">${shortId(id)}</a>`;
}

export function moment(iso: string): Html {
  return html`<time class="nw" datetime="${iso}">${momentText(new Date(iso))}</time>`;
}

/** When, and how long ago that was. */
export function momentAgo(iso: string, now: Date): Html {
  const passedMs = now.getTime() - Date.parse(iso);
  return html`${moment(iso)}
    <small>${passedMs < 0 ? `in ${spanText(-passedMs)}` : `${spanText(passedMs)} ago`}</small>`;
}

const looks: Readonly<Record<string, readonly [Tone, ShapeName]>> = {
  pending: ['wait', 'open'],
  waiting_for_capture: ['wait', 'half'],
  succeeded: ['good', 'done'],
  canceled: ['calm', 'cross'],
  opened: ['wait', 'open'],
  closed: ['good', 'done'],
  active: ['good', 'tick'],
  inactive: ['calm', 'cross'],
  good: ['good', 'tick'],
  expired: ['calm', 'slash'],
  revoked: ['calm', 'slash'],
  enabled: ['good', 'done'],
  disabled: ['calm', 'slash'],
};

export function statusWord(name: string): Html {
  const [tone, look] = looks[name] ?? ['calm', 'open'];
  return status(tone, look, name.replaceAll('_', ' '), html`data-testid="status"`);
}

/** A part of a page. The live script may replace it while nobody uses it. */
export function panel(id: string, title: string, content: Html, aside: Html | null = null): Html {
  return html`<section class="panel" id="${id}" data-live aria-labelledby="${id}-title">
    <div class="head">
      <h2 id="${id}-title">${title}</h2>
      ${aside}
    </div>
    ${content}
  </section>`;
}

/** The same as the control API answers it. */
export function json(path: string, name = 'JSON'): Html {
  return html`<a href="/sandbox/${path}">${name}</a>`;
}

/** Nothing is there yet; what would be, and how it gets there. */
export function empty(text: Html | string): Html {
  return html`<p class="empty">${text}</p>`;
}

/** As many of a list as a person reads. */
export function newest<Item>(
  list: readonly Item[],
  most: number,
): { shown: readonly Item[]; rest: Html | null } {
  return {
    shown: list.slice(0, most),
    rest:
      list.length > most
        ? html`<p class="empty">${String(most)} of ${String(list.length)}. All are in the JSON.</p>`
        : null,
  };
}

interface Column {
  readonly name: string;
  readonly isNumber?: true;
}

/** A table whose rows become cards on a phone. */
export function table(caption: string, columns: readonly (string | Column)[], rows: readonly Html[]): Html {
  return html`<table class="cards list">
    <caption class="vh">
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map((column) =>
          typeof column === 'string'
            ? html`<th scope="col">${column}</th>`
            : html`<th scope="col" class="num">${column.name}</th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

/** Ends what is pending. */
export function endings(action: 'finish-refund' | 'finish-payout', id: string): Html {
  return html`<div class="acts">
    ${actionButton(action, { id, outcome: 'succeeded' }, 'Let it succeed', `${action}-succeeded`)}
    ${actionButton(action, { id, outcome: 'canceled' }, 'Cancel it', `${action}-canceled`)}
  </div>`;
}
