import type { ReceiptStatus } from '../../api/objects/fields.js';
import type { ServiceReceipt } from '../../api/service-receipt.js';
import type { Cause } from '../../common/cause.js';
import { newId } from '../../common/uuid.js';
import { isNeeded } from '../../receipts/decide-owed.js';
import type { ProblemRow, ReceiptRow } from '../../schema/rows.js';
import type { RecordedEventName } from '../../views/events.js';
import type { ChangeEvent } from '../change.js';
import { withRow, type Draft } from '../draft.js';
import { receiptIdOf } from '../intent-key.js';

/** Whose receipt: null and null: the payment's own, which went with the money; a refund's; or one that is sent by itself. */
interface Receipted {
  readonly refundId: string | null;
  readonly receiptId: string | null;
}

/** The receipt that went with the payment's money. */
export const OF_PAYMENT: Receipted = { refundId: null, receiptId: null };

/** What is known of a registration. */
interface Registration {
  /** As last recorded, and as just read. */
  readonly before: ReceiptStatus | null;
  readonly after: ReceiptStatus | null;
  /** It is pending for too long. */
  readonly isLate: boolean;
  readonly cause: Cause;
}

/** A receipt that is sent by itself: at once, or kept until its money has moved. */
export type NewReceipt = Pick<ReceiptRow, 'refundId' | 'receiptKey' | 'type' | 'amountMinor'> &
  Partial<Pick<ReceiptRow, 'askedDigest'>> &
  (
    | { readonly status: 'submitting' }
    | { readonly status: 'owed'; readonly body: string; readonly personal: string | null }
  );

/** With a receipt that was not known here. */
export function openReceipt(draft: Draft, receipt: NewReceipt): Draft {
  return { ...draft, receipts: withRow(draft.receipts, receiptRow(draft, receipt)) };
}

/** `place`: among those that one change records, which keep that order. */
export function receiptRow({ payment, now }: Draft, receipt: NewReceipt, place = 0): ReceiptRow {
  return {
    askedDigest: null,
    body: null,
    personal: null,
    serviceId: null,
    object: null,
    ...receipt,
    id: receiptIdOf(payment, receipt.receiptKey, receipt.refundId),
    storeId: payment.storeId,
    paymentId: payment.id,
    currency: payment.currency,
    createdAt: new Date(now.getTime() + place),
    updatedAt: now,
  };
}

/** With an owed receipt that is to be sent: its operation has what it says from now on. */
export function submitReceipt(draft: Draft, receipt: ReceiptRow): Draft {
  return changed(draft, receipt, { body: null, personal: null, status: 'submitting' });
}

/** With an owed receipt that is not owed any more: what it said is forgotten. */
export function dropReceipt(draft: Draft, receipt: ReceiptRow): Draft {
  return changed(draft, receipt, { body: null, personal: null, status: 'void' });
}

/** With what the service says of one that was sent by itself. */
export function seeReceipt(
  draft: Draft,
  receipt: ReceiptRow,
  { id: serviceId, status, kept }: Pick<ServiceReceipt, 'id' | 'status' | 'kept'>,
  { isLate, cause }: Pick<Registration, 'isLate' | 'cause'>,
): Draft {
  const before = statusOf(receipt);
  // What is final stays, whatever an older answer says.
  const after = before === null || before === 'pending' ? (status ?? 'pending') : before;
  const isNew = after !== receipt.status;
  const seen = isNew ? changed(draft, receipt, { serviceId, status: after, object: kept }) : draft;
  const closed = after === 'succeeded' && before !== after ? closeMissing(seen, receipt) : seen;
  if (after === 'canceled' && !isNeeded(draft.payment, receipt.receiptKey)) return closed;
  return reportReceipt(closed, of(receipt), { before, after, isLate, cause });
}

/** The service refused it for good, or never received it. */
export function rejectReceipt(draft: Draft, receipt: ReceiptRow, cause: Cause): Draft {
  if (receipt.status !== 'submitting') return draft;
  const rejected = changed(draft, receipt, { status: 'rejected' });
  if (!isNeeded(draft.payment, receipt.receiptKey)) return rejected;
  const registration = { before: null, after: 'canceled', isLate: false, cause } as const;
  return reportReceipt(rejected, of(receipt), registration);
}

/**
 * With the report of how the registration of a receipt has gone on: by an event, and what failed or is late also as a problem, so that no
 * receipt is lost without a person knowing.
 */
export function reportReceipt(draft: Draft, whose: Receipted, registration: Registration): Draft {
  const { before, after, isLate, cause } = registration;
  const isNew = after !== before;
  const problem = problemOf(draft, whose);
  if (after === 'succeeded' && isNew) {
    const closed = problem ? withProblem(draft, { ...problem, status: after, isOpen: false }) : draft;
    return announce(closed, whose, 'receipt.succeeded', cause);
  }
  if (after === 'canceled' && isNew) {
    const alarm = `The receipt of ${nameOf(draft, whose)} was not registered: it needs a person.`;
    return announce(openProblem(draft, whose, after), whose, 'receipt.failed', cause, { alarm });
  }
  if (after !== 'pending' || !isLate || problem?.status === after) return draft;
  const notice = `The receipt of ${nameOf(draft, whose)} is still not registered.`;
  return announce(openProblem(draft, whose, after), whose, 'receipt.late', cause, { notice });
}

/** Money was moved elsewhere, and nobody has said what is on its receipt: a person has to. */
export function reportMissing(draft: Draft, refundId: string | null, cause: Cause): Draft {
  const whose = { refundId, receiptId: null };
  if (problemOf(draft, whose)?.status === 'missing') return draft;
  const alarm = `The receipt of ${nameOf(draft, whose)} is missing: its money was moved elsewhere, so a person must send it.`;
  return announce(openProblem(draft, whose, 'missing'), whose, 'receipt.failed', cause, { alarm });
}

/** Nobody needs the receipt any more, whatever has become of it. */
export function closeProblem(draft: Draft, whose: Receipted, cause: Cause): Draft {
  const problem = problemOf(draft, whose);
  if (!problem?.isOpen) return draft;
  return announce(withProblem(draft, { ...problem, isOpen: false }), whose, 'receipt.not_needed', cause);
}

/** What was missing was sent by itself: by a person, who need not say so once more. One of another sum is not it. */
function closeMissing(draft: Draft, { refundId, type, amountMinor }: ReceiptRow): Draft {
  const refund = draft.refunds.find(({ id }) => id === refundId);
  const movedMinor = refund?.amountMinor ?? (type === 'payment' ? draft.payment.capturedMinor : null);
  const problem = problemOf(draft, { refundId, receiptId: null });
  const isMissing = problem?.status === 'missing' && problem.isOpen;
  return isMissing && amountMinor === movedMinor ? withProblem(draft, { ...problem, isOpen: false }) : draft;
}

/** A failure is seen once, so one after a resolved one is of another receipt, as of the part of a hold that was captured. */
function openProblem(draft: Draft, whose: Receipted, status: 'missing' | 'pending' | 'canceled'): Draft {
  const { payment, now: since } = draft;
  const known = problemOf(draft, whose);
  if (known?.status === status && (status !== 'canceled' || known.isOpen)) return draft;
  const problem = { status, isOpen: true, since, resolution: null } as const;
  const made = { id: newId(), storeId: payment.storeId, paymentId: payment.id, ...whose };
  return withProblem(draft, { ...(known ?? made), ...problem });
}

function withProblem(draft: Draft, problem: ProblemRow): Draft {
  return { ...draft, problems: withRow(draft.problems, problem) };
}

function problemOf({ problems }: Draft, { refundId, receiptId }: Receipted): ProblemRow | undefined {
  return problems.find((one) =>
    receiptId === null ? one.receiptId === null && one.refundId === refundId : one.receiptId === receiptId,
  );
}

function announce(
  draft: Draft,
  whose: Receipted,
  name: RecordedEventName,
  cause: Cause,
  told: Pick<ChangeEvent, 'alarm' | 'notice'> = {},
): Draft {
  const { id: paymentId, storeId } = draft.payment;
  const { refundId, receiptId } = whose;
  const subject =
    receiptId !== null
      ? ({ type: 'receipt', id: receiptId } as const)
      : refundId === null
        ? ({ type: 'payment', id: paymentId } as const)
        : ({ type: 'refund', id: refundId } as const);
  const event = { storeId, subject, paymentId, name, cause, evidence: { ...whose }, ...told };
  return { ...draft, events: [...draft.events, event] };
}

function nameOf({ payment, order }: Draft, { refundId, receiptId }: Receipted): string {
  const name = `${payment.id} of order ${JSON.stringify(order.reference)}`;
  if (receiptId !== null) return `payment ${name}, sent by itself (${receiptId}),`;
  return `${refundId === null ? '' : `refund ${refundId} of `}payment ${name}`;
}

function of({ id: receiptId, refundId }: ReceiptRow): Receipted {
  return { receiptId, refundId };
}

function changed(draft: Draft, receipt: ReceiptRow, fields: Partial<ReceiptRow>): Draft {
  const row = { ...receipt, ...fields, updatedAt: draft.now };
  return { ...draft, receipts: withRow(draft.receipts, row) };
}

/** Null: the service has not said one. */
function statusOf({ status }: ReceiptRow): ReceiptStatus | null {
  return status === 'pending' || status === 'succeeded' || status === 'canceled' ? status : null;
}
