import type { ServicePayment } from '../api/service-payment.js';
import type { Place } from '../payment/change.js';
import type { Decided } from '../payment/status-change.js';
import { withFields } from '../schema/ledger-fields.js';
import type { PlanTerms } from './change-of.js';
import { decide, type PaymentState } from './decide.js';
import { nextCheckAt, termMsOf } from './poll-plan.js';
import { isReceiptNews } from './receipts/receipt-news.js';

interface Terms extends PlanTerms {
  readonly receiptLateMs: number;
}

/**
 * What the object means for a payment that has nothing special about it: nothing of it is open.
 * null: not all of that can be decided without the locks, as with a refund made elsewhere, a hold that is due, a receipt to be
 * reported, sent or settled, or anything odd.
 */
export function decideUnlocked(
  state: PaymentState,
  object: ServicePayment,
  decided: Decided,
  { receiptLateMs, ...terms }: Terms,
  checks: number,
) {
  const { payment } = state;
  const { now, profile } = terms;
  // The store's first answer is kept before anything is judged by it.
  if (state.isTest === null && object.test !== null) return null;
  const isHoldDue = payment.holdDueAt !== null && payment.holdDueAt <= now;
  if (isHoldDue || object.refundedMinor !== payment.refundedMinor) return null;
  if (isReceiptNews(payment, object, { now, lateMs: receiptLateMs })) return null;
  const { verdict, change } = decide(state, object, decided, terms);
  if (verdict.kind !== 'move' && verdict.kind !== 'unchanged') return null;
  if (payment.receiptStatus === 'canceled' && verdict.kind === 'move') return null;
  if (payment.receiptsAfter && verdict.kind === 'move' && verdict.to !== 'pending') return null;
  // Which goods of its receipt a part is of, the row does not say.
  const isPart = object.amountMinor !== payment.amountMinor;
  if (isPart && payment.receiptDigest !== null && verdict.kind === 'move' && verdict.to === 'succeeded')
    return null;
  const after = withFields(payment, { ...change?.after });
  const looks = verdict.kind === 'move' ? 0 : checks + 1;
  // A buyer who reloads the return page must not make the sweep look less often.
  const counted = verdict.kind === 'unchanged' && decided.cause === 'refresh' ? checks : looks;
  const at = nextCheckAt(after, now, { checks: counted, termMs: termMsOf(after, profile) });
  const place: Place = { at, checks: counted };
  return { movedTo: verdict.kind === 'move' ? verdict.to : null, change, place };
}
