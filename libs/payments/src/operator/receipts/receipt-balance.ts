import { isRefundUnsettled } from '../../common/refund-status.js';
import { needsReceipt } from '../../receipts/fiscalization.js';
import type { OwnReceiptStatus, ReceiptType } from '../../receipts/own-receipt.js';
import { registeredOf, type RegisteredReceipts } from '../../receipts/registered.js';
import type { Audited } from '../compare.js';
import type { ListedReceipt } from './listed-receipt.js';
import { resolvedMissing } from './missing-receipts.js';
import type { ReceiptAccount } from './receipt-account.js';

/** The two sides of what does not add up; `there` is null where the service has no receipt at all. */
export interface Imbalance {
  readonly here: Audited;
  readonly there: Audited | null;
  /** Whether it is the payment's own receipts that differ, those of its refunds, or both; none if there are no receipts. */
  readonly fields: readonly ('amount' | 'refunded')[];
}

/** What the service has never had, and never will. */
const UNSENT: readonly OwnReceiptStatus[] = ['rejected', 'void'];

/** Whether a payment’s money must have receipts. `required`: none may be without. */
export function owesReceipts(account: ReceiptAccount, required: boolean): boolean {
  const { receiptStatus, refunds, own, wasSent, method } = account;
  if (receiptStatus !== null || wasSent || own.length > 0) return true;
  return refunds.some((refund) => refund.receiptStatus !== null) || (required && needsReceipt(method));
}

/**
 * What receipts are made of: the sum that was received, or is held; null while that is open. A hold that was let go is as if it
 * had never been (assumed: its receipt is taken back then).
 */
export function receivedMinor(status: string, wholeMinor: number): number | null {
  if (status === 'succeeded' || status === 'waiting_for_capture') return wholeMinor;
  return status === 'canceled' || status === 'rejected' ? 0 : null;
}

/** What a receipt says was received, below zero if it says that it was given back. */
export function incomeMinor({ type, paidMinor }: Pick<ListedReceipt, 'type' | 'paidMinor'>): number {
  if (type === 'payment') return paidMinor;
  return type === 'refund' ? -paidMinor : 0;
}

/**
 * Why a payment’s receipts, with those of its refunds, do not add up to its money; null: they do, or its money is open. Those on
 * their way count as registered. One that failed or was missing and that a person resolved may count or not, since it was either
 * made by hand or sent; so may one of ours whose answer is open.
 */
export function imbalanceOf(account: ReceiptAccount, listed: readonly ListedReceipt[]): Imbalance | null {
  const { status, authorizedMinor, capturedMinor, refundedMinor, currency } = account;
  const wholeMinor = receivedMinor(status, status === 'succeeded' ? capturedMinor : authorizedMinor);
  if (wholeMinor === null) return null;
  const receipts = listed.filter((receipt) => !isOfOpenRefund(account, receipt));
  const certain = receipts.filter((receipt) => receipt.status !== 'canceled');
  const registered = registeredOf(account.own, account.problems);
  const settled = receipts.filter(
    (receipt) => receipt.status === 'canceled' && isMadeByHand(account, registered, receipt),
  );
  const open = account.own.filter(
    ({ serviceId, status: own }) => serviceId === null && !UNSENT.includes(own),
  );
  // Refused by the service itself, so it lists none; a person has made it by hand.
  const refused = registered.own.filter(
    ({ status: own, isRegistered }) => own === 'rejected' && isRegistered,
  );
  const perhaps = [
    ...settled.map(incomeMinor),
    ...[...open, ...refused, ...resolvedMissing(account, wholeMinor)].map(({ type, amountMinor }) =>
      incomeMinor({ type, paidMinor: amountMinor }),
    ),
  ];
  if (sumsOf(certain, perhaps).has(wholeMinor - refundedMinor)) return null;
  const here = { status, amountMinor: wholeMinor, refundedMinor, currency };
  if (listed.length === 0) return { here, there: null, fields: [] };
  const counted = [...certain, ...settled];
  const unsettled = receipts.filter((receipt) => !settled.includes(receipt));
  const there = { status: worstOf(unsettled), ...incomeAndReturn(counted), currency };
  const ofPayment = sumOf(counted.filter(({ refundId }) => refundId === null));
  const fields = [
    ...(ofPayment === wholeMinor ? [] : ['amount' as const]),
    ...(sumOf(counted) - ofPayment === -refundedMinor ? [] : ['refunded' as const]),
  ];
  return { here, there, fields };
}

/** Every sum that these can make, each of `perhaps` counted or not. */
function sumsOf(certain: readonly ListedReceipt[], perhaps: readonly number[]): ReadonlySet<number> {
  return perhaps.reduce(
    (sums, minor) => new Set([...sums, ...[...sums].map((sum) => sum + minor)]),
    new Set([sumOf(certain)]),
  );
}

function sumOf(receipts: readonly ListedReceipt[]): number {
  return receipts.reduce((sum, receipt) => sum + incomeMinor(receipt), 0);
}

function incomeAndReturn(receipts: readonly ListedReceipt[]): Pick<Audited, 'amountMinor' | 'refundedMinor'> {
  const sum = (wanted: ReceiptType) =>
    receipts.reduce((total, { type, paidMinor }) => (type === wanted ? total + paidMinor : total), 0);
  return { amountMinor: sum('payment'), refundedMinor: sum('refund') };
}

/** A receipt whose refund has still to end says nothing yet. */
function isOfOpenRefund({ refunds }: ReceiptAccount, { refundId }: ListedReceipt): boolean {
  return refundId !== null && refunds.some((of) => of.serviceId === refundId && isRefundUnsettled(of.status));
}

function isMadeByHand(
  account: ReceiptAccount,
  { own, madeByHand }: RegisteredReceipts<ReceiptAccount['own'][number], ReceiptAccount['problems'][number]>,
  { id, refundId }: ListedReceipt,
): boolean {
  const ofOurs = own.find(({ serviceId }) => serviceId === id);
  if (ofOurs) return ofOurs.isRegistered;
  const refund = account.refunds.find(({ serviceId }) => serviceId !== null && serviceId === refundId);
  return madeByHand.some(
    (problem) => problem.status !== 'missing' && problem.refundId === (refundId === null ? null : refund?.id),
  );
}

/** What a person sees of all of them first. */
function worstOf(receipts: readonly ListedReceipt[]): string {
  const statuses = receipts.map(({ status }) => status ?? 'unknown');
  return (
    ['canceled', 'unknown', 'pending'].find((status) => statuses.some((one) => one === status)) ?? 'succeeded'
  );
}
