import {
  OnPaymentEvent,
  PaymentsModule,
  PaymentsService,
  type HandlerContext,
  type OrderEvent,
  type Payment,
} from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import { jest } from '@jest/globals';
import { Injectable, Logger, type DynamicModule, type Type } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { fileURLToPath } from 'node:url';
import { DataSource } from 'typeorm';
import {
  addTransactionalDataSource,
  deleteDataSourceByName,
  initializeTransactionalContext,
  runOnTransactionCommit,
  StorageDriver,
  Transactional,
} from 'typeorm-transactional';
import { startHostProcess } from '../security/hostile/host-process.js';
import { eventually } from '../support/eventually.js';
import { closing } from '../support/still-running.js';
import { paymentsOptions, startHost, startTestSandbox, typeOrm, type Host } from './host.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

const inputOf = (reference: string) => ({
  order: { reference },
  amount: { value: '100.00', currency: 'RUB' as const },
  returnUrl: 'https://shop.example/return',
});

/** What a checkout does within a transaction of its own. */
type Work = () => Promise<unknown>;

/** A way to hold a transaction around calls. */
interface Way {
  within(work: Work): Promise<unknown>;
}

@Injectable()
class ByDecorator implements Way {
  @Transactional()
  within(work: Work): Promise<unknown> {
    return work();
  }
}

@Injectable()
class ByCallback implements Way {
  constructor(private readonly dataSource: DataSource) {}

  within(work: Work): Promise<unknown> {
    return this.dataSource.transaction(work);
  }
}

@Injectable()
class ByRunner implements Way {
  constructor(private readonly dataSource: DataSource) {}

  async within(work: Work): Promise<unknown> {
    const runner = this.dataSource.createQueryRunner();
    await runner.connect();
    await runner.startTransaction();
    try {
      const result = await work();
      await runner.commitTransaction();
      return result;
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    } finally {
      await runner.release();
    }
  }
}

/** As the guides write it: an update that finds no row is a failure of the run. */
@Injectable()
class PaidOrders {
  @OnPaymentEvent('order.paid', { id: 'orders.mark-paid' })
  async markPaid({ orderReference }: OrderEvent, { manager }: HandlerContext): Promise<void> {
    const [, marked]: [unknown, number] = await manager.query(
      'UPDATE own_orders SET paid = paid + 1 WHERE reference = $1',
      [orderReference],
    );
    if (marked !== 1) throw new Error(`There is no order ${orderReference}`);
  }
}

const transactional = (url: string): DynamicModule =>
  TypeOrmModule.forRootAsync({
    useFactory: () => ({ type: 'postgres', url, autoLoadEntities: true }),
    dataSourceFactory: async (options) => {
      // Of the test before.
      deleteDataSourceByName('default');
      if (!options) throw new Error('There are no options.');
      return addTransactionalDataSource(new DataSource(options));
    },
  });

const ways: [name: string, way: Type<Way>, imports: (url: string) => DynamicModule[]][] = [
  ['@Transactional() of typeorm-transactional', ByDecorator, (url) => [transactional(url)]],
  ['dataSource.transaction()', ByCallback, (url) => [typeOrm(url)]],
  ['a query runner', ByRunner, (url) => [typeOrm(url)]],
];

describe.each(ways)('a host that calls the module within %s', (_name, Way, imports) => {
  let database: OpenDatabase;
  let sandbox: Sandbox;
  let host: Host;
  let way: Way;
  let warned: string[];
  let orders = 0;

  beforeAll(async () => {
    initializeTransactionalContext({ storageDriver: StorageDriver.ASYNC_LOCAL_STORAGE });
    database = await openDatabase();
    await database.sql.query(
      'CREATE TABLE own_orders (reference text PRIMARY KEY, paid integer NOT NULL DEFAULT 0)',
    );
    sandbox = await startTestSandbox();
  });
  beforeEach(async () => {
    warned = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((line) => void warned.push(String(line)));
    host = await startHost({
      imports: [
        ScheduleModule.forRoot(),
        ...imports(database.url),
        PaymentsModule.forRoot(paymentsOptions(sandbox)),
      ],
      providers: [Way, PaidOrders],
    });
    way = host.app.get(Way);
  });
  afterEach(async () => {
    await host.close();
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    await sandbox.close();
    await database.close();
  });

  const said = () => warned.filter((line) => line.includes('while a transaction of the application is open'));
  const reference = () => `own-${(orders += 1)}`;
  const pay = ({ serviceId }: Payment) => sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
  async function held(): Promise<Payment> {
    const payment = await host.payments.create({ ...inputOf(reference()), capture: false });
    pay(payment);
    return host.payments.refresh(payment.id);
  }

  it('is told of a create, whose request leaves before the commit', async () => {
    await way.within(() => host.payments.create(inputOf(reference())));
    expect(said()).toEqual([
      expect.stringMatching(/^create was called while .* Commit the order first, and call create after that/),
    ]);
    // Once an hour is enough for what each checkout shows anew.
    await way.within(() => host.payments.create(inputOf(reference())));
    expect(said()).toHaveLength(1);
  });

  it('is told of a capture, a cancel and a refund without its manager', async () => {
    const [first, second] = [await held(), await held()];
    await way.within(() => host.payments.capture(first.id));
    await way.within(() => host.payments.cancel(second.id));
    await way.within(() => host.payments.refund(first.id, { refundKey: 'r' }));
    expect(said().map((line) => line.split(' ')[0])).toEqual(['capture', 'cancel', 'refund']);
    expect(said()).toEqual(
      Array(3).fill(expect.stringContaining('Pass the EntityManager of the transaction as manager')),
    );
  });

  it('is told nothing where it calls before its transaction or after it, also where that was rolled back', async () => {
    await host.payments.create(inputOf(reference()));
    const made = await way.within(async () => reference());
    await host.payments.create(inputOf(String(made)));
    await expect(
      way.within(async () => {
        throw new Error('sold out');
      }),
    ).rejects.toThrow('sold out');
    await host.payments.create(inputOf(reference()));
    expect(said()).toEqual([]);
  });

  it('is told nothing of what other requests do meanwhile', async () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const other = new Promise<unknown>((resolve, reject) => {
      // A chain of calls of its own, as another request's.
      setImmediate(() => {
        way
          .within(() => {
            begin();
            return ended;
          })
          .then(resolve, reject);
      });
    });
    await begun;
    await host.payments.create(inputOf(reference()));
    end();
    await other;
    expect(said()).toEqual([]);
  });

  it('has its order marked as paid once, though the handler ran before the commit', async () => {
    const own = reference();
    const { id: paymentMethodId } = sandbox.paymentMethods.bind();
    const { order, amount } = inputOf(own);
    await way.within(async () => {
      const payment = await host.payments.create({ order, amount, paymentMethodId });
      expect(payment.status).toBe('succeeded');
      const failed = () =>
        database.sql.query<{ last_error: unknown }>(
          `SELECT d.last_error FROM payments_deliveries d JOIN payments_events e ON e.id = d.event_id
           WHERE e.payment_id = $1 AND d.last_error IS NOT NULL`,
          [payment.id],
        );
      await eventually(failed, ({ rowCount }) => rowCount === 1);
      await database.sql.query('INSERT INTO own_orders (reference) VALUES ($1)', [own]);
    });
    await sandbox.clock.advance(600_000);
    const paid = () =>
      database.sql.query<{ paid: number }>('SELECT paid FROM own_orders WHERE reference = $1', [own]);
    const { rows } = await eventually(paid, (found) => found.rows[0]?.paid === 1);
    expect(rows).toEqual([{ paid: 1 }]);
  });
});

it('a call that waits for the commit by a hook of typeorm-transactional is told nothing', async () => {
  initializeTransactionalContext({ storageDriver: StorageDriver.ASYNC_LOCAL_STORAGE });
  const warned: string[] = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((line) => void warned.push(String(line)));
  const database = await openDatabase();
  const sandbox = await startTestSandbox();
  const host = await startHost({
    imports: [
      ScheduleModule.forRoot(),
      transactional(database.url),
      PaymentsModule.forRoot(paymentsOptions(sandbox)),
    ],
    providers: [ByDecorator],
  });
  const created = new Promise<Payment>((resolve, reject) => {
    void host.app.get(ByDecorator).within(async () => {
      runOnTransactionCommit(() => {
        host.app.get(PaymentsService).create(inputOf('hook')).then(resolve, reject);
      });
    });
  });
  expect((await created).status).toBe('pending');
  expect(warned.filter((line) => line.includes('transaction of the application'))).toEqual([]);
  await host.close();
  await sandbox.close();
  await database.close();
  jest.restoreAllMocks();
});

it('a host that calls the module within @Transactional() of nestjs-cls is told of it', async () => {
  const database = await openDatabase();
  const sandbox = await startTestSandbox();
  const { clock: _ours, ...payments } = paymentsOptions(sandbox);
  const host = await startHostProcess(
    { DATABASE_URL: database.url, PAYMENTS: JSON.stringify({ ...payments, sweeps: false }) },
    fileURLToPath(new URL('../support/transactional-host.js', import.meta.url)),
  );
  const close = closing(() => host.close());
  const said = () => host.logged.filter((line) => /CREATED|while a transaction/.test(line));
  expect(
    await eventually(
      async () => said(),
      ({ length }) => length === 3,
    ),
  ).toEqual([
    'CREATED before',
    expect.stringMatching(/create was called while a transaction of the application is open around it/),
    'CREATED within',
  ]);
  await close();
  await sandbox.close();
  await database.close();
});
