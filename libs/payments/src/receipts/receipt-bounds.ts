import type { ReceiptStatus } from '../api/objects/fields.js';
import type { PaymentStatus } from '../common/payment-status.js';
import type { RefundStatus } from '../common/refund-status.js';
import { openReceiptStatuses, type OwnReceiptStatus, type ReceiptType } from './own-receipt.js';
import { registeredOf, type KnownProblem } from './registered.js';

/** What a receipt says was paid: in money, and by what was paid before. */
export interface Said {
  readonly type: ReceiptType;
  /** null: of the payment itself. */
  readonly refundId: string | null;
  readonly cashlessMinor: number;
  readonly prepaymentMinor: number;
}

/** One that was sent by itself, or is kept for it. */
export type KnownSaid = Said & { readonly id: string; readonly status: OwnReceiptStatus };

interface MovedPayment {
  readonly status: PaymentStatus;
  readonly authorizedMinor: number;
  readonly capturedMinor: number;
  /** Of the receipt that went with it; null: none did. */
  readonly receiptStatus: ReceiptStatus | null;
}

interface MovedRefund {
  readonly id: string;
  readonly status: RefundStatus;
  readonly amountMinor: number;
  readonly receiptStatus: ReceiptStatus | null;
}

/** The money that receipts are of. */
export interface ReceiptedMoney {
  readonly payment: MovedPayment;
  readonly refunds: readonly MovedRefund[];
  readonly problems: readonly KnownProblem[];
  /** What the order costs. What is offset may have been paid by other payments of it, or by a gift card. */
  readonly totalDueMinor: number;
}

/** What receipts would say beyond the money; both sums in minor units. */
export interface Excess extends Sums {
  readonly what: 'cashless' | 'prepayment';
}

interface Sums {
  readonly saidMinor: number;
  readonly mostMinor: number;
}

const KEPT: readonly OwnReceiptStatus[] = ['owed', ...openReceiptStatuses];

/** What is said by now: by receipts that are sent by themselves, and of which money by other ones. */
interface Known {
  readonly own: readonly Said[];
  readonly madeByHand: readonly KnownProblem[];
}

/**
 * What receipts would say beyond the money, were this one sent; null: it fits. A return makes room for the income that was wrong.
 * What failed counts for nothing, unless it was made by hand.
 */
export function excessOf(money: ReceiptedMoney, sent: readonly KnownSaid[], receipt: Said): Excess | null {
  const { own, madeByHand } = registeredOf(sent, money.problems);
  const counted = own.filter(({ status, isRegistered }) => isRegistered || KEPT.includes(status));
  const known = { own: counted, madeByHand };
  const ofMoney = receipt.refundId === null ? ofPayment : ofRefund;
  const checks = [
    ...(receipt.cashlessMinor === 0
      ? []
      : [{ what: 'cashless', ...ofMoney(money, known, receipt) } as const]),
    ...(receipt.prepaymentMinor === 0
      ? []
      : [{ what: 'prepayment', ...ofOffsets(money, known, receipt) } as const]),
  ];
  return checks.find(({ saidMinor, mostMinor }) => saidMinor > mostMinor) ?? null;
}

function ofPayment({ payment, refunds }: ReceiptedMoney, known: Known, { type, cashlessMinor }: Said): Sums {
  const own = known.own.filter(({ refundId }) => refundId === null);
  const movedMinor = payment.status === 'succeeded' ? payment.capturedMinor : payment.authorizedMinor;
  const incomeMinor =
    besidesMinor(known, null, payment.receiptStatus, movedMinor) + sumOf(own, 'payment', 'cashlessMinor');
  const returnedMinor = sumOf(own, 'refund', 'cashlessMinor');
  const givenBackMinor = refunds.reduce(
    (sum, { id, receiptStatus, amountMinor }) => sum + besidesMinor(known, id, receiptStatus, amountMinor),
    sumOf(known.own, 'refund', 'cashlessMinor'),
  );
  return type === 'payment'
    ? { saidMinor: cashlessMinor + incomeMinor - returnedMinor, mostMinor: movedMinor }
    : { saidMinor: cashlessMinor + givenBackMinor, mostMinor: Math.max(movedMinor, incomeMinor) };
}

function ofRefund({ refunds }: ReceiptedMoney, known: Known, { refundId, cashlessMinor }: Said): Sums {
  const refund = refunds.find(({ id }) => id === refundId);
  const mostMinor = refund?.amountMinor ?? 0;
  const own = known.own.filter((one) => one.refundId === refundId);
  const earlierMinor = besidesMinor(known, refundId, refund?.receiptStatus ?? null, mostMinor);
  return { saidMinor: cashlessMinor + earlierMinor + sumOf(own, 'refund', 'cashlessMinor'), mostMinor };
}

/** Only a return of the payment itself takes a settlement back; that of a refund goes beside it. */
function ofOffsets({ totalDueMinor }: ReceiptedMoney, known: Known, { type, prepaymentMinor }: Said): Sums {
  const own = known.own.filter(({ refundId }) => refundId === null);
  const offsetMinor = sumOf(own, 'payment', 'prepaymentMinor');
  const takenBackMinor = sumOf(own, 'refund', 'prepaymentMinor');
  return type === 'payment'
    ? { saidMinor: prepaymentMinor + offsetMinor - takenBackMinor, mostMinor: totalDueMinor }
    : {
        saidMinor: prepaymentMinor + sumOf(known.own, 'refund', 'prepaymentMinor'),
        mostMinor: Math.max(totalDueMinor, offsetMinor),
      };
}

/** By what went with the money, or was made by hand in its place. */
function besidesMinor(
  { madeByHand }: Known,
  refundId: string | null,
  receiptStatus: ReceiptStatus | null,
  amountMinor: number,
): number {
  const isSent = receiptStatus === 'pending' || receiptStatus === 'succeeded';
  return isSent || madeByHand.some((problem) => problem.refundId === refundId) ? amountMinor : 0;
}

function sumOf(said: readonly Said[], type: ReceiptType, of: 'cashlessMinor' | 'prepaymentMinor'): number {
  return said.reduce((sum, one) => sum + (one.type === type ? one[of] : 0), 0);
}
