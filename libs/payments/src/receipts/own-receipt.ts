import type { ReceiptStatus } from '../api/objects/fields.js';

/** Income, or its return. */
export const receiptTypes = ['payment', 'refund'] as const;
/** One of {@link receiptTypes}. */
export type ReceiptType = (typeof receiptTypes)[number];

/**
 * - `owed`: kept until its money moves; then the module sends it
 * - `void`: not owed any more, since its money never moved, or only a part of it; or it was found again, and goes on under its
 *   caller's key
 * - `submitting`: recorded, and not answered yet
 * - `rejected`: the service refused it, or provably never received it
 * - the others: how its registration goes on
 */
export type OwnReceiptStatus = 'owed' | 'void' | 'submitting' | 'rejected' | ReceiptStatus;

/** Neither registered nor refused. */
export const openReceiptStatuses = ['submitting', 'pending'] as const satisfies readonly OwnReceiptStatus[];

export function isOpenReceipt({ status }: { readonly status: OwnReceiptStatus }): boolean {
  return openReceiptStatuses.some((open) => open === status);
}
