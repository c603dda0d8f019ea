import { isDeepStrictEqual } from 'node:util';
import type { ServicePayment } from '../api/service-payment.js';
import type { Cause } from '../common/cause.js';
import { isExpiredHold } from '../holds/hold-plan.js';
import type { Change, ChangeEvent } from '../payment/change.js';
import { movesSums, orderEvents, totalsAfter } from '../payment/order-totals.js';
import { markedAnother } from '../payment/payment-mark.js';
import { aboutPayment } from '../payment/record-event.js';
import { statusChange, type Decided, type KnownPayment } from '../payment/status-change.js';
import { withFields } from '../schema/ledger-fields.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { changeOf, type PlanTerms } from './change-of.js';
import { judge, type Expectation, type Verdict } from './judge.js';

/** All that a payment's change depends on, but for the object. */
export interface PaymentState extends KnownPayment {
  /** The store's identifier at the service, and whether it moves test money only; null: not known yet. */
  readonly accountId: string;
  readonly isTest: boolean | null;
  /** The sum of a capture of ours that may have taken effect; null: there is none. */
  readonly askedMinor: number | null;
}

interface Decision {
  readonly verdict: Verdict;
  /** null: nothing about the payment itself is new. */
  readonly change: Change | null;
}

/**
 * What the service's object means for the payment itself: the one decision of every answer and every re-read, whoever writes it.
 * Refunds, receipts and holds that are due are decided under the locks.
 */
export function decide(
  state: PaymentState,
  object: ServicePayment,
  { cause, evidence }: Decided,
  terms: PlanTerms,
): Decision {
  const { payment } = state;
  const verdict = markedVerdict(payment, object, terms.profile) ?? judge(expectationOf(state), object);
  if (verdict.kind === 'unchanged') {
    const fields = changeOf(payment, object, { status: payment.status, ...terms });
    if (!differs(payment, fields)) return { verdict, change: null };
    return { verdict, change: sameStatus(state, withFields(payment, fields), cause) };
  }
  if (verdict.kind !== 'move') return { verdict, change: null };
  // Of a capture that was made elsewhere, ours says nothing. Null until then: a process of an earlier version that captures knows of none.
  const isAsked = payment.keepsDue === true && state.askedMinor === object.amountMinor;
  const keepsDue = verdict.to === 'succeeded' ? isAsked : payment.keepsDue;
  const fields = { ...changeOf(payment, object, { status: verdict.to, ...terms }), keepsDue };
  const seen = { serviceStatus: object.status, serviceId: object.id, ...evidence };
  const change = statusChange(state, verdict.to, fields, { cause, evidence: seen });
  if (!isExpiredHold(payment, object, terms.now)) return { verdict, change };
  return { verdict, change: { ...change, events: [...change.events, expired(state, object, cause)] } };
}

/** Whose row it is bound to, a role of the database can rewrite: then every other comparison is with that other payment's own row. */
function markedVerdict(
  payment: PaymentsPaymentEntity,
  { id, metadata }: ServicePayment,
  { metadataKey }: PlanTerms['profile'],
): Verdict | null {
  const other = metadataKey === null ? null : markedAnother(payment, metadata[metadataKey]);
  if (other === null) return null;
  const which = `try ${other.tryNumber} of order ${JSON.stringify(other.orderReference)}`;
  return { kind: 'anomaly', reason: `its mark says that ${id} is another payment: ${which}` };
}

/** What of a payment is new without a change of its status, as where a discount is shown that was not before. */
function sameStatus({ payment, order }: PaymentState, after: PaymentsPaymentEntity, cause: Cause): Change {
  if (!movesSums(payment, after)) return { payment, order, after, totals: null, events: [] };
  const totals = totalsAfter(order, payment, after);
  const events = orderEvents(order, totals, { paymentId: payment.id, cause, supersededPaid: false });
  return { payment, order, after, totals, events };
}

function expectationOf({ payment, isTest, askedMinor, accountId }: PaymentState): Expectation {
  const { status, serviceId, amountMinor, authorizedMinor, capture, capturedMinor, currency } = payment;
  const known = { status, serviceId, amountMinor, authorizedMinor, capture, capturedMinor, currency };
  return { ...known, askedMinor, accountId, test: payment.test ?? isTest };
}

/** The service was faster than the person or policy in charge of the hold: the goods may be on their way, unpaid. */
function expired(
  { payment, order }: PaymentState,
  object: ServicePayment,
  cause: Decided['cause'],
): ChangeEvent {
  const expiresAt = object.expiresAt ?? payment.holdExpiresAt;
  return {
    ...aboutPayment(payment),
    name: 'hold.expired',
    cause,
    evidence: { expiresAt, timeLeftMs: 0, cancellation: object.cancellation },
    alarm: `The hold of payment ${payment.id} of order ${JSON.stringify(order.reference)} ran out: nothing was captured.`,
  };
}

/** Whether one of these fields has changed. */
function differs<Fields extends object>(known: Fields, fields: Fields): boolean {
  for (const name in fields) if (!isDeepStrictEqual(known[name], fields[name])) return true;
  return false;
}
