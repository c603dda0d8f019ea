import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { minorColumn } from '../../shared/database/minor-column.js';

const saleStates = ['awaiting_payment', 'paid', 'payment_failed'] as const;
export type SaleState = (typeof saleStates)[number];

/** One thing that a buyer orders in one shop. */
@Entity({ name: 'market_sales' })
@Check('market_sales_state_check', `"state" IN (${saleStates.map((state) => `'${state}'`).join(', ')})`)
@Check('market_sales_price_check', '"price_minor" > 0')
@Index('market_sales_store_idx', ['storeId', 'createdAt'])
export class Sale {
  /** Made when the shop's page is shown, so that a form sent twice is one sale. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'market_sales_pkey' })
  reference!: string;

  /** The connected store that is paid. */
  @Column({ type: 'uuid', name: 'store_id' })
  storeId!: string;

  /** The name of the item at the time of the sale. */
  @Column({ type: 'text' })
  item!: string;

  @Column(minorColumn('price_minor'))
  priceMinor!: number;

  @Column({ type: 'text', default: 'awaiting_payment' })
  state!: SaleState;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
