import {
  documentedProfile,
  OnPaymentEffect,
  OnPaymentEvent,
  paymentsMigrations,
  paymentsEntities,
  PaymentsModule,
  type DealEvent,
  type PaymentsModuleOptions,
  type PayoutEvent,
  type RefundEvent,
  type Solution,
} from '@holdfast/payments';
import { createTestPayments } from '@holdfast/payments/testing';
import { jest } from '@jest/globals';
import { Injectable, Logger, Scope } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { inspect } from 'node:util';
import { DataSource } from 'typeorm';
import { canaries } from '../support/canaries.js';
import { startHost, typeOrm } from './host.js';
import { openDatabase, openEmptyDatabase, type OpenDatabase } from './open-database.js';
import { refusal } from './refusal.js';

const options = { serviceUrl: 'https://pay.example', shopId: 'test_shop', secretKey: canaries.secretKey };

/** A data source that is never opened: the options are checked before the database is. */
/** The data source of a host that has its own rows elsewhere. */
interface NotPostgres {
  readonly type: 'mysql';
  readonly url: string;
  readonly driver: object;
  readonly autoLoadEntities: true;
  readonly retryAttempts: number;
  readonly retryDelay: number;
}

/** A driver of MySQL whose server is away. */
const mysqlDriver = {
  createPool: () => ({
    getConnection: (done: (error: Error) => void) => setImmediate(done, new Error('no such server')),
    end: (done: () => void) => done(),
  }),
};

const unopened = () =>
  TypeOrmModule.forRoot({
    type: 'postgres',
    url: 'postgres://127.0.0.1:1/none',
    autoLoadEntities: true,
    manualInitialization: true,
  });

const changed = (change: object) => JSON.stringify({ ...options, ...change });

const faultsOf = async (json: string): Promise<readonly string[]> => {
  const faulty: PaymentsModuleOptions = JSON.parse(json);
  const payments = PaymentsModule.forRoot(faulty);
  const error = await refusal({ imports: [ScheduleModule.forRoot(), unopened(), payments] });
  for (const fault of error.faults) expect(error.message).toContain(fault);
  return error.faults;
};

describe('the options', () => {
  it('that are all missing are all named, each with its fix', async () => {
    expect(await faultsOf('{}')).toEqual([
      expect.stringMatching(/^serviceUrl must be .*https:\/\//),
      expect.stringMatching(/^shopId must be .*Merchant Profile/),
      expect.stringMatching(/^secretKey must be .*Merchant Profile/),
    ]);
  });

  it('with many faults have all of them reported at once', async () => {
    const faults = await faultsOf(
      changed({
        serviceUrl: 'http://pay.example',
        shopId: 'two words',
        trustedProxies: ['10.0.0.0/33', 'proxy.local'],
        notificationSenders: 'everyone',
        sweeps: { intervalMs: 1 },
        requestTimeoutMs: 60_000,
        callDeadlineMs: 30_000,
        createResendMs: -1,
        handlerTimeoutMs: '5s',
        handlerAttempts: 0,
      }),
    );
    for (const option of [
      'serviceUrl must use https',
      'shopId',
      'trustedProxies must be addresses or CIDRs',
      'notificationSenders',
      'sweeps.intervalMs must be at least 10',
      'callDeadlineMs (30000) must be at least requestTimeoutMs (60000)',
      'createResendMs',
      'handlerTimeoutMs',
      'handlerAttempts',
    ]) {
      expect(faults).toContainEqual(expect.stringContaining(option));
    }
  });

  it('accept no card data with a profile that gives a create no id of ours: a lost create could not be found', async () => {
    const profile = { ...documentedProfile, metadataKey: null };
    const payments = PaymentsModule.forRoot({ ...options, cardData: true, profile });
    const { faults } = await refusal({ imports: [ScheduleModule.forRoot(), unopened(), payments] });
    expect(faults).toEqual([expect.stringMatching(/^cardData: true needs a profile with a metadataKey/)]);
  });

  it('never show the secret key when they are refused', async () => {
    const secretKey = 'live key that must not be shown';
    for (const payments of [
      PaymentsModule.forRoot({ ...options, shopId: '', secretKey }),
      PaymentsModule.forRootAsync({ useFactory: () => ({ ...options, shopId: '', secretKey }) }),
    ]) {
      const error = await refusal({ imports: [ScheduleModule.forRoot(), unopened(), payments] });
      expect(error.faults).toHaveLength(2);
      expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('must not be shown');
    }
  });
});

describe('a host', () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.close());

  it('without ScheduleModule.forRoot() is asked to import it', async () => {
    const error = await refusal({ imports: [typeOrm(database.url), PaymentsModule.forRoot(options)] });
    expect(error.faults).toEqual([
      expect.stringMatching(/ScheduleModule\.forRoot\(\).*import.*sweeps: false/),
    ]);
  });

  it('without ScheduleModule.forRoot() starts if sweeps are off', async () => {
    const payments = PaymentsModule.forRoot({ ...options, sweeps: false });
    const host = await startHost({ imports: [typeOrm(database.url), payments] });
    expect(await host.payments.getOrder('none')).toBeNull();
    await host.close();
  });

  it('without TypeORM is asked to import it', async () => {
    const error = await refusal({ imports: [ScheduleModule.forRoot(), PaymentsModule.forRoot(options)] });
    expect(error.faults).toEqual([
      'import TypeOrmModule.forRoot() once in the root module (from @nestjs/typeorm): there is no data source',
    ]);
  });

  it('that names a missing data source gets an error with the two names that must agree', async () => {
    const payments = PaymentsModule.forRoot({ ...options, dataSource: 'billing' });
    const error = await refusal({ imports: [ScheduleModule.forRoot(), unopened(), payments] });
    expect(error.faults).toEqual([
      "give TypeOrmModule.forRoot() the name 'billing', or PaymentsModule the dataSource that it has: there is none of that name",
    ]);
  });

  it('whose database does not answer gets another error than for a missing data source', async () => {
    const unreachable = TypeOrmModule.forRoot({
      type: 'postgres',
      url: 'postgres://127.0.0.1:1/none',
      autoLoadEntities: true,
      retryAttempts: 0,
    });
    const start = startHost({
      imports: [ScheduleModule.forRoot(), unreachable, PaymentsModule.forRoot(options)],
    });
    await expect(start).rejects.toThrow(/ECONNREFUSED/);
  });

  it('whose data source does not know the entities gets an error that says how to add them', async () => {
    const listed = TypeOrmModule.forRoot({ type: 'postgres', url: database.url, entities: [] });
    const error = await refusal({
      imports: [ScheduleModule.forRoot(), listed, PaymentsModule.forRoot(options)],
    });
    expect(error.faults).toEqual([expect.stringMatching(/autoLoadEntities: true.*paymentsEntities/)]);
  });

  it('whose tables are in another schema than the named one gets an error that they are missing', async () => {
    const elsewhere = TypeOrmModule.forRoot({
      type: 'postgres',
      url: database.url,
      schema: 'billing',
      autoLoadEntities: true,
    });
    const error = await refusal({
      imports: [ScheduleModule.forRoot(), elsewhere, PaymentsModule.forRoot(options)],
    });
    expect(error.faults).toEqual([
      expect.stringMatching(
        /^run the migrations: there are no tables .* in the schema billing\. Add \.\.\.paymentsMigrations /,
      ),
    ]);
  });

  describe('whose database lacks', () => {
    let damaged: OpenDatabase;
    beforeEach(async () => {
      damaged = await openDatabase();
    });
    afterEach(() => damaged.close());

    it.each([
      ['a unique index', 'DROP INDEX payments_payments_one_open_key', 'payments_payments_one_open_key'],
      [
        'a unique key',
        'ALTER TABLE payments_notifications DROP CONSTRAINT payments_notifications_object_key',
        'payments_notifications_object_key',
      ],
      [
        'a check',
        'ALTER TABLE payments_payments DROP CONSTRAINT payments_payments_money_check',
        'payments_payments_money_check',
      ],
      [
        'a primary key',
        'ALTER TABLE payments_deliveries DROP CONSTRAINT payments_deliveries_pkey',
        'payments_deliveries_pkey',
      ],
      ['a table', 'DROP TABLE payments_deliveries', 'payments_deliveries'],
      [
        'a column',
        'ALTER TABLE payments_notifications DROP COLUMN traceparent',
        'payments_notifications.traceparent',
      ],
    ])(
      '%s gets an error with its name and a request to run paymentsMigrations',
      async (_what, damage, name) => {
        await damaged.sql.query(damage);
        const error = await refusal({
          imports: [ScheduleModule.forRoot(), typeOrm(damaged.url), PaymentsModule.forRoot(options)],
        });
        expect(error.faults).toHaveLength(1);
        expect(error.faults[0]).toMatch(
          new RegExp(`^run the migrations of this version: .* lacks (.*, )?${name}[,. ]`),
        );
      },
    );
  });

  it('whose database is empty is asked to run paymentsMigrations', async () => {
    const empty = await openEmptyDatabase();
    const error = await refusal({
      imports: [ScheduleModule.forRoot(), typeOrm(empty.url), PaymentsModule.forRoot(options)],
    });
    await empty.close();
    expect(error.faults).toEqual([
      "run the migrations: there are no tables of the payments module in the schema public. Add ...paymentsMigrations to the data source's " +
        'migrations, before your own, and run them as you run yours, or set migrationsRun: true',
    ]);
  });

  it('whose data source lists the migrations that nobody has run is asked to run them', async () => {
    const empty = await openEmptyDatabase();
    const listed = TypeOrmModule.forRoot({
      type: 'postgres',
      url: empty.url,
      autoLoadEntities: true,
      migrations: [...paymentsMigrations],
    });
    const error = await refusal({
      imports: [ScheduleModule.forRoot(), listed, PaymentsModule.forRoot(options)],
    });
    await empty.close();
    expect(error.faults).toEqual([
      expect.stringMatching(
        /^run the migrations: .*\. The data source lists them: run them as you run your own/,
      ),
    ]);
  });

  it.each([
    ['forRoot', (kind: NotPostgres) => TypeOrmModule.forRoot(kind)],
    ['forRootAsync', (kind: NotPostgres) => TypeOrmModule.forRootAsync({ useFactory: async () => kind })],
  ])(
    'whose default data source is not PostgreSQL, by %s, is told which one it is and how the module gets another',
    async (_how, opened) => {
      const mysql: NotPostgres = {
        type: 'mysql',
        url: 'mysql://127.0.0.1:1/none',
        driver: mysqlDriver,
        autoLoadEntities: true,
        // TypeORM by itself tries ten times, every three seconds.
        retryAttempts: 5,
        retryDelay: 200,
      };
      const error = await refusal({
        imports: [ScheduleModule.forRoot(), opened(mysql), PaymentsModule.forRoot(options)],
      });
      expect(error.faults).toEqual([
        expect.stringMatching(
          /^the default data source is mysql, and the tables of the payments module need PostgreSQL: .*name: 'payments', type: 'postgres'.*dataSource: 'payments'$/,
        ),
      ]);
    },
  );

  it('whose data source is made by the host, beside options that name no kind, waits for no other options', async () => {
    const looks = jest.spyOn(DiscoveryService.prototype, 'getProviders');
    const host = await startHost({
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({}),
          dataSourceFactory: async () =>
            new DataSource({ type: 'postgres', url: database.url, entities: [...paymentsEntities] }),
        }),
        PaymentsModule.forRoot({ ...options, sweeps: false }),
      ],
    });
    // Each time that it looks again, until ten seconds are over.
    expect(looks.mock.calls.length).toBeLessThan(100);
    looks.mockRestore();
    await host.close();
  });

  it('whose url names a schema as those of Prisma do is told that nothing follows it', async () => {
    const url = `${database.url}?schema=shop`;
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const host = await startHost({
      imports: [typeOrm(url), PaymentsModule.forRoot({ ...options, sweeps: false })],
    });
    await host.close();
    const said = warn.mock.calls.map(([line]) => String(line));
    warn.mockRestore();
    expect(said).toContainEqual(
      expect.stringMatching(
        /says \?schema=shop, .* are in the schema public\. Set schema on the data source/,
      ),
    );
    const empty = await openEmptyDatabase();
    const { faults } = await refusal({
      imports: [typeOrm(`${empty.url}?schema=shop`), PaymentsModule.forRoot({ ...options, sweeps: false })],
    });
    await empty.close();
    expect(faults).toEqual([
      expect.stringMatching(/set schema: 'shop' on the data source if they are to be there$/),
    ]);
  });

  it('that imports the module without options is asked for them', async () => {
    const error = await refusal({
      imports: [ScheduleModule.forRoot(), unopened(), PaymentsModule],
    });
    expect(error.faults).toEqual([
      expect.stringMatching(
        /^PaymentsModule is imported without options: import PaymentsModule\.forRoot\(\)/,
      ),
    ]);
  });

  it('whose factory returns what the module needs before is told where that belongs', async () => {
    // As written in JavaScript, or spread from a configuration: TypeScript would have rejected it.
    const late: object = { ...options, isGlobal: true, webhookPath: 'hooks' };
    const useFactory = () => Object.assign({ ...options }, late);
    const error = await refusal({
      imports: [ScheduleModule.forRoot(), unopened(), PaymentsModule.forRootAsync({ useFactory })],
    });
    expect(error.faults).toEqual([
      expect.stringMatching(/^isGlobal belongs beside useFactory/),
      expect.stringMatching(/^webhookPath belongs beside useFactory/),
    ]);
  });

  it.each<[unknown]>([
    [''],
    ['/'],
    [' '],
    [5],
    [null],
    [['hooks']],
    ['hooks/:id'],
    ['hooks/*'],
    ['https://shop.example/hooks'],
  ])(
    'whose webhookPath is %j does not start: it would answer routes of the host, or none',
    async (webhookPath) => {
      // As written in JavaScript, or read from a configuration.
      const extras: object = { webhookPath };
      for (const payments of [
        PaymentsModule.forRoot(Object.assign({ ...options }, extras)),
        PaymentsModule.forRootAsync(Object.assign({ useFactory: () => options }, extras)),
      ]) {
        const { faults } = await refusal({ imports: [ScheduleModule.forRoot(), unopened(), payments] });
        expect(faults).toEqual([
          expect.stringMatching(/^webhookPath must be a path such as 'webhooks\/payments'/),
        ]);
      }
    },
  );

  it('with faults of every kind has all of them in one message', async () => {
    const settings: object = {
      shopId: 'two words',
      // Each is right, and they contradict each other.
      callDeadlineMs: 170_000,
      holds: { leadTimeMs: 60_000 },
    };
    const extras: object = { webhookPath: '', webhookDecorators: 'Public', dataSource: '', cardData: 'yes' };
    const late: object = { isGlobal: true, partner: {} };
    const useFactory = () => Object.assign({ ...options }, settings, late);
    const asynchronous = PaymentsModule.forRootAsync(Object.assign({ useFactory }, extras));
    const { faults } = await refusal({ imports: [unopened(), asynchronous] });
    const named = (all: readonly string[]) =>
      [...new Set(all.flatMap((fault) => /^\w+/.exec(fault)?.[0] ?? []))].toSorted();
    expect(named(faults)).toEqual([
      'ScheduleModule',
      'callDeadlineMs',
      'cardData',
      'dataSource',
      'holds',
      'isGlobal',
      'partner',
      'partnerCallbackPath',
      'shopId',
      'tokenKeys',
      'webhookDecorators',
      'webhookPath',
    ]);
    const beside = PaymentsModule.forRoot(
      Object.assign({ ...options }, settings, extras, { partnerCallbackPath: '/' }),
    );
    const { faults: given } = await refusal({ imports: [unopened(), beside] });
    expect(named(given)).toEqual([
      'ScheduleModule',
      'callDeadlineMs',
      'cardData',
      'dataSource',
      'holds',
      'partnerCallbackPath',
      'shopId',
      'webhookDecorators',
      'webhookPath',
    ]);
  });

  it('whose test has faked all timers does not hang, and is told which one it needs', async () => {
    jest.useFakeTimers();
    try {
      const { faults } = await refusal({
        imports: [ScheduleModule.forRoot(), unopened(), PaymentsModule.forRoot(options)],
      });
      await expect(createTestPayments()).rejects.toThrow('faked process.nextTick');
      expect(faults).toEqual([
        expect.stringMatching(
          /^the test has faked process\.nextTick, .*: .*jest\.useFakeTimers\(\{ doNotFake/,
        ),
      ]);
    } finally {
      jest.useRealTimers();
    }
  });

  describe('on the tables of another shop', () => {
    let shared: OpenDatabase;
    beforeEach(async () => {
      shared = await openDatabase();
    });
    afterEach(() => shared.close());
    const shop = (shopId: string) => ({
      imports: [
        ScheduleModule.forRoot(),
        typeOrm(shared.url),
        PaymentsModule.forRoot({ ...options, shopId, sweeps: false }),
      ],
    });

    it('does not start: each would run the handlers of the other', async () => {
      const first = await startHost(shop('tea'));
      const { faults } = await refusal(shop('coffee'));
      expect(faults).toEqual([
        expect.stringMatching(
          /^the tables belong to the shop tea, .* run each other's handlers: .*another database, .*schema/,
        ),
      ]);
      await first.close();
      // What was refused has left nothing that would keep the first from starting again.
      await (await startHost(shop('tea'))).close();
    });

    it('does not start without a shop of its own either', async () => {
      await (await startHost(shop('tea'))).close();
      const partner = {
        clientId: 'app',
        clientSecret: canaries.clientSecret,
        permissions: [],
        webhookUrl: 'https://shop.example/webhooks/payments',
        authUrl: options.serviceUrl,
        ownerOf: () => null,
      };
      const tokenKeys = { current: 'k', keys: { k: Buffer.alloc(32).toString('base64') } };
      const { serviceUrl } = options;
      const partnerCallbackPath = 'partner/callback';
      const platform = PaymentsModule.forRoot({
        serviceUrl,
        partner,
        partnerCallbackPath,
        tokenKeys,
        sweeps: false,
      });
      const { faults } = await refusal({
        imports: [ScheduleModule.forRoot(), typeOrm(shared.url), platform],
      });
      expect(faults).toEqual([expect.stringMatching(/^the tables belong to the shop tea, /)]);
    });

    it('does not start, whichever of them comes first', async () => {
      const starts = await Promise.allSettled([startHost(shop('tea')), startHost(shop('coffee'))]);
      const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
      await Promise.all(started.map((host) => host.close()));
      expect(started).toHaveLength(1);
      const { rows } = await shared.sql.query('SELECT FROM payments_stores');
      expect(rows).toHaveLength(1);
    });
  });

  describe('with handlers', () => {
    @Injectable()
    class Shipping {
      @OnPaymentEvent('payment.succeeded', { id: 'shop.on-paid' })
      ship(): void {}
    }

    @Injectable()
    class Mailing {
      @OnPaymentEvent('payment.succeeded', { id: 'shop.on-paid' })
      thank(): void {}

      @OnPaymentEvent('payment.canceled', { id: 'mail on canceled' })
      console(): void {}
    }

    @Injectable({ scope: Scope.REQUEST })
    class Basket {
      @OnPaymentEvent('payment.canceled', { id: 'basket.refill' })
      refill(): void {}
    }

    @Injectable()
    class BasketUser {
      constructor(readonly basket: Basket) {}

      @OnPaymentEvent('payment.canceled', { id: 'basket.use' })
      use(): void {}
    }

    @Injectable()
    class LetterBox {
      @OnPaymentEffect('shop.on-paid')
      post(): void {}

      @OnPaymentEffect('post on canceled')
      postAgain(): void {}
    }

    @Injectable({ scope: Scope.REQUEST })
    class Messenger {
      @OnPaymentEffect('messenger.call')
      call(): void {}
    }

    it('that are marked without options, or with an id that is no text, get one by the name of their method', async () => {
      // As JavaScript may have it.
      const untyped: Record<string, unknown> = { OnPaymentEvent, OnPaymentEffect };
      const decorate = (decorator: string, ...args: readonly unknown[]): MethodDecorator =>
        Reflect.apply(Object(untyped[decorator]), undefined, args);
      @Injectable()
      class Unnamed {
        @decorate('OnPaymentEvent', 'payment.succeeded')
        none(): void {}

        @decorate('OnPaymentEvent', 'payment.succeeded', {})
        empty(): void {}

        @decorate('OnPaymentEvent', 'payment.succeeded', { id: 5 })
        counted(): void {}

        @decorate('OnPaymentEffect')
        effect(): void {}
      }
      const { faults } = await refusal({
        imports: [ScheduleModule.forRoot(), typeOrm(database.url), PaymentsModule.forRoot(options)],
        providers: [Unnamed],
      });
      expect(faults).toEqual([
        expect.stringMatching(
          /^Unnamed\.none: it has no id: write @OnPaymentEvent\('payment\.succeeded', \{ id: /,
        ),
        expect.stringMatching(/^Unnamed\.empty: it has no id: /),
        expect.stringMatching(/^Unnamed\.counted: the handler id '5' must be a string of /),
        expect.stringMatching(/^Unnamed\.effect: it has no id: write @OnPaymentEffect\(/),
      ]);
    });

    it('that cannot be called safely gets an error that lists every place with its fix', async () => {
      const { faults } = await refusal({
        imports: [ScheduleModule.forRoot(), typeOrm(database.url), PaymentsModule.forRoot(options)],
        providers: [Shipping, Mailing, Basket, BasketUser, LetterBox, Messenger],
      });
      expect(faults).toHaveLength(7);
      for (const fault of [
        /^Mailing\.thank: .*'shop\.on-paid' already; give each its own/,
        /^Mailing\.console: .*'mail on canceled' must be/,
        /^Basket\.refill: .*request-scoped; move/,
        /^BasketUser\.use: .*request-scoped; move/,
        /^LetterBox\.post: .*'shop\.on-paid' already; give each its own/,
        /^LetterBox\.postAgain: the effect id 'post on canceled' must be/,
        /^Messenger\.call: an effect's provider .*request-scoped; move/,
      ]) {
        expect(faults).toContainEqual(expect.stringMatching(fault));
      }
    });

    @Injectable()
    class Paying {
      @OnPaymentEvent('payment.succeeded', { id: 'paying.on-paid' })
      paid(): void {}

      @OnPaymentEvent('payout.succeeded', { id: 'paying.on-paid-out' })
      paidOut(_event: PayoutEvent): void {}

      @OnPaymentEvent('deal.closed', { id: 'paying.on-closed' })
      closed(_event: DealEvent): void {}

      @OnPaymentEvent('refund.rejected', { id: 'paying.on-refund-rejected' })
      refundRejected(_event: RefundEvent): void {}
    }
    const payingHost = (solution: Solution) => ({
      imports: [
        ScheduleModule.forRoot(),
        typeOrm(database.url),
        PaymentsModule.forRoot({ ...options, solution }),
      ],
      providers: [Paying],
    });

    it.each<[Solution, RegExp[]]>([
      [
        'web_payments',
        [
          /^Paying\.paidOut: .*'paying\.on-paid-out' asks for payout\.succeeded, .*'web_payments' does not have.*\(payouts, secure_deal\)/,
          /^Paying\.closed: .*'paying\.on-closed' asks for deal\.closed, .*'web_payments' does not have.*\(secure_deal\)/,
        ],
      ],
      [
        'payouts',
        [
          /^Paying\.paid: .*asks for payment\.succeeded, .*'payouts' .*\(web_payments, payment_splitting, partnership, secure_deal\)/,
          /^Paying\.closed: .*asks for deal\.closed/,
          /^Paying\.refundRejected: .*asks for refund\.rejected/,
        ],
      ],
    ])(
      'for events that %s does not have gets an error that names each, and the solutions that have it',
      async (solution, expected) => {
        const { faults } = await refusal(payingHost(solution));
        expect(faults).toEqual(expected.map((fault) => expect.stringMatching(fault)));
      },
    );

    it('for an event that does not exist gets an error that lists those that do', async () => {
      // As written in JavaScript: TypeScript would have rejected it.
      const misspelt: 'payment.succeeded' = JSON.parse('"payment.suceeded"');
      class Misspelling {
        @OnPaymentEvent(misspelt, { id: 'misspelling.paid' })
        paid(): void {}
      }
      const { faults } = await refusal({
        imports: [ScheduleModule.forRoot(), typeOrm(database.url), PaymentsModule.forRoot(options)],
        providers: [Misspelling],
      });
      expect(faults).toEqual([
        expect.stringMatching(
          /^Misspelling\.paid: ask for one of payment\.pending, .*payment\.succeeded, .*: there is no event 'payment\.suceeded'$/,
        ),
      ]);
    });

    it('for events that its solution has starts', async () => {
      const host = await startHost(payingHost('secure_deal'));
      await host.close();
      const { rows } = await database.sql.query<{ event: string }>(
        `SELECT event FROM payments_handlers WHERE id LIKE 'paying.%' ORDER BY event`,
      );
      expect(rows.map(({ event }) => event)).toEqual([
        'deal.closed',
        'payment.succeeded',
        'payout.succeeded',
        'refund.rejected',
      ]);
    });

    it.each([
      [
        'sweeps',
        { intervalMs: 200 },
        [expect.stringMatching(/Basket\.refill \('basket\.refill'\).* Add the class to the providers/)],
      ],
      ['does not sweep, so runs no handler', false as const, []],
    ])('of no provider is told which, if it %s', async (_what, sweeps, expected) => {
      const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
      const payments = PaymentsModule.forRoot({ ...options, sweeps });
      const host = await startHost({
        imports: [ScheduleModule.forRoot(), typeOrm(database.url), payments],
        providers: [Shipping],
      });
      await host.close();
      const lines = warn.mock.calls.map(([line]) => String(line));
      warn.mockRestore();
      const told = lines.filter((line) => line.startsWith('Marked with @OnPaymentEvent'));
      expect(told).toEqual(expected);
      expect(told.join()).not.toContain('Shipping.ship');
    });

    it('registers them however their provider is made, once each', async () => {
      await database.sql.query('DELETE FROM payments_handlers');
      class Courier {
        @OnPaymentEvent('payment.succeeded', { id: 'courier.call' })
        call(): void {}
      }
      class Printer {
        @OnPaymentEvent('payment.succeeded', { id: 'printer.print' })
        print(): void {}
      }
      const host = await startHost({
        imports: [ScheduleModule.forRoot(), typeOrm(database.url), PaymentsModule.forRoot(options)],
        providers: [
          Shipping,
          { provide: 'shipping', useExisting: Shipping },
          { provide: Courier, useFactory: () => new Courier() },
          { provide: 'printer', useValue: new Printer() },
        ],
      });
      await host.close();
      const { rows } = await database.sql.query<{ id: string }>(
        'SELECT id FROM payments_handlers ORDER BY id',
      );
      expect(rows.map(({ id }) => id)).toEqual(['courier.call', 'printer.print', 'shop.on-paid']);
    });
  });
});
