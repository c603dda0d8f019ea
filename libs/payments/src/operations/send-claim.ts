import type { Moment } from '../common/moment.js';
import type { KnownOrder } from '../payment/order-totals.js';
import type { State } from '../payment/state.js';
import type { PaymentsOperationEntity } from '../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { PaymentsStoreEntity } from '../schema/store.entity.js';

/** A claimed operation. It is not read again: whatever has happened since is another sender's work. */
export interface SendClaim {
  readonly operation: Pick<
    PaymentsOperationEntity,
    | 'id'
    | 'kind'
    | 'refundId'
    | 'receiptId'
    | 'idempotenceKey'
    | 'storeId'
    | 'body'
    | 'personal'
    | 'resendable'
    | 'recordedAt'
  >;
  readonly payment: PaymentsPaymentEntity;
  /** The fence that its answer must still find. */
  readonly attempts: number;
  readonly earlierUnknown: boolean;
  /** No later than its lease in the database. */
  readonly begunAt: Moment;
  /**
   * Set if it was claimed as it was recorded: the order as it was then, with the sums of all its payments. So it needs nothing but its
   * answer to be settled, unless something of the order comes in between.
   */
  readonly asRecorded?: {
    readonly order: KnownOrder;
    readonly store: PaymentsStoreEntity;
    /** All of its payment, as it was recorded. Not given with a create. */
    readonly state?: State;
  };
}
