import type { Moment } from '../common/moment.js';
import type { SeenNotification } from '../payment/change.js';
import type { Queued } from '../payment/queue.js';
import type { PaymentsDueEntity } from '../schema/due.entity.js';
import type { PaymentsOrderEntity } from '../schema/order.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { PaymentLease } from './payment-lease.js';

/** What a re-read needs to know of the payment's store. */
export interface ClaimedStore {
  readonly accountId: string;
  /** As the service said; null: the account id decides, or the first answer will. */
  readonly test: boolean | null;
  /** Consecutive changes without a notification. */
  readonly unannouncedChanges: number;
}

/** The right to re-read and apply one payment, with the state of its rows at that moment. */
export interface Claim {
  readonly paymentId: string;
  readonly fence: string;
  /** Of its lease: no later than in the database. */
  readonly begunAt: Moment;
  /** In business time. */
  readonly claimedAt: Date;
  readonly payment: PaymentsPaymentEntity;
  readonly order: PaymentsOrderEntity;
  readonly due: PaymentsDueEntity;
  /** Those of the payment's object that no re-read has answered. */
  readonly seen: readonly SeenNotification[];
  /** An operation or a refund of it is not settled. */
  readonly isUnsettled: boolean;
  readonly store: ClaimedStore;
  /** The rate limiter leaves nothing for polls of its store: some may be held back. */
  readonly isSpent: boolean;
}

/** Its place in the queue, which its worker has. */
export function queuedOf({ due, fence }: Pick<Claim, 'due' | 'fence'>): Queued {
  const { readyAt, wantedAt, checks, lane, refundSignals } = due;
  return { readyAt, wantedAt, checks, lane, refundSignals, fence, isAsked: false, isTaken: true };
}

/** One re-read of a claimed payment. */
export interface Look {
  readonly claim: Claim;
  readonly lease: PaymentLease;
  readonly asked: 'sweep' | 'refresh';
  /** Breaks it off. */
  readonly end: AbortSignal;
}
