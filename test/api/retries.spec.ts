import {
  PaymentsApi,
  ServiceCallAbortedError,
  ServiceNotFoundError,
  ServiceTooManyRequestsError,
  shopCredentials,
  type FailureInfo,
  type PaymentsApiOptions,
} from '@holdfast/payments/client';
import { types } from 'node:util';
import { canaries } from '../support/canaries.js';
import { startOddService, type OddAnswer, type OddService } from '../support/odd-service.js';

const payment = { id: 'p-1', status: 'pending', amount: { value: '10.00', currency: 'RUB' } };
const paid: OddAnswer = [200, payment];
const error = (code: string, fields: object = {}): object => ({ type: 'error', id: 'e-1', code, ...fields });
/** The answers ask for no delay, so that no test waits. */
const now = { retry_after: 0 };
const busy: OddAnswer = [429, error('too_many_requests', now)];
const failing: OddAnswer = [500, error('internal_server_error', now)];
const working: OddAnswer = [202, error('request_accepted', now)];
const wrong: OddAnswer = [400, error('invalid_request', { parameter: 'amount' })];
const unknown: OddAnswer = [404, error('not_found')];
const truncated: OddAnswer = (_request, response) => response.writeHead(200).end('{"id":"p-1","sta');
const busyByHeader: OddAnswer = (_request, response) =>
  response.writeHead(429, { 'Retry-After': '60' }).end('{}');
const reset: OddAnswer = (request) => request.socket.destroy();
const nothing: OddAnswer = () => undefined;

const request = {
  amount: { value: '10.00', currency: 'RUB' as const },
  capture: true,
  confirmation: { type: 'redirect' as const, return_url: 'https://shop.example/back' },
};

let service: OddService;
afterEach(() => service.close());

async function apiFor(answers: OddAnswer[], options: Partial<PaymentsApiOptions> = {}): Promise<PaymentsApi> {
  service = await startOddService(...answers);
  return new PaymentsApi({
    serviceUrl: service.url,
    credentials: shopCredentials('test_shop', canaries.secretKey),
    ...options,
  });
}

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => Promise.reject(new Error('It was answered.')),
    (reason: unknown) => reason,
  );

const keys = () => new Set(service.received.map(({ headers }) => headers['idempotence-key']));
const bodies = () => new Set(service.received.map(({ body }) => body));

describe('a write', () => {
  it.each<[string, OddAnswer]>([
    ['429', busy],
    ['500', failing],
    ['202, still working', working],
  ])('that meets %s is sent again with the same key and the same bytes', async (_name, answer) => {
    const api = await apiFor([answer, answer, answer, paid]);
    expect(await api.createPayment(request)).toEqual(payment);
    expect(service.received).toHaveLength(4);
    expect(keys().size).toBe(1);
    expect([...bodies()]).toEqual([JSON.stringify(request)]);
  });

  it.each<[string, OddAnswer]>([
    ['a reset', reset],
    ['a truncated answer', truncated],
  ])('that meets %s is sent again with the same key and the same bytes', async (_name, answer) => {
    const api = await apiFor([answer, paid]);
    expect(await api.createPayment(request, { idempotenceKey: 'mine' })).toEqual(payment);
    expect(service.received).toHaveLength(2);
    expect([...keys()]).toEqual(['mine']);
    expect(bodies().size).toBe(1);
  });

  it('that is refused is sent once', async () => {
    const api = await apiFor([wrong]);
    expect(await failure(api.createPayment(request))).toMatchObject({
      code: 'service_request_invalid',
      outcome: 'refused',
      details: { httpStatus: 400, serviceCode: 'invalid_request', parameter: 'amount', requestId: 'e-1' },
    });
    expect(service.received).toHaveLength(1);
  });

  it('is sent four times at most', async () => {
    const api = await apiFor([failing]);
    expect(await failure(api.createPayment(request))).toMatchObject({ code: 'service_failure' });
    expect(service.received).toHaveLength(4);
  });

  it('that is refused after an attempt of unknown outcome has an unknown outcome', async () => {
    for (const refusal of [busy, wrong, unknown]) {
      const api = await apiFor([failing, refusal]);
      expect(await failure(api.createPayment(request))).toMatchObject({
        code: 'service_failure',
        outcome: 'unknown',
      });
      await service.close();
    }
    service = await startOddService();
  });

  it('whose credentials fail after an attempt of unknown outcome has an unknown outcome', async () => {
    const vault = [shopCredentials('test_shop', canaries.secretKey)];
    const api = await apiFor([failing], {
      credentials: () => vault.shift() ?? Promise.reject(new Error('The vault is closed.')),
    });
    expect(await failure(api.createPayment(request))).toMatchObject({
      code: 'service_failure',
      outcome: 'unknown',
    });
    expect(service.received).toHaveLength(1);
  });

  it('that is only asked to wait is refused: nothing was done', async () => {
    const api = await apiFor([busy]);
    const reason = await failure(api.createPayment(request));
    expect(reason).toBeInstanceOf(ServiceTooManyRequestsError);
    expect(reason).toMatchObject({ outcome: 'refused' });
  });

  it('gets a key of its own every time', async () => {
    const api = await apiFor([paid]);
    await api.createPayment(request);
    await api.createPayment(request);
    expect(keys().size).toBe(2);
  });
});

describe('a read', () => {
  it('throws the error of its last attempt', async () => {
    const api = await apiFor([failing, unknown]);
    expect(await failure(api.fetchPayment('p-1'))).toBeInstanceOf(ServiceNotFoundError);
  });

  it('carries no key', async () => {
    const api = await apiFor([failing, paid]);
    await api.fetchPayment('p-1');
    expect([...keys()]).toEqual([undefined]);
  });
});

describe('a call', () => {
  it('that is asked to wait longer than it may take fails at once', async () => {
    const api = await apiFor([[429, error('too_many_requests', { retry_after: 60_000 })]]);
    const reason = await failure(api.fetchPayment('p-1', { timeoutMs: 1_000 }));
    expect(reason).toMatchObject({ details: { retryAfterMs: 60_000 } });
    expect(service.received).toHaveLength(1);
  });

  it('obeys a Retry-After header if the body names no time', async () => {
    const api = await apiFor([busyByHeader]);
    const reason = await failure(api.fetchPayment('p-1', { timeoutMs: 1_000 }));
    expect(reason).toMatchObject({ details: { retryAfterMs: 60_000 } });
    expect(service.received).toHaveLength(1);
  });

  it('ends when its time is over', async () => {
    let attempts = 0;
    const api = await apiFor([nothing], { hooks: { onRequest: () => void (attempts += 1) } });
    expect(await failure(api.createPayment(request, { timeoutMs: 50 }))).toMatchObject({
      code: 'service_timeout',
      outcome: 'unknown',
    });
    expect(attempts).toBe(1);
  });

  it('ends when the time of all its attempts is over', async () => {
    const api = await apiFor([nothing], { callDeadlineMs: 100, requestTimeoutMs: 60_000 });
    expect(await failure(api.fetchPayment('p-1'))).toMatchObject({ code: 'service_timeout' });
  });

  it('ends an attempt that takes too long and goes on with the next', async () => {
    const api = await apiFor([nothing, paid], { requestTimeoutMs: 1_000 });
    expect(await api.createPayment(request)).toEqual(payment);
    expect(keys().size).toBe(1);
  });

  it('whose credentials never arrive ends when its time is over, refused: nothing was sent', async () => {
    const api = await apiFor([paid], { credentials: () => new Promise(() => undefined) });
    expect(await failure(api.createPayment(request, { timeoutMs: 50 }))).toMatchObject({
      code: 'service_timeout',
      outcome: 'refused',
      retryable: true,
      reason: 'no credentials within 50 ms',
    });
    expect(service.received).toEqual([]);
  });

  it('waits for credentials no longer than an attempt may take, and asks again', async () => {
    const vault = [new Promise<never>(() => undefined), shopCredentials('test_shop', canaries.secretKey)];
    const api = await apiFor([paid], {
      credentials: () => vault.shift() ?? Promise.reject(new Error('The vault is closed.')),
      requestTimeoutMs: 1_000,
    });
    expect(await api.createPayment(request)).toEqual(payment);
  });

  it.each([0, -1, 1.5, NaN, Infinity, 2 ** 31])('cannot take %d ms', async (timeoutMs) => {
    const api = await apiFor([paid]);
    expect(await failure(api.fetchPayment('p-1', { timeoutMs }))).toMatchObject({ field: 'timeoutMs' });
    expect(service.received).toEqual([]);
  });

  it.each(['', 'a b', 'a\nb', 'ключ', 'x'.repeat(65)])('cannot use the key %j', async (idempotenceKey) => {
    const api = await apiFor([paid]);
    expect(await failure(api.createPayment(request, { idempotenceKey }))).toMatchObject({
      field: 'idempotenceKey',
    });
    expect(service.received).toEqual([]);
  });
});

describe('a call whose signal is aborted', () => {
  const later: OddAnswer = [429, error('too_many_requests', { retry_after: 20_000 })];

  it('before the call begins sends nothing', async () => {
    const api = await apiFor([paid]);
    const reason = await failure(api.createPayment(request, { signal: AbortSignal.abort() }));
    expect(reason).toBeInstanceOf(ServiceCallAbortedError);
    expect(reason).toMatchObject({ outcome: 'refused', details: { request: 'POST /v3/payments' } });
    expect(service.received).toEqual([]);
  });

  it('during an attempt ends at once, with an unknown outcome', async () => {
    const controller = new AbortController();
    const api = await apiFor([() => controller.abort()]);
    expect(await failure(api.createPayment(request, { signal: controller.signal }))).toMatchObject({
      code: 'service_call_aborted',
      outcome: 'unknown',
    });
  });

  it('while waiting for credentials ends at once, refused: nothing was sent', async () => {
    const controller = new AbortController();
    const api = await apiFor([paid], {
      credentials: () => {
        controller.abort();
        return new Promise(() => undefined);
      },
    });
    expect(await failure(api.createPayment(request, { signal: controller.signal }))).toMatchObject({
      code: 'service_call_aborted',
      outcome: 'refused',
    });
    expect(service.received).toEqual([]);
  });

  it('is left without listeners, so that the caller may use it for the next call', async () => {
    const { signal } = new AbortController();
    const credentials = shopCredentials('test_shop', canaries.secretKey);
    const api = await apiFor([failing, paid], { credentials: () => Promise.resolve(credentials) });
    await api.fetchPayment('p-1', { signal });
    await api.fetchPayment('p-1', { signal });
    const kept = Reflect.ownKeys(signal).map((key): unknown => Reflect.get(signal, key));
    const sizes = kept.map((value) => (types.isSet(value) || types.isMap(value) ? value.size : 0));
    expect(new Set(sizes)).toEqual(new Set([0]));
  });

  it.each<[string, OddAnswer, FailureInfo['outcome']]>([
    ['an attempt that was refused ends at once, refused', later, 'refused'],
    [
      'an attempt of unknown outcome ends at once, its outcome unknown',
      [500, error('internal_server_error', { retry_after: 20_000 })],
      'unknown',
    ],
  ])('while it waits after %s', async (_name, answer, outcome) => {
    const controller = new AbortController();
    const api = await apiFor([answer], {
      hooks: { onFailure: () => void setImmediate(() => controller.abort()) },
    });
    expect(await failure(api.createPayment(request, { signal: controller.signal }))).toMatchObject({
      code: 'service_call_aborted',
      outcome,
    });
    expect(service.received).toHaveLength(1);
  });
});
