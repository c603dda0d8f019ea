import type { OrderFields, PaymentFields } from '../schema/ledger-fields.js';
import type { PaymentsOrderEntity } from '../schema/order.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { EventAbout, NewEvent } from './record-event.js';

/** An event of a change, and what the log says of it to a person: as an error, or as a warning. */
export type ChangeEvent = EventAbout &
  Omit<NewEvent, 'object'> & { readonly alarm?: string; readonly notice?: string };

/** How many notifications had arrived before a re-read; later ones cause another. */
export interface SeenNotification {
  readonly id: string;
  readonly count: number;
  /** The span of the last request that brought it; read only where somebody traces. */
  readonly traceparent?: string | null;
}

/** A payment's next place in the queue. */
export interface Place {
  /** The next planned look, in business time; null: never. Earlier, if one was requested meanwhile. */
  readonly at: Date | null;
  /** Re-reads since the last change. */
  readonly checks: number;
  /** How many there were when they were counted; if polls have begun afresh since then, that stands. */
  readonly checksBefore?: number;
  /** Where it queues: among those that failed, or where it was. Default: as it is planned and was requested. */
  readonly lane?: 'failing' | 'kept';
  /** How long the sweep keeps away from it, whatever is requested. */
  readonly restMs?: number;
  /** Requests for a list of its refunds that were answered. */
  readonly answeredSignals?: number;
}

/**
 * All that happens to one payment at once: status and fields, events with their deliveries, the order's totals, the end of the
 * operation that was answered, the notifications that were, and the next place in the queue.
 */
export interface Change {
  readonly payment: Pick<PaymentsPaymentEntity, 'id' | 'storeId'>;
  /** As it was read: its version guards the change. */
  readonly order: Pick<PaymentsOrderEntity, 'id' | 'version' | 'reference'>;
  /** The payment from now on; null: it stays as it is. */
  readonly after: PaymentFields | null;
  /** `updatedAt` says since when the payment has its status, or waits for a person. Default: it stays. */
  readonly isDated?: boolean;
  /** The order from now on; null: it stays as it is. */
  readonly totals: OrderFields | null;
  readonly events: readonly ChangeEvent[];
  /** The operation that this confirms: only while that attempt is its newest. */
  readonly operation?: { readonly id: string; readonly attempts: number };
  readonly answered?: readonly SeenNotification[];
  /** The lease under which the payment was re-read. */
  readonly fence?: string;
  /** null or omitted: whoever has the payment decides. */
  readonly place?: Place;
}

/** The result of a change. */
export interface Written {
  /** It may be claimed at once. */
  readonly isReady: boolean;
  /** Handlers have something to do. */
  readonly isAnnounced: boolean;
  /** The payment's, as it is now; null: the payment stayed as it was. */
  readonly updatedAt: Date | null;
}
