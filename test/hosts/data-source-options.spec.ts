import {
  OnPaymentEvent,
  PaymentInputError,
  PaymentReceipts,
  PaymentsModule,
  PaymentsOperator,
  type PaymentsService,
} from '@holdfast/payments';
import { CardPaymentsService } from '@holdfast/payments/card-data';
import { PartnerService } from '@holdfast/payments/partner';
import { jest } from '@jest/globals';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { types } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { canaries } from '../support/canaries.js';
import { orderInput } from '../support/payments-host.js';
import { paymentsOptions, startHost, startTestSandbox, typeOrm, type Host } from './host.js';
import { openDatabase, type OpenDatabase } from './open-database.js';
import { refusal } from './refusal.js';

const options = { serviceUrl: 'https://pay.example', shopId: 'test_shop', secretKey: canaries.secretKey };

const everythingButDate = [
  'cancelAnimationFrame',
  'cancelIdleCallback',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'requestAnimationFrame',
  'requestIdleCallback',
  'setImmediate',
  'setInterval',
  'setTimeout',
] as const;

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;
type Replication = PostgresOptions['replication'];

describe('a host', () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.close());

  const replicated = (mode: 'master' | 'slave') => {
    const { url } = database;
    const replication: Replication = { master: { url }, slaves: [{ url }], defaultMode: mode };
    const dataSource = TypeOrmModule.forRoot({ type: 'postgres', autoLoadEntities: true, replication });
    return { imports: [ScheduleModule.forRoot(), dataSource, PaymentsModule.forRoot(options)] };
  };

  it('whose data source answers every read from a cache does not start and is asked to turn that off', async () => {
    const cached = TypeOrmModule.forRoot({
      type: 'postgres',
      url: database.url,
      autoLoadEntities: true,
      cache: { alwaysEnabled: true },
    });
    const { faults } = await refusal({
      imports: [ScheduleModule.forRoot(), cached, PaymentsModule.forRoot(options)],
    });
    expect(faults).toEqual([expect.stringMatching(/cache\.alwaysEnabled to false/)]);
  });

  it('whose data source renames tables does not start and is asked to give the module a data source of its own', async () => {
    const prefixed = TypeOrmModule.forRoot({
      type: 'postgres',
      url: database.url,
      autoLoadEntities: true,
      entityPrefix: 'app_',
    });
    const { faults } = await refusal({
      imports: [ScheduleModule.forRoot(), prefixed, PaymentsModule.forRoot(options)],
    });
    expect(faults).toEqual([expect.stringMatching(/sets entityPrefix.*a data source of its own/)]);
  });

  it('whose data source reads from replicas does not start and is asked to read from the master', async () => {
    const { faults } = await refusal(replicated('slave'));
    expect(faults).toEqual([expect.stringMatching(/replication\.defaultMode to 'master'/)]);
  });

  describe('whose pool has one connection', () => {
    class Shipping {
      @OnPaymentEvent('payment.succeeded', { id: 'shipping.ship' })
      async ship(): Promise<void> {}
    }
    const narrow = (sizes: Pick<PostgresOptions, 'poolSize' | 'extra'>, given: object = {}) => ({
      imports: [
        ScheduleModule.forRoot(),
        TypeOrmModule.forRoot({ type: 'postgres', url: database.url, autoLoadEntities: true, ...sizes }),
        PaymentsModule.forRoot({ ...options, ...given }),
      ],
      providers: [Shipping],
    });

    it.each([{ poolSize: 1 }, { extra: { max: 1 } }])(
      'does not start where it runs handlers, and is told the least that works (%j)',
      async (sizes) => {
        const { faults } = await refusal(narrow(sizes));
        expect(faults).toEqual([expect.stringMatching(/has 1 connection.* poolSize .*to 2 at least/)]);
      },
    );

    it('starts where it runs none', async () => {
      const host = await startHost(narrow({ poolSize: 1 }, { sweeps: false }));
      expect(await host.payments.getOrder('none')).toBeNull();
      await host.close();
    });
  });

  it('whose data source has replicas and reads from the master starts', async () => {
    const host = await startHost(replicated('master'));
    expect(await host.payments.getOrder('none')).toBeNull();
    await host.close();
  });

  it.each([
    [1184, 'timestamptz (1184)'],
    [114, 'json (114)'],
    [3802, 'jsonb (3802)'],
  ])(
    'that has the driver read type %i as text does not start, and is told where to set that',
    async (oid, name) => {
      const own = types.getTypeParser(oid);
      types.setTypeParser(oid, (text) => text);
      try {
        const { faults } = await refusal({
          imports: [ScheduleModule.forRoot(), typeOrm(database.url), PaymentsModule.forRoot(options)],
        });
        expect(faults).toEqual([expect.stringContaining(`${name} are replaced`)]);
        // As the fault says: for the data source that wants it, and for no other.
        const parsers = { getTypeParser: () => String };
        const loose = TypeOrmModule.forRoot({
          type: 'postgres',
          url: database.url,
          autoLoadEntities: true,
          extra: { types: parsers },
        });
        types.setTypeParser(oid, own);
        const billing = TypeOrmModule.forRoot({
          name: 'billing',
          type: 'postgres',
          url: database.url,
          autoLoadEntities: true,
        });
        const payments = PaymentsModule.forRoot({ ...options, dataSource: 'billing' });
        const host = await startHost({ imports: [ScheduleModule.forRoot(), loose, billing, payments] });
        expect(await host.payments.getOrder('none')).toBeNull();
        await host.close();
      } finally {
        types.setTypeParser(oid, own);
      }
    },
  );

  it('whose test has put a Date of its own in the place of the true one starts, as what is read is the same', async () => {
    jest.useFakeTimers({ now: new Date('2030-01-01'), doNotFake: [...everythingButDate] });
    try {
      const host = await startHost({
        imports: [ScheduleModule.forRoot(), typeOrm(database.url), PaymentsModule.forRoot(options)],
      });
      expect(await host.payments.getOrder('none')).toBeNull();
      await host.close();
    } finally {
      jest.useRealTimers();
    }
  });

  it('that has the driver read bigint as a number starts', async () => {
    const own = types.getTypeParser(20);
    types.setTypeParser(20, Number);
    try {
      const host = await startHost({
        imports: [ScheduleModule.forRoot(), typeOrm(database.url), PaymentsModule.forRoot(options)],
      });
      expect(await host.payments.getOrder('none')).toBeNull();
      await host.close();
    } finally {
      types.setTypeParser(20, own);
    }
  });

  it('that registers the module twice does not start and is asked to import it once', async () => {
    const { faults } = await refusal({
      imports: [
        ScheduleModule.forRoot(),
        typeOrm(database.url),
        PaymentsModule.forRoot(options),
        PaymentsModule.forRoot({ ...options, webhookPath: 'other' }),
      ],
    });
    expect(faults).toEqual([expect.stringMatching(/registered twice.*import it once.*isGlobal: true/)]);
  });
});

describe('a host whose data source ignores conditions of undefined and null', () => {
  type Faces = {
    payments: PaymentsService;
    receipts: PaymentReceipts;
    cards: CardPaymentsService;
    partner: PartnerService;
    operator: PaymentsOperator;
  };
  let host: Host;
  let faces: Faces;
  let paymentId: string;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const database = await openDatabase();
    const sandbox = await startTestSandbox();
    const loose = TypeOrmModule.forRoot({
      type: 'postgres',
      url: database.url,
      autoLoadEntities: true,
      invalidWhereValuesBehavior: { undefined: 'ignore', null: 'ignore' },
    });
    const app = {
      clientId: 'app',
      clientSecret: canaries.clientSecret,
      permissions: [],
      webhookUrl: 'https://shop.example/webhooks/payments',
      authUrl: sandbox.url,
      ownerOf: () => null,
    };
    const tokenKeys = { current: 'k', keys: { k: Buffer.alloc(32).toString('base64') } };
    const module = PaymentsModule.forRoot({
      ...paymentsOptions(sandbox),
      partner: app,
      partnerCallbackPath: 'partner/callback',
      tokenKeys,
      cardData: true,
    });
    host = await startHost({ imports: [ScheduleModule.forRoot(), loose, module] });
    const { payments, app: nest } = host;
    faces = {
      payments,
      receipts: payments.receipts,
      cards: nest.get(CardPaymentsService, { strict: false }),
      partner: nest.get(PartnerService, { strict: false }),
      operator: nest.get(PaymentsOperator, { strict: false }),
    };
    ({ id: paymentId } = await payments.create(orderInput()));
    close = async () => {
      await host.close();
      await sandbox.close();
      await database.close();
    };
  });
  afterAll(() => close());

  const UNKNOWN = '00000000-0000-4000-8000-000000000000';
  const roubles = { value: '1.00', currency: 'RUB' };
  const nothing = [undefined, null, 123, '', 'a\0b', {}, []];
  const named = nothing.map((value) => [value]);
  const stores = [null, 123, '', {}].map((store) => ({ store }));
  const scoped = [...stores, null, 'store', 5].map((scope) => ['PAYMENT', scope]);
  const given = [...named, ...scoped];
  const cases: [face: keyof Faces, method: string, calls: unknown[][]][] = [
    ['payments', 'create', [[], [null], [{ ...orderInput(), store: null }]]],
    ['payments', 'get', given],
    ['payments', 'findByOrder', given],
    ['payments', 'currentPayment', given],
    ['payments', 'getOrder', given],
    ['payments', 'timeline', given],
    ['payments', 'refunds', given],
    ['payments', 'refresh', given],
    ['payments', 'capture', [...given, ['PAYMENT', { amount: null }], ['PAYMENT', { manager: null }]]],
    ['payments', 'cancel', [...given, ['PAYMENT', { manager: null }]]],
    [
      'payments',
      'changeTotalDue',
      [...nothing.map((value) => [value, roubles]), ['order', null], ['order', {}]],
    ],
    [
      'payments',
      'refund',
      [
        ...nothing.map((value) => [value, { refundKey: 'k' }]),
        ...[...stores, { manager: null }].map((fields) => ['PAYMENT', { refundKey: 'k', ...fields }]),
        ['PAYMENT'],
        ['PAYMENT', null],
        ['PAYMENT', { refundKey: undefined }],
      ],
    ],
    ['payments', 'settlePrepayment', given],
    ['receipts', 'create', [...given, ['PAYMENT', null], ['PAYMENT', { receiptKey: 'k' }]]],
    [
      'receipts',
      'get',
      [...nothing.map((value) => ['PAYMENT', value]), ...nothing.map((value) => [value, 'key'])],
    ],
    ['receipts', 'list', given],
    ['cards', 'create', [[], [null], [{ ...orderInput(), store: null }]]],
    ['partner', 'authorizeUrl', [[], [null], [{ ownerRef: undefined, returnTo: '/' }], [{ ownerRef: 'o' }]]],
    ['partner', 'stores', [[null], ['owner'], [{ ownerRef: undefined }], [{ ownerRef: null }]]],
    ['partner', 'getStore', named],
    ['partner', 'refreshStore', named],
    ['partner', 'subscriptions', named],
    ['partner', 'disconnect', named],
    ['operator', 'problemsOf', given],
    [
      'operator',
      'search',
      [null, 'A-1', ...stores, { text: '' }, { text: null }, { status: 'paid' }, { cursor: 5 }].map(
        (search) => [search],
      ),
    ],
    ['operator', 'counts', [null, 'store', 5, ...stores].map((scope) => [scope])],
    ['operator', 'holds', [null, 'cursor', ...stores, { cursor: 'x' }].map((page) => [page])],
    [
      'operator',
      'days',
      [
        [],
        [null],
        [{ from: new Date(0) }],
        ...stores.map((store) => [{ from: new Date(0), to: new Date(1), ...store }]),
      ],
    ],
    ['operator', 'inspect', given],
    ['operator', 'reread', given],
    ['operator', 'deliveries', given],
    [
      'operator',
      'note',
      [
        ...nothing.map((value) => [value, { by: 'b', note: 'n' }]),
        ...[undefined, null, { by: 'b' }, { by: '', note: 'n' }].map((note) => ['PAYMENT', note]),
        ...stores.map((store) => ['PAYMENT', { by: 'b', note: 'n' }, store]),
      ],
    ],
    ['operator', 'buyer', given],
    ['operator', 'paidGoods', given],
    [
      'operator',
      'showBuyer',
      [
        ...nothing.map((value) => [value, { by: 'b' }]),
        ...[undefined, null, 'b', { by: '' }, { by: 'b'.repeat(129) }].map((looker) => ['PAYMENT', looker]),
        ...stores.map((store) => ['PAYMENT', { by: 'b' }, store]),
      ],
    ],
    [
      'operator',
      'leaveHold',
      [
        ...nothing.map((value) => [value, { by: 'b', note: 'n' }]),
        ...[undefined, null, { by: 'b' }, { by: 'b', note: 'n'.repeat(901) }].map((why) => ['PAYMENT', why]),
        ...stores.map((store) => ['PAYMENT', { by: 'b', note: 'n' }, store]),
      ],
    ],
    ['operator', 'notifications', named],
    ['operator', 'store', [[null], ...stores.map((store) => [store])]],
    ['operator', 'checkStore', [[null], ...stores.map((store) => [store])]],
    [
      'operator',
      'parkedDeliveries',
      [[null], ['handler'], [{ handlerId: undefined }], [{ handlerId: null }]],
    ],
    [
      'operator',
      'failingDeliveries',
      [[null], ['handler'], [{ handlerId: undefined }], [{ handlerId: null }]],
    ],
    ['operator', 'stores', [null, 'cursor', { cursor: 5 }, { cursor: 'x' }].map((page) => [page])],
    ['operator', 'retryDelivery', [...named, ...nothing.map((value) => ['1', value])]],
    ['operator', 'retryAll', [[null], ['handler'], [{ handlerId: undefined }], [{ handlerId: null }]]],
    ['operator', 'retireHandler', named],
    [
      'operator',
      'resolveIncident',
      [...named, [UNKNOWN], ['1', null], ['1', { by: '', note: 'n' }], ['1', { by: 'b', note: 5 }]],
    ],
    [
      'operator',
      'resolveReceipt',
      [
        ...named,
        [UNKNOWN],
        [UNKNOWN, null],
        [UNKNOWN, { by: '', note: 'n' }],
        [UNKNOWN, { by: 'b', note: 5 }],
      ],
    ],
    [
      'operator',
      'acceptRefund',
      [
        ...named,
        [UNKNOWN],
        [UNKNOWN, null],
        [UNKNOWN, { by: '', note: 'n' }],
        [UNKNOWN, { by: 'b', note: 5 }],
      ],
    ],
    [
      'operator',
      'sendReceiptAgain',
      [
        ...named,
        [UNKNOWN],
        [UNKNOWN, null],
        [UNKNOWN, { by: '', note: 'n' }],
        [UNKNOWN, { by: 'b', note: 'n', receipt: null }],
        [UNKNOWN, { by: 'b', note: 'n', receipt: {} }],
      ],
    ],
    [
      'operator',
      'unsettledPrepayments',
      [null, 'cursor', ...stores, { cursor: 5 }, { cursor: 'x' }].map((page) => [page]),
    ],
    [
      'operator',
      'startAudit',
      [
        [],
        [null],
        [{ from: new Date(0), by: 'b' }],
        [{ from: new Date(0), to: new Date(1) }],
        [{ from: new Date(0), to: new Date(1), by: '' }],
        ...stores.map((store) => [{ from: new Date(0), to: new Date(1), by: 'b', ...store }]),
      ],
    ],
    ['operator', 'keptAudit', [...named, ['x']]],
    [
      'operator',
      'keptAudits',
      [null, 'cursor', ...stores, { cursor: 5 }, { cursor: 'x' }].map((page) => [page]),
    ],
    ['operator', 'recover', [[], [null], [{ from: undefined, to: new Date() }], [{ from: new Date(0) }]]],
    ['operator', 'audit', [[], [null], [{ from: undefined, to: new Date() }], [{ from: new Date(0) }]]],
    ['operator', 'audit', stores.map((store) => [{ from: new Date(0), to: new Date(1), ...store }])],
  ];

  it.each(cases)(
    'gets an error from %s.%s that names the fault, and nobody’s rows',
    async (face, method, calls) => {
      const target = faces[face];
      const call: unknown = Reflect.get(target, method);
      if (typeof call !== 'function') throw new Error(`There is no ${face}.${method}.`);
      for (const values of calls) {
        const outcome = await outcomeOf(() =>
          call.apply(
            target,
            values.map((value) => (value === 'PAYMENT' ? paymentId : value)),
          ),
        );
        expect({ values, outcome }).toEqual({ values, outcome: expect.any(PaymentInputError) });
      }
      expect(await host.payments.get(paymentId)).toMatchObject({ status: 'pending' });
    },
  );

  it('has every public method in this list', () => {
    const inTable = cases.map(([face, method]) => `${face}.${method}`);
    const own = Object.entries(faces).flatMap(([face, service]) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(service)).map((method) => `${face}.${method}`),
    );
    const withoutArguments = [
      'operator.backlog',
      'operator.continueDatabase',
      'operator.detachDatabase',
      'operator.detachedAt',
      'operator.foreignNotifications',
      'operator.handlers',
      'operator.incidents',
      'operator.now',
      'operator.operations',
      'operator.receiptProblems',
      'operator.recoveries',
      'operator.refusedSenders',
      'operator.rotateTokens',
    ];
    expect(own.filter((name) => !name.endsWith('.constructor')).toSorted()).toEqual(
      [...new Set([...inTable, ...withoutArguments])].toSorted(),
    );
  });
});

/** What a call returned or threw; of a generator, its first step. */
async function outcomeOf(call: () => unknown): Promise<unknown> {
  try {
    const given = await call();
    const isSteps = typeof given === 'object' && given !== null && Symbol.asyncIterator in given;
    if (!isSteps) return given;
    const next: unknown = Reflect.get(given, 'next');
    return typeof next === 'function' ? await next.call(given) : given;
  } catch (error) {
    return error;
  }
}
