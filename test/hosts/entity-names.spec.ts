import { PaymentsModule } from '@holdfast/payments';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Column, DataSource, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { canaries } from '../support/canaries.js';
import { startHost, type Host } from './host.js';
import { openEmptyDatabase, type OpenDatabase } from './open-database.js';

/** As a shop names its own. */
@Entity({ name: 'shop_orders' })
class OrderEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;
}

@Entity({ name: 'shop_payments' })
class PaymentEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;
}

@Entity({ name: 'shop_refunds' })
class RefundEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;
}

@Entity({ name: 'shop_stores' })
class StoreEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;
}

/** Refers to each of them by name, as files do that would import one another in a circle. */
@Entity({ name: 'shop_notes' })
class NoteEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  text!: string;

  @ManyToOne('OrderEntity')
  @JoinColumn({ name: 'order_id' })
  order!: Relation<OrderEntity>;

  @ManyToOne('PaymentEntity')
  @JoinColumn({ name: 'payment_id' })
  payment!: Relation<PaymentEntity>;

  @ManyToOne('RefundEntity')
  @JoinColumn({ name: 'refund_id' })
  refund!: Relation<RefundEntity>;

  @ManyToOne('StoreEntity')
  @JoinColumn({ name: 'store_id' })
  store!: Relation<StoreEntity>;
}

describe('a host with entities named OrderEntity, PaymentEntity, RefundEntity and StoreEntity, which imports the module first', () => {
  let database: OpenDatabase;
  let host: Host;
  beforeAll(async () => {
    database = await openEmptyDatabase();
    host = await startHost({
      imports: [
        PaymentsModule.forRoot({
          serviceUrl: 'https://pay.example',
          shopId: 'test_shop',
          secretKey: canaries.secretKey,
        }),
        ScheduleModule.forRoot(),
        TypeOrmModule.forRoot({
          type: 'postgres',
          url: database.url,
          autoLoadEntities: true,
          synchronize: true,
        }),
        TypeOrmModule.forFeature([OrderEntity, PaymentEntity, RefundEntity, StoreEntity, NoteEntity]),
      ],
    });
  });
  afterAll(async () => {
    await host.close();
    await database.close();
  });

  it('has its relations by name bound to tables of its own, foreign keys included', async () => {
    const { rows } = await database.sql.query<{ column: string; table: string }>(
      `SELECT attname AS column, confrelid::regclass::text AS table
       FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
       WHERE contype = 'f' AND conrelid = 'shop_notes'::regclass ORDER BY 1`,
    );
    expect(rows).toEqual([
      { column: 'order_id', table: 'shop_orders' },
      { column: 'payment_id', table: 'shop_payments' },
      { column: 'refund_id', table: 'shop_refunds' },
      { column: 'store_id', table: 'shop_stores' },
    ]);
  });

  it('writes and reads through them, beside the module', async () => {
    const { manager } = host.app.get(DataSource);
    const [order, payment, refund, store] = [{ id: 'o' }, { id: 'p' }, { id: 'r' }, { id: 's' }];
    await manager.insert(OrderEntity, order);
    await manager.insert(PaymentEntity, payment);
    await manager.insert(RefundEntity, refund);
    await manager.insert(StoreEntity, store);
    const note = { id: 'n', text: 'call back', order, payment, refund, store };
    await manager.save(NoteEntity, note);
    const relations = { order: true, payment: true, refund: true, store: true };
    expect(await manager.findOne(NoteEntity, { where: { id: 'n' }, relations })).toEqual(note);
    expect(await host.payments.getOrder('o')).toBeNull();
  });
});
