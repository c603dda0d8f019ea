import { html, type Html } from '../pages/html.js';
import { roubles } from '../pages/roubles.js';
import {
  actionButton,
  actionForm,
  button,
  empty,
  endings,
  json,
  newest,
  numberField,
  panel,
  select,
  shortId,
  statusWord,
} from './parts.js';
import type { View } from './view.js';

const MOST_SHOWN = 50;

/** Payouts, deals and payment methods: made and ended here, because the interface only has events for them. */
export function objectsTab({ sandbox }: View): Html {
  const newPayout = html`${numberField('Amount', 'amount', '1000.00', html`size="10"`)}
  ${button('New payout', 'create-payout')}`;
  const newMethod = html`${select('Method', 'type', ['bank_card', 'wallet'])}
  ${button('Bind a method', 'bind-method')}`;
  const payouts = sandbox.payouts
    .list()
    .map(({ id, amount, status }) =>
      item(
        'payout',
        `Payout of ${roubles(amount.value)}`,
        status,
        id,
        status === 'pending' ? endings('finish-payout', id) : null,
      ),
    );
  const deals = sandbox.deals
    .list()
    .map(({ id, status }) =>
      item(
        'deal',
        'Deal',
        status,
        id,
        status === 'opened' ? actionButton('close-deal', { id }, 'Close', 'close-deal') : null,
      ),
    );
  const methods = sandbox.paymentMethods.list().map(({ id, title, type, status, confirmation }) => {
    const page = confirmation?.confirmation_url ?? confirmation?.confirmation_data ?? null;
    const withdraw =
      status === 'active' ? actionButton('revoke-method', { id }, 'Withdraw', 'revoke-method') : null;
    return item(
      'payment-method',
      title ?? type,
      status,
      id,
      status === 'pending' ? answers(id, page) : withdraw,
    );
  });
  return html`${made('payouts', 'Payouts', 'create-payout', newPayout, payouts)}
  ${made('deals', 'Deals', 'create-deal', button('New deal', 'create-deal'), deals)}
  ${made('payment_methods', 'Saved methods', 'bind-method', newMethod, methods)}`;
}

function made(
  id: 'payouts' | 'deals' | 'payment_methods',
  title: string,
  action: 'create-payout' | 'create-deal' | 'bind-method',
  fields: Html,
  items: readonly Html[],
): Html {
  const { shown, rest } = newest(items, MOST_SHOWN);
  return panel(
    id,
    title,
    html`<div class="body">${actionForm(action, {}, fields)}</div>
      ${
        shown.length === 0
          ? empty('None yet.')
          : html`<ul class="rows">
                ${shown}
              </ul>
              ${rest}`
      }`,
    json(id),
  );
}

function item(testId: string, name: string, status: string, id: string, actions: Html | null): Html {
  return html`<li data-testid="${testId}">
    <div><strong>${name}</strong> ${statusWord(status)} ${shortId(id)}</div>
    ${actions}
  </li>`;
}

function answers(id: string, page: string | null): Html {
  return html`<div class="acts">
    ${page === null ? null : html`<a class="btn" href="${page}">Open the page</a>`}
    ${actionButton('confirm-method', { id, outcome: 'succeed' }, 'Confirm', 'confirm-method-succeed')}
    ${actionButton('confirm-method', { id, outcome: 'decline' }, 'Refuse', 'confirm-method-decline')}
  </div>`;
}
