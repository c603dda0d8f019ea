import { wayName } from '../checkout/way-names.js';
import { formatMinor, parseMinor } from '../common/money.js';
import type { Sandbox } from '../control/running-sandbox.js';
import { declineReasons } from '../methods/test-cards.js';
import { html, type Html } from '../pages/html.js';
import { roubles } from '../pages/roubles.js';
import { spanText } from '../pages/spans.js';
import type { WirePayment } from '../payments/payment-view.js';
import { ways, type Way } from '../payments/ways.js';
import type { WireRefund } from '../refunds/refund-view.js';
import type { Store } from '../stores/store.js';
import type { Stores } from '../stores/stores.js';
import { methodTypeFromWire } from '../wire/names.js';
import { actionButton, actionForm, moment, section, select, statusChip, textField } from './parts.js';

/** Ways to pay with a button of their own. */
const buttons: readonly Way[] = ['bank_card', 'wallet', 'bank_app_pay', 'sbp'];

function payLabel(way: Way, store: Store): string {
  if (way === 'bank_card') return 'Pay by card';
  if (way === 'wallet') return 'Pay by wallet';
  return way === 'bank_app_pay' && !store.names.isPublic
    ? 'Pay by bank application'
    : `Pay by ${wayName(way, store)}`;
}

/** As many as a person reads; the rest is in the JSON. */
const MOST_SHOWN = 100;

/** All payments, newest first, with what the buyer or time may do to each. */
export function paymentsSection(
  { payments: book, refunds: refundBook, clock }: Pick<Sandbox, 'payments' | 'refunds' | 'clock'>,
  stores: Stores,
): Html {
  const [payments, refunds, now] = [book.list(), refundBook.list(), clock.now()];
  const shown = payments.slice(0, MOST_SHOWN);
  const content = html`${
    shown.length === 0
      ? html`<p class="empty">None yet. The shop makes them with <code>POST /v3/payments</code>.</p>`
      : html`<ul class="payments">
          ${shown.map((payment) => paymentItem(payment, { onTheirWayMinor: pendingMinor(payment, refunds), endsAt: book.endsAt(payment.id), now }, stores))}
        </ul>`
  }
  ${
    payments.length > shown.length
      ? html`<p class="hint">The newest ${String(shown.length)} of ${String(payments.length)}.</p>`
      : null
  }`;
  return section('payments', 'Payments', content, html`<a href="/sandbox/payments">JSON</a>`);
}

/** The sum of pending refunds. */
function pendingMinor({ id }: WirePayment, refunds: readonly WireRefund[]): number {
  return refunds
    .filter(({ payment_id, status }) => payment_id === id && status === 'pending')
    .reduce((totalMinor, { amount }) => totalMinor + (parseMinor(amount.value) ?? 0), 0);
}

interface Moment {
  /** The sum of pending refunds. */
  readonly onTheirWayMinor: number;
  readonly endsAt: Date | null;
  readonly now: Date;
}

function paymentItem(payment: WirePayment, { onTheirWayMinor, endsAt, now }: Moment, stores: Stores): Html {
  const { id, amount, status, description, created_at, recipient } = payment;
  const store = stores.get(recipient.account_id);
  return html`<li id="payment-${id}" data-testid="payment" data-status="${status}">
    <div class="what">
      <strong class="amount" data-testid="amount">${roubles(amount.value)}</strong> ${statusChip(status)}
      <span class="description">${description ?? html`<span class="hint">no description</span>`}</span>
    </div>
    <dl>
      ${store === stores.own ? null : fact('Store', html`<code>${store.accountId}</code>`)}
      ${fact('Method', methodText(payment, store))}
      ${fact('Made', html`${spanText(now.getTime() - Date.parse(created_at))} ago, ${moment(created_at)}`)}
      ${endFact(payment, endsAt, now)} ${refundFact(payment)}
      ${onTheirWayMinor > 0 ? fact('Refund on its way', roubles(formatMinor(onTheirWayMinor))) : null}
      ${payment.cancellation_details ? fact('Why', `${payment.cancellation_details.reason} (${payment.cancellation_details.party})`) : null}
      ${fact('Id', html`<code>${id}</code>`)}
    </dl>
    ${possible(payment, { onTheirWayMinor, endsAt }, store)}
  </li>`;
}

function fact(name: string, value: Html | string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function methodText(
  { payment_method: method, authorization_details: authorization }: WirePayment,
  store: Store,
): string {
  if (!method) return 'none chosen';
  const source = method.card?.source === undefined ? '' : ', from the phone';
  const secure = authorization?.three_d_secure.applied ? ', 3-D Secure' : '';
  return `${method.title ?? methodTypeFromWire(store.names, method.type) ?? method.type}${source}${secure}`;
}

function endFact({ status }: WirePayment, endsAt: Date | null, now: Date): Html | null {
  if (!endsAt) return null;
  const name = status === 'pending' ? 'Term ends' : 'Hold ends';
  return fact(name, html`in ${spanText(endsAt.getTime() - now.getTime())}, ${moment(endsAt.toISOString())}`);
}

function refundFact({ refunded_amount: refunded }: WirePayment): Html | null {
  return refunded && parseMinor(refunded.value) ? fact('Refunded', roubles(refunded.value)) : null;
}

/** What can be done to it now; capture and cancel are the merchant's, over the REST API. */
function possible(
  payment: WirePayment,
  { onTheirWayMinor, endsAt }: Omit<Moment, 'now'>,
  store: Store,
): Html | null {
  const { id, status } = payment;
  if (status === 'pending') return forPending(payment, endsAt, store);
  if (status === 'waiting_for_capture') {
    return html`<div class="buttons">
      ${actionButton('run-out', { id }, 'Let the hold run out', 'run-out')}
      <span class="hint">The shop captures or cancels it.</span>
    </div>`;
  }
  const leftMinor = refundableMinor(payment) - onTheirWayMinor;
  if (leftMinor <= 0) return null;
  const amount = formatMinor(leftMinor);
  const refund = html`${textField('Refund', 'amount', amount, html`inputmode="decimal" size="10"`)}
    <button data-testid="refund">Refund as in the Merchant Profile</button>`;
  return html`<div class="buttons">${actionForm('refund', { id }, refund)}</div>`;
}

function forPending(
  { id, confirmation, payment_method: method }: WirePayment,
  endsAt: Date | null,
  store: Store,
): Html {
  const fixed = method && methodTypeFromWire(store.names, method.type);
  const possibleWays = ways.filter(
    (way) => store.methods.includes(way) && (fixed === undefined || fixed === way),
  );
  const offered = possibleWays.filter((way) => fixed === way || buttons.includes(way));
  const others = possibleWays.filter((way) => !offered.includes(way));
  const byPhone = store.cardApp && offered.includes('bank_card');
  const decline = html`${select('Reason', 'reason', declineReasons(store.names))}
    <button data-testid="decline">Decline</button>`;
  return html`<div class="buttons">
      ${confirmation ? html`<a class="button" href="${confirmation.confirmation_url ?? `/checkout/${id}`}">Open the payment page</a>` : null}
      ${offered.map((way) => actionButton('pay', { id, method: way }, payLabel(way, store), `pay-${way}`))}
      ${byPhone ? actionButton('pay', { id, method: 'bank_card', source: 'card_app_pay' }, "Pay by the phone's card app", 'pay-card_app_pay') : null}
      ${others.length > 0 ? actionForm('pay', { id }, html`${select('By', 'method', others)}<button data-testid="pay-other">Pay</button>`) : null}
    </div>
    <div class="buttons">
      ${actionForm('decline', { id }, decline)}
      ${endsAt ? actionButton('run-out', { id }, 'Let the term run out', 'run-out') : null}
    </div>`;
}

function refundableMinor({ status, amount, refunded_amount: refunded }: WirePayment): number {
  if (status !== 'succeeded') return 0;
  return (parseMinor(amount.value) ?? 0) - (parseMinor(refunded?.value) ?? 0);
}
