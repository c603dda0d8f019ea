import type { AuditDifference } from '../audit-difference.js';

/** A comparison of a store's books with the service's lists, as it is kept. */
export interface KeptAudit {
  readonly id: string;
  readonly store: string;
  /** The period that it compares, in business time, as the other times. */
  readonly from: Date;
  readonly to: Date;
  /** Who asked for it. */
  readonly by: string;
  readonly startedAt: Date;
  /** `running`: it is being made, or goes on once `error` is over; `broken_off`: `error` says why, and nobody goes on with it. */
  readonly state: 'running' | 'done' | 'broken_off';
  /** Up to here the period has been compared; null: nothing of it yet. A new audit can go on from there. */
  readonly comparedTo: Date | null;
  /** When it ended; null: it is still being made. */
  readonly doneAt: Date | null;
  /** Why the last try failed; null: it did not. */
  readonly error: string | null;
  /** Compared so far. */
  readonly payments: number;
  readonly refunds: number;
  /** None where the service has no receipts; null: not compared on every day, since the key may not list them. */
  readonly receipts: number | null;
  /** Found so far. */
  readonly differenceCount: number;
  /** Prepayments of the period that were not settled in time: receipts that are due, no differences. */
  readonly unsettledCount: number;
}

/** The same with what it found. */
export interface KeptAuditInFull extends KeptAudit {
  /** The first 1,000. */
  readonly differences: readonly AuditDifference[];
}

/** A page of them. */
export interface AuditPage {
  /** At most 20, the newest first. */
  readonly items: readonly KeptAudit[];
  /** The `cursor` of the next page; null: there is none. */
  readonly nextCursor: string | null;
}
