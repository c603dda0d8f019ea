import type { ServicePayment } from '../api/service-payment.js';
import type { ServiceStatus } from '../common/payment-status.js';
import { isHoldDue } from '../holds/hold-plan.js';
import { draftOf, type Draft } from '../payment/draft.js';
import type { Plan } from '../payment/queue.js';
import { NOTHING_READ, type State } from '../payment/state.js';
import type { Decided } from '../payment/status-change.js';
import { decideReading, type ReadingFacts, type ReadingTerms } from './decide-reading.js';
import { isReceiptNews } from './receipts/receipt-news.js';

/** What is known of a payment of which nothing else is open, nor was read. */
type AloneState = Pick<State, 'now' | 'order' | 'payment' | 'queued'> & Partial<State>;

type AloneFacts = Pick<ReadingFacts, 'accountId' | 'isTest'>;

interface Decision {
  readonly state: State;
  readonly draft: Draft;
  readonly plan: Plan;
  readonly movedTo: ServiceStatus | null;
}

/**
 * What the object means for a payment that has nothing special about it, by its row alone. null: that takes more than its row, as with a
 * refund made elsewhere, a hold that is due, a receipt to be reported, sent or settled, or anything odd.
 */
export function decideAlone(
  known: AloneState,
  object: ServicePayment,
  decided: Decided,
  { accountId, isTest }: AloneFacts,
  terms: ReadingTerms,
): Decision | null {
  const state = { databaseNow: known.now, ...NOTHING_READ, ...known };
  const { payment } = state;
  const { now } = state;
  const { receiptLateMs: lateMs } = terms;
  // The store's first answer is kept before anything is judged by it.
  if (isTest === null && object.test !== null) return null;
  if (isHoldDue(payment, now) || object.refundedMinor !== payment.refundedMinor) return null;
  if (isReceiptNews(payment, object, { now, lateMs })) return null;
  const facts = { accountId, isTest, isKept: false };
  const { draft, verdict, plan } = decideReading(draftOf(state), { object, ...decided }, facts, terms);
  if (verdict.kind === 'unchanged') return { state, draft, plan, movedTo: null };
  if (verdict.kind !== 'move' || needsGoods(state, object, verdict.to)) return null;
  return { state, draft, plan, movedTo: verdict.to };
}

/** Whether the change is one of receipts too. */
function needsGoods({ payment }: AloneState, object: ServicePayment, to: ServiceStatus): boolean {
  if (payment.receiptStatus === 'canceled') return true;
  if (payment.receiptsAfter && to !== 'pending') return true;
  // Which goods of its receipt a part is of, the row does not say.
  const isPart = object.amountMinor !== payment.amountMinor;
  return isPart && payment.receiptDigest !== null && to === 'succeeded';
}
