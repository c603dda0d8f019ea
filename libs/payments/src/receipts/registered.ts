import type { OwnReceiptStatus } from './own-receipt.js';

interface KnownReceipt {
  readonly id: string;
  readonly status: OwnReceiptStatus;
}

/** What a person has done about a receipt. */
export interface KnownProblem {
  readonly refundId: string | null;
  /** null: it went with the money, or was missing. */
  readonly receiptId: string | null;
  readonly status: 'missing' | 'pending' | 'succeeded' | 'canceled';
  /** null: nothing yet. */
  readonly resolution: { readonly sentAgainAs?: unknown } | null;
}

/** Whether it was registered, made by hand included. */
export type Registered<Known> = Known & { readonly isRegistered: boolean };

export interface RegisteredReceipts<Known, Problem> {
  /** Those that are sent by themselves, in their order. */
  readonly own: readonly Registered<Known>[];
  /** Of those that went with the money, or were missing, the problems of what was made by hand. */
  readonly madeByHand: readonly Problem[];
}

const FAILED: readonly OwnReceiptStatus[] = ['rejected', 'canceled'];

/**
 * What was registered of a payment and its refunds: what the register has taken, and what failed or was missing until a person
 * made it by hand.
 */
export function registeredOf<Known extends KnownReceipt, Problem extends KnownProblem>(
  receipts: readonly Known[],
  problems: readonly Problem[],
): RegisteredReceipts<Known, Problem> {
  const byHand = problems.filter(
    ({ resolution }) => resolution !== null && resolution.sentAgainAs === undefined,
  );
  const ids = new Set(byHand.map(({ receiptId }) => receiptId));
  return {
    own: receipts.map((receipt) => {
      const { id, status } = receipt;
      return {
        ...receipt,
        isRegistered: status === 'succeeded' || (FAILED.includes(status) && ids.has(id)),
      };
    }),
    madeByHand: byHand.filter(({ receiptId }) => receiptId === null),
  };
}
