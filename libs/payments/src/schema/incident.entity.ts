import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { isOneOf } from './columns.js';
import { PaymentsPaymentEntity } from './payment.entity.js';
import { PaymentsStoreEntity } from './store.entity.js';

/** Events after which a person has to look at the payment. */
export const incidentNames = ['payment.anomaly', 'order.overpaid', 'hold.expired'] as const;
export type IncidentName = (typeof incidentNames)[number];

/** How a person ended it. */
export interface IncidentResolution {
  readonly by: string;
  readonly note: string;
  readonly at: string;
}

/**
 * An event that is a matter for a person until one has resolved it. Most payments have none. It is written with its event, by
 * payment/record-event.ts, and ended by operator/incidents.ts.
 */
@Entity({ name: 'payments_incidents' })
@Index('payments_incidents_payment_idx', ['paymentId'])
@Index('payments_incidents_open_idx', ['storeId', 'since'], { where: '"is_open"' })
@Check('payments_incidents_name_check', isOneOf('name', incidentNames))
export class PaymentsIncidentEntity {
  /** The event's id; the event itself may have been removed since. */
  @PrimaryColumn({ type: 'bigint', name: 'event_id', primaryKeyConstraintName: 'payments_incidents_pkey' })
  eventId!: string;

  @Column({ type: 'uuid', name: 'store_id' })
  storeId!: string;

  @ManyToOne(() => PaymentsStoreEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'store_id', foreignKeyConstraintName: 'payments_incidents_store_fkey' })
  store?: Relation<PaymentsStoreEntity>;

  @Column({ type: 'uuid', name: 'payment_id' })
  paymentId!: string;

  @ManyToOne(() => PaymentsPaymentEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'payment_id', foreignKeyConstraintName: 'payments_incidents_payment_fkey' })
  payment?: Relation<PaymentsPaymentEntity>;

  @Column({ type: 'text' })
  name!: IncidentName;

  /** Why, as its event says; null: the name says all. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** Nobody has resolved it. */
  @Column({ type: 'boolean', name: 'is_open' })
  isOpen!: boolean;

  /** When it happened, in business time. */
  @Column({ type: 'timestamptz' })
  since!: Date;

  @Column({ type: 'jsonb', nullable: true })
  resolution!: IncidentResolution | null;
}
