import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Every handler and every effect's method any process ever registered. Deliveries are made from this table, not from what one process has in
 * memory: during a rolling deploy an old process makes deliveries for a handler that only the new one knows.
 */
@Entity({ name: 'payments_handlers' })
export class PaymentsHandlerEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'payments_handlers_pkey' })
  id!: string;

  /** An effect's method has `effect.recorded`, of which only the effects with its own id are delivered to it. */
  @Column({ type: 'text' })
  event!: string;

  @Column({ type: 'timestamptz', name: 'registered_at', default: () => 'now()' })
  registeredAt!: Date;

  /**
   * When an operator declared that no code has it any more: from then on no delivery is made for it. Registering it again clears
   * this.
   */
  @Column({ type: 'timestamptz', name: 'retired_at', nullable: true })
  retiredAt!: Date | null;

  /** Who that was. */
  @Column({ type: 'text', name: 'retired_by', nullable: true })
  retiredBy!: string | null;
}
