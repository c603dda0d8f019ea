import type { WireReceipt } from '@holdfast/sandbox';

import { roubles } from '../../examples/shared/pages/format.js';
import { minor, type ComparedPayment } from './books.js';

/** What the receipts of a payment and its refunds say of its money, in minor units: income less what was given back. */
export interface ReceiptSums {
  readonly registeredMinor: number;
  /** Refused by the register, or never sent, and then made by hand. */
  readonly byHandMinor: number;
  /** What of a prepayment is settled by goods that were handed over; it moves no money. */
  readonly settledMinor: number;
}

/** A receipt that the staff made by hand, by the service's ids; `refundId` null: the payment's own. */
export interface MadeByHand {
  readonly paymentId: string;
  readonly refundId: string | null;
  /** Of one that was never sent: its money in minor units, below zero if it was given back; 0: the register refused it. */
  readonly missingMinor: number;
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
    const registered = own.filter(({ status }) => status === 'succeeded');
    const registeredMinor = sum(registered, receiptMinor);
    const refusedMinor = sum(
      own.filter((receipt) => isAmong(byHand, receipt)),
      receiptMinor,
    );
    const neverSent = byHand.filter(({ paymentId }) => paymentId === booked?.serviceId);
    const byHandMinor = neverSent.reduce((total, { missingMinor }) => total + missingMinor, refusedMinor);
    // What is held counts as received; a hold that was let go is as if it had never been.
    const receivedMinor = ledger.captures > 0 ? minor(ledger.captured) : minor(ledger.charged);
    const moneyMinor = ledger.cancels > 0 ? 0 : receivedMinor - minor(ledger.refunded);
    const shortMinor = moneyMinor - registeredMinor - byHandMinor;
    const settledMinor = sum(registered, offsetMinor);
    // In the demo nothing is given back after that.
    const handedOverMinor = booked?.handedOver === true ? moneyMinor : 0;
    const unsettledMinor = handedOverMinor - settledMinor;
    const short = `order ${booked?.orderReference}: receipts of ${signed(shortMinor)} are missing`;
    const unsettled = `order ${booked?.orderReference}: receipts that settle ${signed(unsettledMinor)} of its prepayment are missing`;
    return {
      ...payment,
      receipts: { registeredMinor, byHandMinor, settledMinor },
      differences: [
        ...differences,
        ...(shortMinor === 0 ? [] : [short]),
        ...(unsettledMinor === 0 ? [] : [unsettled]),
      ],
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
export function receiptMinor(receipt: WireReceipt): number {
  const totalMinor = settledBy(receipt, 'cashless');
  return receipt.type === 'payment' ? totalMinor : -totalMinor;
}

/** What of a prepayment it settles. */
export function offsetMinor(receipt: WireReceipt): number {
  return settledBy(receipt, 'prepayment');
}

function settledBy({ settlements }: WireReceipt, means: string): number {
  return settlements
    .filter(({ type }) => type === means)
    .reduce((total, { amount }) => total + minor(amount.value), 0);
}

function sum(receipts: readonly WireReceipt[], minorOf: (receipt: WireReceipt) => number): number {
  return receipts.reduce((total, receipt) => total + minorOf(receipt), 0);
}

/** The same with its sign. */
export function signed(amountMinor: number): string {
  return `${amountMinor < 0 ? '−' : ''}${roubles(Math.abs(amountMinor))}`;
}
