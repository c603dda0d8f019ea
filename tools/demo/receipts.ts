import type { WireReceipt } from '@holdfast/sandbox';

import { roubles } from '../../examples/shared/pages/format.js';
import { minor, type ComparedPayment } from './books.js';

/** What the receipts of a payment and its refunds say of its money, in minor units: income less what was given back. */
export interface ReceiptSums {
  readonly registeredMinor: number;
  /** Refused by the register, and then made by hand. */
  readonly byHandMinor: number;
}

/** A receipt that the staff made by hand, by the service's ids; `refundId` null: the payment's own. */
export interface MadeByHand {
  readonly paymentId: string;
  readonly refundId: string | null;
}

export interface ComparedReceipts extends ComparedPayment {
  readonly receipts: ReceiptSums;
}

/** Adds to each payment its receipts, and a difference if they do not add up to its money. */
export function compareReceipts(
  compared: readonly ComparedPayment[],
  receipts: readonly WireReceipt[],
  byHand: readonly MadeByHand[],
): ComparedReceipts[] {
  return compared.map((payment) => {
    const { booked, ledger, differences } = payment;
    const own = receipts.filter(({ payment_id: id }) => id === booked?.serviceId);
    const registeredMinor = sumMinor(own.filter(({ status }) => status === 'succeeded'));
    const byHandMinor = sumMinor(own.filter((receipt) => isAmong(byHand, receipt)));
    // What is held counts as received; a hold that was let go is as if it had never been.
    const receivedMinor = ledger.captures > 0 ? minor(ledger.captured) : minor(ledger.charged);
    const moneyMinor = ledger.cancels > 0 ? 0 : receivedMinor - minor(ledger.refunded);
    const shortMinor = moneyMinor - registeredMinor - byHandMinor;
    const short = `order ${booked?.orderReference}: receipts of ${signed(shortMinor)} are missing`;
    return {
      ...payment,
      receipts: { registeredMinor, byHandMinor },
      differences: shortMinor === 0 ? differences : [...differences, short],
    };
  });
}

function isAmong(
  byHand: readonly MadeByHand[],
  { payment_id: id, refund_id: refundId = '', status }: WireReceipt,
): boolean {
  const made = byHand.some((one) => one.paymentId === id && (one.refundId ?? '') === refundId);
  return status === 'canceled' && made;
}

/** The money that a receipt is about, in minor units, below zero if it was given back; the offset of a prepayment moves none. */
export function receiptMinor({ type, settlements }: WireReceipt): number {
  const totalMinor = settlements
    .filter((settlement) => settlement.type === 'cashless')
    .reduce((total, { amount }) => total + minor(amount.value), 0);
  return type === 'payment' ? totalMinor : -totalMinor;
}

function sumMinor(receipts: readonly WireReceipt[]): number {
  return receipts.reduce((total, receipt) => total + receiptMinor(receipt), 0);
}

function signed(amountMinor: number): string {
  return `${amountMinor < 0 ? '−' : ''}${roubles(Math.abs(amountMinor))}`;
}
