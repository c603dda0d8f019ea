import type { ObjectControl } from '../control/object-control.js';
import { html, type Html } from '../pages/html.js';
import { roubles } from '../pages/roubles.js';
import type { WireRefund } from '../refunds/refund-view.js';
import { actionButton, actionForm, section, select, shortId, statusChip, textField } from './parts.js';

/** Refunds of all payments, newest first. */
export function refundsSection(refunds: readonly WireRefund[]): Html {
  const content =
    refunds.length === 0
      ? html`<p class="empty">None yet.</p>`
      : html`<ul class="rows">
          ${refunds.map((refund) => refundItem(refund))}
        </ul>`;
  return section('refunds', 'Refunds', content, html`<a href="/sandbox/refunds">JSON</a>`);
}

function refundItem({ id, payment_id, status, amount, description }: WireRefund): Html {
  return html`<li data-testid="refund-item">
    <div>
      <strong>${roubles(amount.value)}</strong> ${statusChip(status)} of
      <a href="#payment-${payment_id}">${shortId(payment_id)}</a> ${description ?? null}
    </div>
    ${status === 'pending' ? endings('finish-refund', id) : null}
  </li>`;
}

/** Payouts, deals and payment methods: made and ended here, because the interface only has events for them. */
export function objectsSection({ payouts, deals, paymentMethods }: ObjectControl): Html {
  const newPayout = html`${textField('Amount', 'amount', '1000.00', html`inputmode="decimal" size="10"`)}
    <button data-testid="create-payout">New payout</button>`;
  const newMethod = html`${select('Method', 'type', ['bank_card', 'wallet'])}
    <button data-testid="bind-method">Bind a method</button>`;
  return section(
    'objects',
    'Payouts, deals, payment methods',
    html`<div class="buttons">
        ${actionForm('create-payout', {}, newPayout)}
        ${actionButton('create-deal', {}, 'New deal', 'create-deal')}
        ${actionForm('bind-method', {}, newMethod)}
      </div>
      <ul class="rows">
        ${payouts.list().map(
          ({ id, amount, status }) =>
            html`<li data-testid="payout">
              <div><strong>Payout ${roubles(amount.value)}</strong> ${statusChip(status)} ${shortId(id)}</div>
              ${status === 'pending' ? endings('finish-payout', id) : null}
            </li>`,
        )}
        ${deals.list().map(
          ({ id, status }) =>
            html`<li data-testid="deal">
              <div><strong>Deal</strong> ${statusChip(status)} ${shortId(id)}</div>
              ${status === 'opened' ? actionButton('close-deal', { id }, 'Close', 'close-deal') : null}
            </li>`,
        )}
        ${paymentMethods.list().map(
          ({ id, title, type, status, confirmation }) =>
            html`<li data-testid="payment-method">
              <div><strong>${title ?? type}</strong> ${statusChip(status)} ${shortId(id)}</div>
              ${status === 'pending' ? answers(id, confirmation?.confirmation_url ?? confirmation?.confirmation_data ?? null) : null}
              ${status === 'active' ? actionButton('revoke-method', { id }, 'Withdraw', 'revoke-method') : null}
            </li>`,
        )}
      </ul>`,
  );
}

function answers(id: string, page: string | null): Html {
  return html`<div class="buttons">
    ${page === null ? null : html`<a class="button" href="${page}">Open the page</a>`}
    ${actionButton('confirm-method', { id, outcome: 'succeed' }, 'Confirm', 'confirm-method-succeed')}
    ${actionButton('confirm-method', { id, outcome: 'decline' }, 'Refuse', 'confirm-method-decline')}
  </div>`;
}

function endings(action: 'finish-refund' | 'finish-payout', id: string): Html {
  return html`<div class="buttons">
    ${actionButton(action, { id, outcome: 'succeeded' }, 'Let it succeed', `${action}-succeeded`)}
    ${actionButton(action, { id, outcome: 'canceled' }, 'Cancel it', `${action}-canceled`)}
  </div>`;
}
