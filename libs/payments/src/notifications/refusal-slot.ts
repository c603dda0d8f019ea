import { createHash } from 'node:crypto';

/** Rows that a store's refused notifications take at most. */
export const REFUSAL_SLOTS = 64;

/** The row that remembers the refused notification of a payment, by the service's id. */
export function refusalSlot(objectId: string): number {
  return createHash('sha256').update(objectId).digest().readUInt16BE() % REFUSAL_SLOTS;
}
