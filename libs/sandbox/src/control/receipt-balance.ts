import { formatMinor, parseMinor, sumMinor } from '../common/money.js';
import type { LedgerTotals } from '../ledger/ledger.js';
import type { Payment } from '../payments/payment.js';
import type { Receipt, ReceiptStatus } from '../receipts/receipt.js';

/** What the receipts of one payment and of its refunds say of its money, in roubles; below zero with a minus. */
export interface ReceiptBalance {
  readonly paymentId: string;
  /** What the shop holds or has received, less what it gave back. */
  readonly money: string;
  /** Receipts of income less those of its return, of what was paid without cash: offsets of a prepayment move no money. */
  readonly registered: string;
  /** The same of those that no register has answered yet. */
  readonly pending: string;
  /** The same of those that a register refused. */
  readonly refused: string;
  /** The money, less what is registered and pending: above zero, a receipt is missing. */
  readonly short: string;
}

/** The part of the ledger's report that is about receipts. */
export interface ReceiptReport {
  readonly receipts: readonly ReceiptBalance[];
  /** Those that do not add up. */
  readonly receiptsShort: readonly ReceiptBalance[];
}

/** Of a payment that owes receipts; null: it owes none. */
export function receiptBalance(
  payment: Payment,
  totals: LedgerTotals,
  receipts: readonly Receipt[],
): ReceiptBalance | null {
  if (!owesReceipts(payment, receipts)) return null;
  const moneyMinor = moneyOf(totals);
  const sum = (status: ReceiptStatus) =>
    receipts
      .filter((receipt) => receipt.status === status)
      .reduce((totalMinor, receipt) => totalMinor + incomeOf(receipt), 0);
  const [registered, pending, refused] = [sum('succeeded'), sum('pending'), sum('canceled')];
  return {
    paymentId: payment.id,
    money: signed(moneyMinor),
    registered: signed(registered),
    pending: signed(pending),
    refused: signed(refused),
    short: signed(moneyMinor - registered - pending),
  };
}

export function isShort({ short }: ReceiptBalance): boolean {
  return short !== signed(0);
}

/** A company that pays another one by the bank's own means needs none. */
function owesReceipts({ store, method }: Payment, receipts: readonly Receipt[]): boolean {
  return receipts.length > 0 || (store.receipts !== null && method?.type !== 'b2b_sberbank');
}

/** A hold that was let go is as if it had never been. */
function moneyOf({ cancels, charged, captures, captured, refunded }: LedgerTotals): number {
  if (cancels > 0) return 0;
  return captures > 0 ? minorOf(captured) - minorOf(refunded) : minorOf(charged);
}

function incomeOf({ type, settlements }: Receipt): number {
  const totalMinor = sumMinor(settlements.filter((settlement) => settlement.type === 'cashless'));
  return type === 'payment' ? totalMinor : -totalMinor;
}

function minorOf(value: string): number {
  return parseMinor(value) ?? 0;
}

function signed(minor: number): string {
  return `${minor < 0 ? '-' : ''}${formatMinor(Math.abs(minor))}`;
}
