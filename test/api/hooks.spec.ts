import {
  PaymentsApi,
  shopCredentials,
  type AnswerInfo,
  type FailureInfo,
  type PaymentsApiOptions,
  type RequestInfo,
} from '@holdfast/payments/client';
import { Logger } from '@nestjs/common';
import { startOddService, type OddAnswer, type OddService } from '../support/odd-service.js';

const KEY = 'live_Zk3vErYsEcReT';
const CARD = '4111111111111111';
const paid: OddAnswer = [200, { id: 'p-1', status: 'pending', amount: { value: '10.00', currency: 'RUB' } }];
const failing: OddAnswer = [
  500,
  { type: 'error', id: 'e-1', code: 'internal_server_error', description: CARD, retry_after: 0 },
];
const reset: OddAnswer = (request) => request.socket.destroy();

let service: OddService;
afterEach(() => service.close());

type HookCall = ['onRequest', RequestInfo] | ['onAnswer', AnswerInfo] | ['onFailure', FailureInfo];

async function observed(
  answers: OddAnswer[],
  options: Partial<PaymentsApiOptions> = {},
): Promise<{ api: PaymentsApi; calls: HookCall[] }> {
  service = await startOddService(...answers);
  const calls: HookCall[] = [];
  const api = new PaymentsApi({
    serviceUrl: service.url,
    credentials: shopCredentials('test_shop', KEY),
    hooks: {
      onRequest: (info) => void calls.push(['onRequest', info]),
      onAnswer: (info) => void calls.push(['onAnswer', info]),
      onFailure: (info) => void calls.push(['onFailure', info]),
    },
    ...options,
  });
  return { api, calls };
}

const sent = {
  operation: 'createPayment',
  method: 'POST',
  path: '/v3/payments',
  store: 'store-a',
  idempotenceKey: 'key-1',
};
const request = {
  amount: { value: '10.00', currency: 'RUB' as const },
  confirmation: { type: 'redirect' as const, return_url: 'https://shop.example/back' },
  description: CARD,
};

describe('the hooks', () => {
  it('are called for every attempt and how it ended', async () => {
    const { api, calls } = await observed([failing, paid]);
    await api.createPayment(request, { store: 'store-a', idempotenceKey: 'key-1' });
    const durationMs = expect.any(Number);
    expect(calls).toEqual([
      ['onRequest', { ...sent, attempt: 1 }],
      [
        'onFailure',
        {
          ...sent,
          attempt: 1,
          httpStatus: 500,
          durationMs,
          code: 'service_failure',
          outcome: 'unknown',
          requestId: 'e-1',
        },
      ],
      ['onRequest', { ...sent, attempt: 2 }],
      ['onAnswer', { ...sent, attempt: 2, httpStatus: 200, durationMs }],
    ]);
  });

  it('are called for a broken connection, without a status', async () => {
    const { api, calls } = await observed([reset]);
    const recorded = { body: '{}', idempotenceKey: 'key-1' };
    await api.sendRecorded({ kind: 'cancel', serviceId: 'p-1' }, recorded, { attempt: 7 }).catch(() => null);
    expect(calls.at(-1)).toMatchObject([
      'onFailure',
      { operation: 'cancelPayment', attempt: 7, store: null, httpStatus: null, code: 'service_network' },
    ]);
  });

  it('are called for a request that an open circuit stopped, as one that never began', async () => {
    const { api, calls } = await observed([failing], { circuit: { failures: 1, openMs: 60_000 } });
    await api.fetchPayment('p-1').catch(() => null);
    calls.length = 0;
    await api.fetchPayment('p-2').catch(() => null);
    expect(calls).toMatchObject([
      ['onFailure', { path: '/v3/payments/p-2', code: 'service_circuit_open', idempotenceKey: null }],
    ]);
  });

  it('are called for each page of a list', async () => {
    const { api, calls } = await observed([[200, { items: [] }]]);
    await api.listRefunds().pages().next();
    expect(calls.map(([hook, { operation }]) => [hook, operation])).toEqual([
      ['onRequest', 'listRefunds'],
      ['onAnswer', 'listRefunds'],
    ]);
  });

  it('see no secret and no body', async () => {
    const { api, calls } = await observed([failing, paid]);
    await api.createPayment(request);
    const shown = JSON.stringify(calls);
    const pair = Buffer.from(`test_shop:${KEY}`).toString('base64');
    for (const secret of [KEY, pair, CARD]) expect(shown).not.toContain(secret);
  });

  it('that throw a value that cannot be converted to text break nothing', async () => {
    Logger.overrideLogger(false);
    const { api } = await observed([paid], {
      hooks: { onRequest: () => Promise.reject(Object.create(null)) },
    });
    expect(await api.fetchPayment('p-1')).toMatchObject({ id: 'p-1' });
  });

  it('that fail, at once or later, break nothing and are logged once', async () => {
    const logged: string[] = [];
    const keep = (message: unknown): void => void logged.push(String(message));
    Logger.overrideLogger({ log: keep, error: keep, warn: keep });
    try {
      const { api } = await observed([failing, paid], {
        hooks: {
          onRequest: () => {
            throw new Error('no metrics');
          },
          onAnswer: () => Promise.reject(new Error('no log')),
          onFailure: () => {
            throw new Error('no metrics either');
          },
        },
      });
      expect(await api.createPayment(request)).toMatchObject({ id: 'p-1' });
      expect(await api.fetchPayment('p-1')).toMatchObject({ id: 'p-1' });
      expect(logged).toEqual(['A request hook failed; later failures are not logged: no metrics']);
    } finally {
      Logger.overrideLogger(false);
    }
  });
});
