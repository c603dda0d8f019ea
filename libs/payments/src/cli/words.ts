import type { Incident } from '../operator/incidents.js';
import type { PaymentDelivery } from '../operator/lists/payment-deliveries.js';
import type { ReceiptProblem } from '../operator/receipts/receipt-problems.js';
import type { PaymentNeed } from '../operator/search/payment-needs.js';
import type { Payment } from '../views/payment.view.js';

/** What a payment needs, in a row of its list. */
export const needWords: Readonly<Record<PaymentNeed, string>> = {
  deliveries_parked: 'delivery given up',
  deliveries_failing: 'delivery failing',
  incidents_open: 'incident to look at',
  receipts_open: 'receipt needs a person',
  holds_flagged: 'decide about the hold',
  operations_stuck: 'request without an answer',
};

export const deliveryWords: Readonly<Record<PaymentDelivery['state'], string>> = {
  waiting: 'waiting',
  running: 'running',
  failing: 'failing',
  parked: 'given up',
  done: 'handled',
};

/** What happened. */
export const incidentWords: Readonly<Record<Incident['name'], string>> = {
  'payment.anomaly': 'does not fit',
  'order.overpaid': 'overpaid',
  'hold.expired': 'hold ran out',
};

/** What helps a receipt. */
export const remedyWords: Readonly<Record<NonNullable<ReceiptProblem['remedy']>, string>> = {
  send_again: 'Send it again: operator.sendReceiptAgain, or the board.',
  send_it: 'Nobody has said what is on it: send it with payments.receipts.create.',
  ask_service_support: "Ask the service's support: it cannot be sent a second time from here.",
  make_by_hand: 'Make it by hand in the register, then resolve it: operator.resolveReceipt, or the board.',
};

/** `bank_card *4444`; empty: the buyer has not chosen yet. */
export function methodText({ paymentMethod, method }: Payment): string {
  const type = paymentMethod?.type ?? method ?? '';
  const last4 = paymentMethod?.card?.last4 ?? null;
  return last4 === null ? type : `${type} *${last4}`;
}

export const needsText = (needs: readonly PaymentNeed[]): string =>
  needs.map((need) => needWords[need]).join(', ');
