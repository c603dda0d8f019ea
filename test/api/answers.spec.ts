import {
  documentedProfile,
  PaymentsApi,
  ServiceError,
  shopCredentials,
  tokenCredentials,
  yookassaProfile,
  type PaymentsApiOptions,
  type ServiceProfile,
} from '@holdfast/payments/client';
import { Logger } from '@nestjs/common';
import { inspect } from 'node:util';
import { canaries, canariesIn } from '../support/canaries.js';
import { startOddService, type OddAnswer, type OddService } from '../support/odd-service.js';

const amount = { value: '10.00', currency: 'RUB' as const };
const payment = { id: 'p-1', status: 'succeeded', amount };

const CARD = canaries.cardNumber;
const says = (status: number, code: string): OddAnswer => [
  status,
  { type: 'error', id: 'e-1', code, description: `Bad card ${CARD}`, retry_after: 0 },
];

// The client warns about card data, and these tests send some.
beforeAll(() => Logger.overrideLogger(false));

let service: OddService;
afterEach(() => service.close());

async function apiFor(answers: OddAnswer[], options: Partial<PaymentsApiOptions> = {}): Promise<PaymentsApi> {
  service = await startOddService(...answers);
  return new PaymentsApi({
    serviceUrl: service.url,
    credentials: tokenCredentials(canaries.accessToken),
    ...options,
  });
}

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => Promise.reject(new Error('It was answered.')),
    (reason: unknown) => reason,
  );

describe('an answer', () => {
  it('is the service’s own object, with every field and value that the interface does not name', async () => {
    const whole = {
      ...payment,
      status: 'frozen',
      amount: { ...amount, rounding: 'none' },
      paid: true,
      income_amount: { value: '9.65', currency: 'RUB' },
      refunded_amount: { value: '0.00', currency: 'RUB' },
      confirmation: { type: 'hologram', confirmation_url: 'https://service.example/pay', seen: 0 },
      created_at: '2030-01-01T12:00:00.123Z',
      metadata: { basket: '7' },
      payment_method: {
        type: 'bank_card',
        id: 'p-1',
        saved: false,
        title: 'Bank card *4477',
        card: {
          first6: '555555',
          last4: '4477',
          expiry_month: '07',
          expiry_year: '2031',
          card_type: 'NewNetwork',
          card_product: { code: 'E', name: 'Elite' },
          issuer_country: 'RU',
          issuer_name: 'A bank',
          source: 'a_new_app',
        },
      },
      recipient: { account_id: '100500', gateway_id: '1' },
      refundable: true,
      test: true,
      authorization_details: { rrn: '1', auth_code: '2', three_d_secure: { applied: true, version: '3' } },
      cancellation_details: { party: 'somebody', reason: 'something_new' },
      transfers: [{ account_id: '1' }],
    };
    const api = await apiFor([[200, whole]]);
    const read = await api.fetchPayment('p-1');
    expect(read).toEqual(whole);
    expect(read['transfers']).toEqual([{ account_id: '1' }]);
  });

  it.each<[string, object]>([
    ['all null', { payment_method: null, confirmation: null, metadata: null, recipient: null }],
    ['of other types', { payment_method: 'card', confirmation: [], test: 'yes', created_at: 5 }],
    ['odd inside', { payment_method: { type: 5, card: 'x' }, authorization_details: { three_d_secure: 1 } }],
  ])('may have optional fields %s', async (_name, fields) => {
    const api = await apiFor([[200, { ...payment, ...fields }]], { profile: yookassaProfile });
    expect(await api.fetchPayment('p-1')).toEqual({ ...payment, ...fields });
  });

  it('has U+FFFD in place of what PostgreSQL cannot store, and everything else unchanged', async () => {
    const text = '{"id":"p-1","status":"pending","amount":{"value":"10.00","currency":"RUB"},';
    const odd = String.raw`"a\u0000":["\ud83cx","\ud83c\udf75","\\u0000"]}`;
    const api = await apiFor([(_request, response) => response.writeHead(200).end(text + odd)]);
    const read = await api.fetchPayment('p-1');
    expect(read['a\uFFFD']).toEqual(['\uFFFDx', '🍵', String.raw`\u0000`]);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', [payment]],
    ['an empty object', {}],
    ['one without an id', { ...payment, id: undefined }],
    ['one with an empty id', { ...payment, id: '' }],
    ['one without a status', { ...payment, status: undefined }],
    ['one without an amount', { ...payment, amount: undefined }],
    ['one whose amount is a number', { ...payment, amount: { value: 10, currency: 'RUB' } }],
    ['one whose amount has no kopecks', { ...payment, amount: { value: '10', currency: 'RUB' } }],
  ])('that should be a payment and is %s is unexpected, and its outcome unknown', async (_name, answer) => {
    const api = await apiFor([[200, answer]]);
    const recorded = { body: '{}', idempotenceKey: 'key-1' };
    expect(await failure(api.sendRecorded({ kind: 'create' }, recorded))).toMatchObject({
      code: 'service_unexpected_answer',
      outcome: 'unknown',
      details: { httpStatus: 200, idempotenceKey: 'key-1' },
    });
  });

  it.each<[string, (api: PaymentsApi) => Promise<unknown>, object]>([
    ['refund', (api) => api.fetchRefund('r-1'), { id: 'r-1', status: 'succeeded', amount }],
    ['store', (api) => api.fetchStore(), { test: true }],
    ['webhook', (api) => api.listWebhooks(), { items: [{ id: 'wh-1', event: 'payment.succeeded' }] }],
    ['payout', (api) => api.fetchPayout('po-1'), { id: 'po-1', status: 'succeeded' }],
    ['deal', (api) => api.fetchDeal('dl-1'), { id: 'dl-1' }],
    ['payment method', (api) => api.fetchPaymentMethod('pm-1'), { id: 'pm-1', saved: true }],
  ])('that should be a %s and lacks a required field is unexpected', async (_name, call, answer) => {
    const seen: string[] = [];
    const api = await apiFor([[200, answer], says(404, 'not_found')], {
      hooks: { onFailure: ({ code }) => void seen.push(code) },
    });
    await failure(call(api));
    expect(seen).toEqual(['service_unexpected_answer', 'service_not_found']);
  });
});

describe('the names on the wire', () => {
  const profiles: [string, ServiceProfile, Record<string, string>][] = [
    [
      'documented',
      documentedProfile,
      {
        wallet: 'wallet',
        wallet_pay: 'wallet_pay',
        bank_app_pay: 'bank_app_pay',
        card_app_pay: 'card_app_pay',
        service: 'service',
      },
    ],
    [
      'yookassa',
      yookassaProfile,
      {
        wallet: 'yoo_money',
        wallet_pay: 'google_pay',
        bank_app_pay: 'sberbank',
        card_app_pay: 'mir_pay',
        service: 'yoo_money',
      },
    ],
  ];

  describe.each(profiles)('of the %s profile', (_name, profile, names) => {
    it('are sent in a create request', async () => {
      const api = await apiFor([[200, payment]], { profile, cardData: true });
      const payment_method_data = { type: 'wallet_pay' as const, payment_method_token: canaries.cryptogram };
      await api.createPayment({ amount, payment_method_data });
      expect(JSON.parse(service.received[0]?.body ?? '')).toEqual({
        amount,
        payment_method_data: { ...payment_method_data, type: names['wallet_pay'] },
      });
    });

    it('are sent in a list request', async () => {
      const api = await apiFor([[200, { items: [] }]], { profile });
      await api.listPayments({ payment_method: 'wallet' }).pages().next();
      expect(service.received[0]?.url).toBe(`/v3/payments?limit=100&payment_method=${names['wallet']}`);
    });

    it.each(['wallet', 'wallet_pay', 'bank_app_pay', 'bank_card', 'some_new_method'])(
      'are read as the interface’s words: %s',
      async (word) => {
        const wire = (card: object): object => ({ id: 'pm-1', type: names[word] ?? word, card });
        const card = { last4: '4477', source: names['card_app_pay'] };
        const read = { id: 'pm-1', type: word, card: { last4: '4477', source: 'card_app_pay' } };
        const paid = { ...payment, payment_method: wire(card) };
        const api = await apiFor(
          [
            [200, paid],
            [200, { items: [paid] }],
            [200, wire(card)],
          ],
          { profile },
        );
        expect(await api.fetchPayment('p-1')).toEqual({ ...payment, payment_method: read });
        for await (const { payment_method } of api.listPayments()) expect(payment_method).toEqual(read);
        expect(await api.fetchPaymentMethod('pm-1')).toEqual(read);
      },
    );

    it('of saved methods are read as the interface’s words', async () => {
      const store = {
        account_id: '100500',
        payment_methods: ['bank_card', names['wallet'], 'some_new_method', 5],
        payout_methods: [names['wallet']],
      };
      const api = await apiFor([[200, store]], { profile });
      const { payment_methods, payout_methods } = await api.fetchStore();
      expect(payment_methods).toEqual(['bank_card', 'wallet', 'some_new_method', 5]);
      expect(payout_methods).toEqual(['wallet']);
    });

    it('of payout destinations are read as the interface’s words', async () => {
      const payout = { id: 'po-1', status: 'succeeded', amount };
      const account = { account_number: '4100' };
      const api = await apiFor(
        [
          [200, { ...payout, payout_destination: { type: names['wallet'], ...account } }],
          [200, { ...payout, payout_destination: 'to a card' }],
        ],
        { profile },
      );
      const { payout_destination } = await api.fetchPayout('po-1');
      expect(payout_destination).toEqual({ type: 'wallet', ...account });
      expect(await api.fetchPayout('po-1')).toEqual({ ...payout, payout_destination: 'to a card' });
    });

    it.each(['service', 'merchant', 'somebody_new'])(
      'are read as the interface’s words in who canceled: %s',
      async (word) => {
        const canceled = (party = word) => ({
          ...payment,
          payment_id: 'p-1',
          cancellation_details: { party, reason: 'general_decline' },
        });
        const api = await apiFor([[200, canceled(names[word])]], { profile });
        expect(await api.fetchPayment('p-1')).toEqual(canceled());
        expect(await api.fetchRefund('r-1')).toEqual(canceled());
        expect(await api.fetchPayout('po-1')).toEqual(canceled());
      },
    );

    it('include its capture path', async () => {
      const api = await apiFor([[200, payment]], { profile });
      await api.capturePayment('p-1');
      expect(service.received[0]?.url).toBe(
        profile === yookassaProfile ? '/v3/payments/p-1/capture' : '/v3/p-1/capture',
      );
    });
  });
});

describe('an error', () => {
  const KEY = canaries.secretKey;
  const TOKEN = canaries.accessToken;
  const card = { number: CARD, expiry_month: '12', expiry_year: '2031', csc: canaries.csc };
  const request = {
    amount,
    confirmation: { type: 'redirect' as const, return_url: 'https://shop.example/back' },
    payment_method_data: { type: 'bank_card' as const, card },
  };
  it.each<[string, OddAnswer]>([
    ['400', says(400, 'invalid_request')],
    ['401', says(401, 'invalid_credentials')],
    ['403', says(403, 'forbidden')],
    ['404', says(404, 'not_found')],
    ['429', says(429, 'too_many_requests')],
    ['500', says(500, 'internal_server_error')],
    ['202', says(202, 'request_accepted')],
    ['what it was sent', (_request, response) => response.writeHead(200).end(JSON.stringify(request))],
    ['a page', (_request, response) => response.writeHead(200).end(`<html>${CARD}`)],
    ['nothing', () => undefined],
    ['a reset', (incoming) => incoming.socket.destroy()],
  ])('of a service that answers %s can be logged whole', async (_name, answer) => {
    for (const credentials of [shopCredentials('test_shop', KEY), tokenCredentials(TOKEN)]) {
      const api = await apiFor([answer], { credentials, cardData: true });
      const reason = await failure(api.createPayment(request, { idempotenceKey: 'key-1', timeoutMs: 300 }));
      expect(reason).toBeInstanceOf(ServiceError);
      expect(reason).toMatchObject({ details: { idempotenceKey: 'key-1' } });
      const shown = [
        inspect(reason, { depth: Infinity, showHidden: true, getters: true, maxStringLength: null }),
        JSON.stringify(reason),
        String(reason instanceof Error && reason.stack),
      ].join('\n');
      expect(canariesIn(shown)).toEqual([]);
      for (const scheme of ['Basic ', 'Bearer ']) expect(shown).not.toContain(scheme);
      await service.close();
    }
    service = await startOddService();
  });
});
