import {
  documentedProfile,
  PaymentInputError,
  PaymentsApi,
  PaymentsConfigurationError,
  ServiceTokenRequiredError,
  shopCredentials,
  tokenCredentials,
  yookassaProfile,
  type PaymentsApiOptions,
  type ShopCredentials,
} from '@holdfast/payments/client';
import { jest } from '@jest/globals';
import { Socket } from 'node:net';
import { canaries } from '../support/canaries.js';
import { startOddService, type OddAnswer, type OddService } from '../support/odd-service.js';

const amount = { value: '10.00', currency: 'RUB' as const };
const payment = { id: 'p-1', status: 'succeeded', amount };
const refund = { id: 'r-1', payment_id: 'p-1', status: 'succeeded', amount };
const webhook = { id: 'wh-1', event: 'payment.succeeded', url: 'https://shop.example/hook' };
const confirmation = { type: 'redirect' as const, return_url: 'https://shop.example/back' };

let service: OddService;
afterEach(() => service?.close());

async function apiFor(answers: OddAnswer[], options: Partial<PaymentsApiOptions> = {}): Promise<PaymentsApi> {
  service = await startOddService(...answers);
  const credentials = tokenCredentials(canaries.accessToken);
  return new PaymentsApi({ serviceUrl: `${service.url}/`, credentials, ...options });
}

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => Promise.reject(new Error('It was answered.')),
    (reason: unknown) => reason,
  );

/** Every endpoint: its method, the expected request and the answer. */
const endpoints: [
  name: string,
  call: (api: PaymentsApi) => Promise<unknown>,
  asked: string,
  body: object | null,
  answer: object,
][] = [
  [
    'createPayment',
    (api) => api.createPayment({ amount, capture: true, confirmation }),
    'POST /v3/payments',
    { amount, capture: true, confirmation },
    payment,
  ],
  ['fetchPayment', (api) => api.fetchPayment('p-1'), 'GET /v3/payments/p-1', null, payment],
  [
    'capturePayment of a part',
    (api) => api.capturePayment('p-1', { amount }),
    'POST /v3/p-1/capture',
    { amount },
    payment,
  ],
  ['capturePayment of the whole', (api) => api.capturePayment('p-1'), 'POST /v3/p-1/capture', {}, payment],
  ['cancelPayment', (api) => api.cancelPayment('p-1'), 'POST /v3/payments/p-1/cancel', {}, payment],
  [
    'createRefund',
    (api) => api.createRefund({ payment_id: 'p-1', amount, description: 'Torn' }),
    'POST /v3/refunds',
    { payment_id: 'p-1', amount, description: 'Torn' },
    refund,
  ],
  ['fetchRefund', (api) => api.fetchRefund('r-1'), 'GET /v3/refunds/r-1', null, refund],
  ['fetchStore', (api) => api.fetchStore(), 'GET /v3/me', null, { account_id: '100500', test: true }],
  [
    'createWebhook',
    (api) => api.createWebhook({ event: 'payment.succeeded', url: 'https://shop.example/hook' }),
    'POST /v3/webhooks',
    { event: 'payment.succeeded', url: 'https://shop.example/hook' },
    webhook,
  ],
  [
    'fetchPayout',
    (api) => api.fetchPayout('po-1'),
    'GET /v3/payouts/po-1',
    null,
    { id: 'po-1', status: 'succeeded', amount },
  ],
  ['fetchDeal', (api) => api.fetchDeal('dl-1'), 'GET /v3/deals/dl-1', null, { id: 'dl-1', status: 'closed' }],
  [
    'fetchPaymentMethod',
    (api) => api.fetchPaymentMethod('pm-1'),
    'GET /v3/payment_methods/pm-1',
    null,
    { id: 'pm-1', type: 'bank_card', saved: true },
  ],
];

describe('an endpoint', () => {
  it.each(endpoints)('%s sends the request of section 4 and returns the answer', async (...row) => {
    const [, call, asked, body, answer] = row;
    const api = await apiFor([[200, answer]]);
    expect(await call(api)).toEqual(answer);
    const [request] = service.received;
    expect(`${request?.method} ${request?.url}`).toBe(asked);
    expect(request?.body === '' ? null : JSON.parse(request?.body ?? '')).toEqual(body);
    expect(request?.headers.authorization).toBe(`Bearer ${canaries.accessToken}`);
    expect(request?.headers['idempotence-key'] ?? '').toMatch(body === null ? /^$/ : /^[\w-]{36}$/);
  });

  it('listWebhooks returns all webhooks', async () => {
    const api = await apiFor([[200, { type: 'list', items: [webhook] }]]);
    expect(await api.listWebhooks()).toEqual([webhook]);
    expect(service.received).toMatchObject([{ method: 'GET', url: '/v3/webhooks' }]);
  });

  it('deleteWebhook sends a key and no body', async () => {
    const api = await apiFor([[200, {}]]);
    expect(await api.deleteWebhook('wh-1', { idempotenceKey: 'mine' })).toBeUndefined();
    expect(service.received).toMatchObject([
      { method: 'DELETE', url: '/v3/webhooks/wh-1', body: '', headers: { 'idempotence-key': 'mine' } },
    ]);
  });

  it.each<[string, (api: PaymentsApi) => Promise<unknown>]>([
    ['fetchStore', (api) => api.fetchStore()],
    ['createWebhook', (api) => api.createWebhook({ event: 'payment.canceled', url: webhook.url })],
    ['listWebhooks', (api) => api.listWebhooks()],
    ['deleteWebhook', (api) => api.deleteWebhook('wh-1')],
  ])('%s is refused before sending with shop credentials, because it needs a token', async (_name, call) => {
    const api = await apiFor([[200, {}]], { credentials: shopCredentials('test_shop', canaries.secretKey) });
    const reason = await failure(call(api));
    expect(reason).toBeInstanceOf(ServiceTokenRequiredError);
    expect(reason).toMatchObject({ outcome: 'refused', retryable: false });
    expect(service.received).toEqual([]);
  });

  it.each(['', '..', '.', 'a/b', 'a?b=c', 'a#b', 'a b', 'a%2Fb', 'п', 'x'.repeat(65)])(
    'cannot be called with the id %j',
    async (id) => {
      const api = await apiFor([[200, payment]]);
      const calls = [
        api.fetchPayment(id),
        api.capturePayment(id),
        api.cancelPayment(id),
        api.fetchRefund(id),
        api.deleteWebhook(id),
        api.fetchPayout(id),
        api.fetchDeal(id),
        api.fetchPaymentMethod(id),
        api.sendRecorded({ kind: 'capture', serviceId: id }, { body: '{}', idempotenceKey: 'key-1' }),
      ];
      for (const call of calls) expect(await failure(call)).toBeInstanceOf(PaymentInputError);
      expect(service.received).toEqual([]);
    },
  );

  it('sends nothing that breaks a rule, and names the field', async () => {
    const api = await apiFor([[200, payment]]);
    const leg = { departure_airport: 'SVO', destination_airport: 'LED', departure_date: '2030-01-31' };
    const legs = [leg, { ...leg, departure_date: '2030-02-30' }];
    const wrong = api.capturePayment('p-1', { amount, airline: { ticket_number: '1', legs } });
    expect(await failure(wrong)).toMatchObject({ field: 'airline.legs[1].departure_date' });
    expect(await failure(api.createRefund({ payment_id: 'p/1', amount }))).toMatchObject({
      field: 'payment_id',
    });
    expect(() => api.listPayments({ limit: 101 })).toThrow(PaymentInputError);
    expect(() => api.listRefunds({ payment_id: '..' })).toThrow(PaymentInputError);
    expect(service.received).toEqual([]);
  });
});

describe('a recorded request', () => {
  const recorded = { body: '{ "amount" :\t"\\u0041" }\n', idempotenceKey: 'key-1' };

  it.each([
    [{ kind: 'create' } as const, '/v3/payments', payment],
    [{ kind: 'capture', serviceId: 'p-1' } as const, '/v3/p-1/capture', payment],
    [{ kind: 'cancel', serviceId: 'p-1' } as const, '/v3/payments/p-1/cancel', payment],
    [{ kind: 'refund' } as const, '/v3/refunds', refund],
  ])('of %o is one attempt with exactly its bytes under its key', async (call, url, answer) => {
    const api = await apiFor([
      [500, {}],
      [200, answer],
    ]);
    expect(await failure(api.sendRecorded(call, recorded))).toMatchObject({ code: 'service_failure' });
    expect(await api.sendRecorded(call, recorded)).toEqual(answer);
    expect(service.received).toHaveLength(2);
    for (const request of service.received) {
      expect(request).toMatchObject({ url, body: recorded.body, headers: { 'idempotence-key': 'key-1' } });
    }
  });
});

describe('a list', () => {
  const page = (ids: string[], next?: string): OddAnswer => [
    200,
    { type: 'list', items: ids.map((id) => ({ ...payment, id })), ...(next && { next_cursor: next }) },
  ];

  it('goes through every page', async () => {
    const api = await apiFor([page(['a', 'b'], 'c-1'), page([], 'c 2&'), page(['c'])]);
    const ids: string[] = [];
    for await (const { id } of api.listPayments({ status: 'succeeded' })) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(
      service.received.map(({ url }) => Object.fromEntries(new URL(url, service.url).searchParams)),
    ).toEqual([
      { status: 'succeeded', limit: '100' },
      { status: 'succeeded', limit: '100', cursor: 'c-1' },
      { status: 'succeeded', limit: '100', cursor: 'c 2&' },
    ]);
  });

  it('requests no page before it is read', async () => {
    const api = await apiFor([page(['a', 'b'], 'c-1'), page(['c'])]);
    const list = api.listPayments();
    expect(service.received).toEqual([]);
    for await (const { id } of list) if (id === 'b') break;
    expect(service.received).toHaveLength(1);
  });

  it('continues from a cursor, page by page', async () => {
    const api = await apiFor([page(['a'], 'c-1'), page(['b'], 'c-2'), page(['c'])]);
    const pages: unknown[] = [];
    for await (const { nextCursor } of api.listPayments({ limit: 1 }).pages()) {
      pages.push(nextCursor);
      if (nextCursor === 'c-1') break;
    }
    for await (const { items, nextCursor } of api.listPayments({ cursor: 'c-1' }).pages())
      pages.push([items.map(({ id }) => id), nextCursor]);
    expect(pages).toEqual(['c-1', [['b'], 'c-2'], [['c'], null]]);
    expect(service.received.map(({ url }) => url)).toEqual([
      '/v3/payments?limit=1',
      '/v3/payments?limit=100&cursor=c-1',
      '/v3/payments?limit=100&cursor=c-2',
    ]);
  });

  it('is requested again when it is read again', async () => {
    const api = await apiFor([page(['a'])]);
    const list = api.listPayments();
    for (const time of [1, 2]) {
      for await (const { id } of list) expect(id).toBe('a');
      expect(service.received).toHaveLength(time);
    }
  });

  it('that leads back to the same page fails instead of never ending', async () => {
    const api = await apiFor([page(['a'], 'c-1')]);
    const read = async () => {
      for await (const object of api.listPayments()) void object;
    };
    expect(await failure(read())).toMatchObject({ code: 'service_unexpected_answer' });
    expect(service.received).toHaveLength(2);
  });

  it('that goes round in a circle fails likewise', async () => {
    const round: OddAnswer = ({ url }, response) => {
      const next_cursor = url?.includes('c-1') ? 'c-2' : 'c-1';
      response.writeHead(200).end(JSON.stringify({ items: [payment], next_cursor }));
    };
    const api = await apiFor([round]);
    const read = async () => {
      for await (const object of api.listPayments()) {
        void object;
        if (service.received.length > 3) return;
      }
    };
    expect(await failure(read())).toMatchObject({ code: 'service_unexpected_answer' });
    expect(service.received).toHaveLength(3);
  });

  it.each([null, ''])('ends if the next cursor is %j', async (next_cursor) => {
    const api = await apiFor([[200, { items: [payment], next_cursor }]]);
    const { value } = await api.listPayments().pages().next();
    expect(value).toEqual({ items: [payment], nextCursor: null, date: expect.any(Date) });
  });

  it.each<[string, object]>([
    ['without items', { type: 'list' }],
    ['with an invalid next cursor', { items: [], next_cursor: 7 }],
    ['with an item that is no payment', { items: [payment, { id: 'b' }] }],
  ])('%s proves nothing, and is requested again', async (_name, answer) => {
    const api = await apiFor([[200, answer], page(['a'])]);
    const { value } = await api.listPayments().pages().next();
    expect(value).toMatchObject({ items: [{ id: 'a' }] });
    expect(service.received).toHaveLength(2);
  });
});

describe('the client', () => {
  it('keeps its connection alive as axios does, so that nothing else is ever set on its socket', async () => {
    const set = jest.spyOn(Socket.prototype, 'setKeepAlive');
    const api = await apiFor([[200, payment]]);
    for (const id of ['p-1', 'p-2', 'p-3']) await api.fetchPayment(id);
    const asked = set.mock.calls.map(String);
    set.mockRestore();
    expect(new Set(asked).size).toBe(1);
  });

  it.each([
    'http://api.example.com',
    'ftp://127.0.0.1',
    'api.example.com',
    '',
    'https://user:key@api.example.com',
    'https://api.example.com/v3',
  ])('cannot be made for %j', (serviceUrl) => {
    const credentials = shopCredentials('test_shop', canaries.secretKey);
    expect(() => new PaymentsApi({ serviceUrl, credentials })).toThrow(PaymentsConfigurationError);
  });

  it('needs an address unless its profile has one', () => {
    const credentials = shopCredentials('test_shop', canaries.secretKey);
    expect(() => new PaymentsApi({ credentials })).toThrow(PaymentsConfigurationError);
    expect(() => new PaymentsApi({ credentials, profile: yookassaProfile })).not.toThrow();
  });

  it.each<[string, object]>([
    ['credentials', { credentials: undefined }],
    ['credentials', { credentials: { shopId: 'test_shop', secretKey: 'in clear' } }],
    ['hooks', { hooks: { onAnswer: 'log it' } }],
    ['circuit.failures', { circuit: { failures: 0 } }],
    ['circuit.openMs', { circuit: { openMs: NaN } }],
    ['requestTimeoutMs', { requestTimeoutMs: 0 }],
  ])('cannot be made with wrong %s, and names the fault: %o', (field, wrong) => {
    const credentials = shopCredentials('test_shop', canaries.secretKey);
    const options = Object.assign({ serviceUrl: 'http://127.0.0.1:1', credentials }, wrong);
    expect(() => new PaymentsApi(options)).toThrow(
      new RegExp(`^The payments .*\\n  - ${field} must be [^\\n]*$`),
    );
    expect(() => new PaymentsApi(options)).not.toThrow(/in clear/);
  });

  it('sends nothing if the host’s function returns no credentials', async () => {
    const nobody: Promise<ShopCredentials> = JSON.parse('{"shopId":"test_shop","secretKey":"in clear"}');
    const api = await apiFor([[200, payment]], { credentials: () => nobody });
    const reason = await failure(api.fetchPayment('p-1'));
    expect(reason).toMatchObject({ field: 'credentials' });
    expect(String(reason)).not.toContain('in clear');
    expect(service.received).toEqual([]);
  });

  it('takes credentials per store, requested before every attempt', async () => {
    const asked: (string | undefined)[] = [];
    const api = await apiFor(
      [
        [500, { retry_after: 0 }],
        [200, payment],
      ],
      {
        credentials: async (store) => {
          asked.push(store);
          return tokenCredentials(`token-of-${store ?? 'nobody'}-${asked.length}`);
        },
      },
    );
    await api.fetchPayment('p-1', { store: 'store-a' });
    await api.fetchPayment('p-1');
    expect(asked).toEqual(['store-a', 'store-a', undefined]);
    expect(service.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-of-store-a-1',
      'Bearer token-of-store-a-2',
      'Bearer token-of-nobody-3',
    ]);
  });

  it('passes on what the host’s credentials function throws, and sends nothing', async () => {
    const api = await apiFor([[200, payment]], {
      credentials: () => Promise.reject(new Error('no such store')),
    });
    expect(await failure(api.fetchPayment('p-1', { store: 'x' }))).toMatchObject({
      message: 'no such store',
    });
    expect(service.received).toEqual([]);
  });

  it('accepts a profile of the host’s own', async () => {
    const paths = { ...documentedProfile.paths, store: '/v3/shop', refunds: '/v3/returns' };
    const api = await apiFor([[200, { account_id: '1' }]], { profile: { ...documentedProfile, paths } });
    await api.fetchStore();
    await api
      .listRefunds()
      .pages()
      .next()
      .catch(() => null);
    expect(service.received.map(({ url }) => url)).toEqual(expect.arrayContaining(['/v3/shop']));
    expect(service.received[1]?.url).toBe('/v3/returns?limit=100');
  });
});
