import type { ServicePayment } from '../api/service-payment.js';
import { isExpiredHold } from '../holds/hold-plan.js';
import type { ChangeEvent } from '../payment/change.js';
import type { Draft } from '../payment/draft.js';
import { markedAnother } from '../payment/payment-mark.js';
import { aboutPayment } from '../payment/record-event.js';
import { movePayment, type Decided } from '../payment/status-change.js';
import { withFields } from '../schema/ledger-fields.js';
import type { PaymentRow } from '../schema/rows.js';
import { changeOf, type PlanTerms } from './change-of.js';
import { judge, type Expectation, type Verdict } from './judge.js';

/** What is known of the payment besides its row. */
interface Known {
  /** The store's identifier at the service, and whether it moves test money only; null: not known yet. */
  readonly accountId: string;
  readonly isTest: boolean | null;
  /** The sum of a capture of ours that may have taken effect; null: there is none. */
  readonly askedMinor: number | null;
}

interface Decision {
  readonly verdict: Verdict;
  readonly draft: Draft;
}

/**
 * What the service's object means for the payment itself: the one decision of every answer and every re-read. Refunds, receipts and holds
 * that are due are decided besides.
 */
export function decidePayment(
  before: Draft,
  object: ServicePayment,
  known: Known,
  { cause, evidence }: Decided,
  terms: PlanTerms,
): Decision {
  const { payment, now } = before;
  const verdict =
    markedVerdict(payment, object, terms.profile) ?? judge(expectationOf(payment, known), object);
  if (verdict.kind === 'unchanged') {
    const fields = changeOf(payment, object, { status: payment.status, now, ...terms });
    return { verdict, draft: { ...before, payment: withFields(payment, fields) } };
  }
  if (verdict.kind !== 'move') return { verdict, draft: before };
  // Of a capture that was made elsewhere, ours says nothing.
  const isAsked = payment.keepsDue && known.askedMinor === object.amountMinor;
  const keepsDue = verdict.to === 'succeeded' ? isAsked : payment.keepsDue;
  const fields = { ...changeOf(payment, object, { status: verdict.to, now, ...terms }), keepsDue };
  const seen = { serviceStatus: object.status, serviceId: object.id, ...evidence };
  const moved = movePayment(before, verdict.to, fields, { cause, evidence: seen });
  const isExpired = isExpiredHold(payment, object, now);
  const events = isExpired ? [...moved.events, expired(before, object, cause)] : moved.events;
  return { verdict, draft: { ...moved, events } };
}

/** Whose row it is bound to, a role of the database can rewrite: then every other comparison is with that other payment's own row. */
function markedVerdict(
  payment: PaymentRow,
  { id, metadata }: ServicePayment,
  { metadataKey }: PlanTerms['profile'],
): Verdict | null {
  const other = metadataKey === null ? null : markedAnother(payment, metadata[metadataKey]);
  if (other === null) return null;
  const which = `try ${other.tryNumber} of order ${JSON.stringify(other.orderReference)}`;
  return { kind: 'anomaly', reason: `its mark says that ${id} is another payment: ${which}` };
}

function expectationOf(payment: PaymentRow, { isTest, askedMinor, accountId }: Known): Expectation {
  const { status, serviceId, amountMinor, authorizedMinor, capture, capturedMinor, currency } = payment;
  const known = { status, serviceId, amountMinor, authorizedMinor, capture, capturedMinor, currency };
  return { ...known, askedMinor, accountId, test: payment.test ?? isTest };
}

/** The service was faster than the person or policy in charge of the hold: the goods may be on their way, unpaid. */
function expired({ payment, order }: Draft, object: ServicePayment, cause: Decided['cause']): ChangeEvent {
  const expiresAt = object.expiresAt ?? payment.holdExpiresAt;
  return {
    ...aboutPayment(payment),
    name: 'hold.expired',
    cause,
    evidence: { expiresAt, timeLeftMs: 0, cancellation: object.cancellation },
    alarm: `The hold of payment ${payment.id} of order ${JSON.stringify(order.reference)} ran out: nothing was captured.`,
  };
}
