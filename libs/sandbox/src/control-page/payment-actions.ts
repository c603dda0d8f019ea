import { wayName } from '../checkout/way-names.js';
import { formatMinor, parseMinor } from '../common/money.js';
import { declineReasons } from '../methods/test-cards.js';
import { html, type Html } from '../pages/html.js';
import type { WirePayment } from '../payments/payment-view.js';
import { ways, type Way } from '../payments/ways.js';
import type { WireRefund } from '../refunds/refund-view.js';
import type { Store } from '../stores/store.js';
import { methodTypeFromWire } from '../wire/names.js';
import { actionButton, actionForm, button, numberField, select } from './parts.js';

/** Ways to pay with a button of their own. */
const buttons: readonly Way[] = ['bank_card', 'wallet', 'bank_app_pay', 'sbp'];

/** What can be done to a payment now depends on these. */
export interface Standing {
  /** The sum of its pending refunds. */
  readonly onTheirWayMinor: number;
  /** null: neither a term nor a hold of it can run out. */
  readonly endsAt: Date | null;
}

/** The sum of pending refunds. */
export function pendingMinor({ id }: WirePayment, refunds: readonly WireRefund[]): number {
  return refunds
    .filter(({ payment_id, status }) => payment_id === id && status === 'pending')
    .reduce((totalMinor, { amount }) => totalMinor + (parseMinor(amount.value) ?? 0), 0);
}

/** The one thing that is done most to a payment like this, for a list. */
export function usualAction(payment: WirePayment, store: Store): Html | null {
  if (payment.status !== 'pending') return null;
  const [way] = offeredWays(payment, store).offered;
  return way === undefined ? null : payButton(payment.id, way, store);
}

/** All that its buyer or time may do now; capture and cancel are the merchant's, over the REST API. */
export function possibleActions(
  payment: WirePayment,
  { onTheirWayMinor, endsAt }: Standing,
  store: Store,
): Html | null {
  const { id, status } = payment;
  if (status === 'pending') return forPending(payment, endsAt, store);
  if (status === 'waiting_for_capture') {
    return html`<div class="acts">
      ${actionButton('run-out', { id }, 'Let the hold run out', 'run-out')}
      <span class="hint">The shop captures or cancels it.</span>
    </div>`;
  }
  const leftMinor = refundableMinor(payment) - onTheirWayMinor;
  if (leftMinor <= 0) return null;
  const refund = html`${numberField('Refund', 'amount', formatMinor(leftMinor), html`size="10"`)}
  ${button('Refund as in the Merchant Profile', 'refund')}`;
  return html`<div class="acts">${actionForm('refund', { id }, refund)}</div>`;
}

function forPending(payment: WirePayment, endsAt: Date | null, store: Store): Html {
  const { id, confirmation } = payment;
  const { offered, others } = offeredWays(payment, store);
  const byPhone = store.cardApp && offered.includes('bank_card');
  const decline = html`${select('Reason', 'reason', declineReasons(store.names))}
  ${button('Decline', 'decline')}`;
  return html`<div class="acts">
      ${offered.map((way) => payButton(id, way, store))}
      ${byPhone ? actionButton('pay', { id, method: 'bank_card', source: 'card_app_pay' }, "Pay by the phone's card app", 'pay-card_app_pay') : null}
      ${others.length > 0 ? actionForm('pay', { id }, html`${select('By', 'method', others)} ${button('Pay', 'pay-other')}`) : null}
      ${confirmation ? html`<a class="btn" href="${confirmation.confirmation_url ?? `/checkout/${id}`}">Open the payment page</a>` : null}
    </div>
    <div class="acts">
      ${actionForm('decline', { id }, decline)}
      ${endsAt ? actionButton('run-out', { id }, 'Let the term run out', 'run-out') : null}
    </div>`;
}

interface Ways {
  /** With a button of their own. */
  readonly offered: readonly Way[];
  readonly others: readonly Way[];
}

function offeredWays({ payment_method: method }: WirePayment, store: Store): Ways {
  const fixed = method && methodTypeFromWire(store.names, method.type);
  const possible = ways.filter(
    (way) => store.methods.includes(way) && (fixed === undefined || fixed === way),
  );
  const offered = possible.filter((way) => fixed === way || buttons.includes(way));
  return { offered, others: possible.filter((way) => !offered.includes(way)) };
}

function payButton(id: string, way: Way, store: Store): Html {
  return actionButton('pay', { id, method: way }, payLabel(way, store), `pay-${way}`);
}

function payLabel(way: Way, store: Store): string {
  if (way === 'bank_card') return 'Pay by card';
  if (way === 'wallet') return 'Pay by wallet';
  return way === 'bank_app_pay' && !store.names.isPublic
    ? 'Pay by bank application'
    : `Pay by ${wayName(way, store)}`;
}

export function refundableMinor({ status, amount, refunded_amount: refunded }: WirePayment): number {
  if (status !== 'succeeded') return 0;
  return (parseMinor(amount.value) ?? 0) - (parseMinor(refunded?.value) ?? 0);
}
