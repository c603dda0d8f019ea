import type { ServicePayment } from '../api/service-payment.js';
import type { ServiceProfile } from '../api/service-profile.js';
import type { Cause } from '../common/cause.js';
import { valueFromMinor } from '../common/money.js';
import { isRefundUnsettled } from '../common/refund-status.js';
import { isOnlyLookedUp } from '../operations/key-age.js';
import { sumOf } from '../operations/request-body.js';
import type { Draft } from '../payment/draft.js';
import type { Plan } from '../payment/queue.js';
import { closeProblem, OF_PAYMENT, reportReceipt } from '../payment/receipts/receipt-change.js';
import { isOpenRefund } from '../payment/refunds/open-refunds.js';
import type { State } from '../payment/state.js';
import type { Fiscalization } from '../receipts/fiscalization.js';
import { isOpenReceipt } from '../receipts/own-receipt.js';
import { withFields } from '../schema/ledger-fields.js';
import { raiseAnomaly } from './anomaly.js';
import type { PlanTerms } from './change-of.js';
import { decidePayment } from './decide.js';
import type { Verdict } from './judge.js';
import { nextCheckAt, termMsOf } from './poll-plan.js';
import { applyReceipts, type SeenReceipt } from './receipts/apply-receipts.js';
import { isReceiptLate, receiptNeed } from './receipts/receipt-news.js';
import { applyRefundList } from './refunds/apply-refunds.js';
import type { ListedRefunds } from './refunds/judge-refunds.js';

/** An object of the service, and the cause of the request. */
export interface Reading {
  readonly object: ServicePayment;
  readonly cause: Cause;
  readonly evidence: Record<string, unknown>;
  /** What the same re-read says of its refunds; the answer to a POST says nothing. */
  readonly refunds?: ListedRefunds;
  /** And of receipts of its own. */
  readonly receipts?: readonly SeenReceipt[];
}

/** What is known besides the payment's own rows. */
export interface ReadingFacts {
  /** The store's identifier at the service, and whether it moves test money only; null: not known yet. */
  readonly accountId: string;
  readonly isTest: boolean | null;
  /** Given up because of a newer try that was found again, and wanted all the same. */
  readonly isKept: boolean;
  /** Given up and held, and what is known of its order may be from before commits were lost: its hold is not let go yet. */
  readonly mustWait: boolean;
  readonly fiscalization: Fiscalization | null;
  /** Notifications have waited for the id of the object. */
  readonly isTold: boolean;
}

export interface ReadingTerms extends PlanTerms {
  readonly profile: ServiceProfile;
  readonly receiptLateMs: number;
}

/** What it means, with the next place in the queue that goes with that. */
export interface ReadingDecision {
  readonly draft: Draft;
  readonly verdict: Verdict;
  readonly plan: Plan;
}

/** A list may lag behind the payment; after this many re-reads it contradicts it. */
const LOOKS_BEFORE_ANOMALY = 3;

/** What the object of a re-read, or of the answer to a POST, means for a payment and what hangs on it. */
export function decideReading(
  before: Draft,
  reading: Reading,
  facts: Pick<ReadingFacts, 'accountId' | 'isTest' | 'isKept'>,
  terms: ReadingTerms,
): ReadingDecision {
  const { object, cause } = reading;
  const known = { ...facts, askedMinor: askedMinorOf(before, object) };
  const kept = facts.isKept ? keep(before) : before;
  const { verdict, draft: decided } = decidePayment(kept, object, known, reading, terms);
  const isMoved = verdict.kind === 'move';
  const fits = isMoved || verdict.kind === 'unchanged';
  // What does not fit says nothing of whether it is wanted either.
  const paid = fits ? decided : before;
  // A buyer who reloads the return page must not make the sweep look less often.
  const isReload = verdict.kind === 'unchanged' && cause === 'refresh';
  const { checks: earlier = 0, refundSignals = 0 } = before.queued ?? {};
  const checks = isMoved ? 0 : isReload ? earlier : earlier + 1;
  const followed = applyReceipts(paid, reading.receipts ?? [], cause, terms.receiptLateMs);
  const reported = fits ? withReceipt(followed.draft, before, cause, terms.receiptLateMs) : followed.draft;
  const listed =
    fits && paid.payment.status === 'succeeded' && reading.refunds
      ? applyRefundList(reported, reading.refunds, cause, terms)
      : { draft: reported, anomalies: [] };
  const { isOpen, misfit } = refundsLeft(listed.draft, reading, {
    fits,
    checks,
    refundSignals,
  });
  const late = terms.profile.receipts
    ? withLateReceipts(listed.draft, cause, terms.receiptLateMs)
    : listed.draft;
  const receiptOpen = terms.profile.receipts && late.receipts.some(isOpenReceipt);
  const termMs = termMsOf(late.payment, terms.profile);
  const at = nextCheckAt(late.payment, late.now, { checks, refundsOpen: isOpen, receiptOpen, termMs });
  const told = [...followed.anomalies, ...listed.anomalies].reduce(
    (now, reason) => raiseAnomaly(now, reason, { cause }),
    late,
  );
  const raised = misfit === null ? told : raiseAnomaly(told, misfit, { cause, object });
  return { draft: raised, verdict, plan: { at, checks } };
}

/** Wanted after all. The tries were of its release; its end is still to be reported. */
function keep(before: Draft): Draft {
  return { ...before, payment: withFields(before.payment, { supersededAt: null, holdTries: 0 }) };
}

/**
 * The sum of a capture of ours that may have taken effect; null: there is none. If the service definitely refused it, or its key is too old
 * and the sum another, what is captured was captured elsewhere.
 */
function askedMinorOf({ operations, now }: State, object: ServicePayment): number | null {
  const capture = operations.find(({ kind, outcome }) => kind === 'capture' && outcome === 'unknown');
  if (capture === undefined) return null;
  const askedMinor = sumOf(capture.body);
  return askedMinor !== object.amountMinor && isOnlyLookedUp(capture, now) ? null : askedMinor;
}

/** What has become of the receipt that went with the payment's money. */
function withReceipt(draft: Draft, { payment: was }: State, cause: Cause, lateMs: number): Draft {
  const { payment, now } = draft;
  const { receiptStatus: after } = payment;
  if (after === null) return draft;
  const need = receiptNeed(payment);
  // What was never registered needs no return either, once its hold is let go.
  const isLetGo =
    was.receiptStatus === 'canceled' && was.status !== payment.status && payment.status === 'canceled';
  const closed = need === 'none' || isLetGo ? closeProblem(draft, OF_PAYMENT, cause) : draft;
  // What was registered is a fact, also of money that was let go before anybody here knew that it was held.
  if (need !== 'needed' && after === 'canceled') return closed;
  if (need === 'none' && after === 'pending') return closed;
  const isUntold = was.receiptStatus === 'canceled' && receiptNeed(was) === 'not-yet';
  const before = isUntold ? null : was.receiptStatus;
  return reportReceipt(closed, OF_PAYMENT, {
    before,
    after,
    isLate: isReceiptLate(payment, { now, lateMs }),
    cause,
  });
}

/** Whether not all is known of the payment's refunds, and what contradicts what is known. */
function refundsLeft(
  { payment, refunds }: Draft,
  { object, refunds: reading }: Reading,
  {
    fits,
    checks,
    refundSignals,
  }: { readonly fits: boolean; readonly checks: number; readonly refundSignals: number },
): { readonly isOpen: boolean; readonly misfit: string | null } {
  if (payment.status !== 'succeeded') return { isOpen: false, misfit: null };
  const { refundedMinor } = payment;
  const open = refunds.filter(isOpenRefund);
  const unsettled = open.filter(({ status }) => isRefundUnsettled(status));
  // The service may already count pending ones; those in flight too, unless the list, read after the object, does not show
  // them.
  const inFlight = unsettled.filter(({ status }) => !reading?.listed || status === 'pending');
  const inFlightMinor = inFlight.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const differs =
    fits && (object.refundedMinor < refundedMinor || object.refundedMinor > refundedMinor + inFlightMinor);
  const isMisfit = differs && reading?.listed && checks >= LOOKS_BEFORE_ANOMALY;
  return {
    isOpen: differs || refundSignals > (reading?.signals ?? 0) || open.length > 0,
    misfit: isMisfit
      ? `the service reports ${valueFromMinor(object.refundedMinor)} as refunded, and the refunds add up to ${valueFromMinor(refundedMinor)}`
      : null,
  };
}

/** What is sent by itself and still on its way may be late. One that cannot be sent is late too. */
function withLateReceipts(draft: Draft, cause: Cause, lateMs: number): Draft {
  const { now } = draft;
  return draft.receipts
    .filter(({ status }) => status === 'submitting')
    .reduce((told, receipt) => {
      const isLate = isReceiptLate(receipt, { now, lateMs });
      const whose = { refundId: receipt.refundId, receiptId: receipt.id };
      return reportReceipt(told, whose, { before: null, after: 'pending', isLate, cause });
    }, draft);
}
