import type { ServicePayment } from '../api/service-payment.js';
import { buyerIn, buyerOfBody, paymentOfLaterBuyer, placeOfTry } from '../operations/found-try.js';
import { foundOperation } from '../operations/new-operation.js';
import { newPayment } from '../operations/open-payment.js';
import { foundCreateBody } from '../operations/request-body.js';
import type { Change } from '../payment/change.js';
import { changeTo, draftOf, type Draft } from '../payment/draft.js';
import type { MarkedObject } from '../payment/marked-payments.js';
import { aboutPayment } from '../payment/record-event.js';
import { NOTHING_READ, type OrderPayments } from '../payment/state.js';
import type { PaymentRow } from '../schema/rows.js';
import { raiseAnomaly } from './anomaly.js';

const cause = 'recovery';

/** A payment of the service that carries a mark of ours. */
export interface FoundPayment extends MarkedObject<ServicePayment> {
  /** The host's own, as the object has them. */
  readonly words: Pick<PaymentRow, 'description' | 'metadata'>;
}

type AdoptionDecision =
  /** It has a row by now. */
  | { readonly kind: 'known' }
  /** It is of an earlier buyer: that is told at this payment of the later one, since it has no other. */
  | { readonly kind: 'earlier buyer'; readonly later: PaymentRow }
  /** It is in another currency than its order, and gets no payment. */
  | { readonly kind: 'other currency' }
  | {
      readonly kind: 'adopted';
      readonly payment: PaymentRow;
      /** To be given up before it is recorded: two open ones of a part are forbidden by key. */
      readonly replaces: readonly PaymentRow[];
      readonly change: Change;
    };

/** What a payment that is found at the service means for its order. */
export function decideAdoption(state: OrderPayments, found: FoundPayment): AdoptionDecision {
  if (!isForgotten(found)) return { kind: 'known' };
  const later = laterBuyers(state, found);
  if (later !== null) return { kind: 'earlier buyer', later };
  return state.order.currency === found.object.currency ? adopt(state, found) : { kind: 'other currency' };
}

/** Without the host's own name for a buyer nothing is compared. */
function laterBuyers(
  { tries, creates }: OrderPayments,
  { object, marked: { tryNumber } }: FoundPayment,
): PaymentRow | null {
  const buyer = buyerIn(object.kept);
  if (buyer === null) return null;
  const buyers = new Map(creates.map(({ paymentId, body }) => [paymentId, buyerOfBody(body)]));
  return paymentOfLaterBuyer({ buyer, tryNumber, madeAt: object.createdAt }, tries, buyers);
}

/**
 * The new row says what the mark says and has the service's id; the re-read that follows judges the object like any other, and brings its
 * status, events, deliveries and totals. Among the tries of its order's part it takes the place that it had.
 */
function adopt({ order, payments, now, databaseNow }: OrderPayments, found: FoundPayment): AdoptionDecision {
  const { object, marked, words } = found;
  const { id: serviceId, status: serviceStatus, createdAt: madeAt } = object;
  const { isReplaced, replaces, isNewest } = placeOfTry(
    { ...marked, madeAt, serviceStatus },
    payments,
    order,
  );
  const said = { ...marked, ...words, currency: order.currency, confirmation: null };
  const createdAt = madeAt && madeAt < now ? madeAt : now;
  const payment: PaymentRow = {
    ...newPayment(order, said, { createdAt }),
    serviceId,
    status: 'pending',
    supersededAt: isReplaced ? now : null,
    updatedAt: now,
  };
  const state = { ...NOTHING_READ, now, databaseNow, order, payment };
  const request = foundCreateBody(object, payment);
  const about = { ...aboutPayment(payment), cause } as const;
  const evidence = { serviceId, serviceStatus };
  const draft: Draft = {
    ...draftOf(state),
    // What the newest try says is due is what the order owes, as when it was created.
    order: isNewest ? { ...order, totalDueMinor: marked.totalDueMinor } : order,
    operations: [foundOperation(payment, { kind: 'create', request }, now)],
    events: [
      { ...about, name: 'payment.pending', from: 'submitting', to: 'pending', evidence },
      ...(isReplaced ? [{ ...about, name: 'payment.superseded', evidence: {} } as const] : []),
    ],
    wanted: { at: now, isUrgent: true },
  };
  const change = { ...changeTo(draft, state, cause), opened: { payment, order: null } };
  return { kind: 'adopted', payment, replaces, change };
}

/** Whether nothing here is that payment. One whose key was used for it was never made. */
export function isForgotten({
  object,
  rows,
}: Pick<FoundPayment, 'rows'> & { readonly object: Pick<ServicePayment, 'id'> }): boolean {
  return rows.every(({ isKeyReused, serviceId }) => isKeyReused && serviceId !== object.id);
}

/** With the report of an object that pays for nothing here: one mark is of one payment. */
export function raiseSecond(before: Draft, object: ServicePayment): Draft {
  const reason = `the service has a second payment with its mark in the metadata: ${object.id}`;
  return raiseAnomaly(before, reason, { cause, object });
}

/** Likewise of an earlier buyer, to whom the order's number was given before. */
export function raiseEarlierBuyer(before: Draft, object: ServicePayment): Draft {
  const reason = `the service has a payment of another buyer under its order's number, which was used before: ${object.id}`;
  return raiseAnomaly(before, reason, { cause, object });
}
