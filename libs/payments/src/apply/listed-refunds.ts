import type { SeenRefund } from './judge-refunds.js';

/** What a re-read says of a payment's refunds. */
export interface ListedRefunds {
  /** Hints that the list answers; what comes later asks for another one. */
  readonly hints: number;
  /** All of them, oldest first; null where nothing asked for the list. */
  readonly listed: readonly SeenRefund[] | null;
  /** Those that can no longer be under way and are absent from the list: they were never received. */
  readonly lost: readonly SentRefund[];
}

export interface SentRefund {
  readonly refundId: string;
  readonly attempts: number;
}
