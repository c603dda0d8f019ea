import {
  PaymentsApi,
  ServiceCircuitOpenError,
  ServiceError,
  shopCredentials,
  type CircuitOptions,
} from '@holdfast/payments/client';
import { jest } from '@jest/globals';
import { canaries } from '../support/canaries.js';
import { eventually } from '../support/eventually.js';
import { startOddService, type OddAnswer, type OddService } from '../support/odd-service.js';

const paid: OddAnswer = [200, { id: 'p-1', status: 'pending', amount: { value: '10.00', currency: 'RUB' } }];
const error = (code: string): object => ({ type: 'error', code, retry_after: 0 });
const failing: OddAnswer = [500, error('internal_server_error')];
const reset: OddAnswer = (request) => request.socket.destroy();
const nothing: OddAnswer = () => undefined;

/** Longer than any request takes that is answered, however busy the machine is. */
const PATIENT_MS = 30_000;

/** Only the breaker's clock is moved; requests take as long as they take. */
function pass(ms: number): void {
  jest.setSystemTime(Date.now() + ms);
}

let service: OddService;
beforeEach(() => {
  jest.useFakeTimers({
    doNotFake: [
      'clearImmediate',
      'clearInterval',
      'clearTimeout',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'setInterval',
      'setTimeout',
    ],
  });
});
afterEach(async () => {
  jest.useRealTimers();
  await service.close();
});

async function apiFor(
  answers: OddAnswer[],
  circuit: CircuitOptions | false = {},
  requestTimeoutMs = PATIENT_MS,
): Promise<PaymentsApi> {
  service = await startOddService(...answers);
  return new PaymentsApi({
    serviceUrl: service.url,
    credentials: shopCredentials('test_shop', canaries.secretKey),
    requestTimeoutMs,
    circuit,
  });
}

/** Makes one attempt and returns its outcome. */
async function attempt(api: PaymentsApi, store?: string): Promise<string> {
  const recorded = { body: '{}', idempotenceKey: 'key-1' };
  try {
    await api.sendRecorded({ kind: 'create' }, recorded, { ...(store !== undefined && { store }) });
    return 'answered';
  } catch (reason) {
    if (reason instanceof ServiceError) return reason.code;
    throw reason;
  }
}

async function attempts(count: number, api: PaymentsApi, store?: string): Promise<string[]> {
  const ends: string[] = [];
  while (ends.length < count) ends.push(await attempt(api, store));
  return ends;
}

const aMinute = { failures: 3, openMs: 60_000 };

describe('the circuit breaker', () => {
  it.each<[string, OddAnswer, number]>([
    ['5xx', failing, PATIENT_MS],
    ['a reset', reset, PATIENT_MS],
    ['a timeout', nothing, 1_000],
    ['an answer that is not JSON', (_request, response) => response.writeHead(200).end('<html>'), PATIENT_MS],
    ['an answer that is no payment', [200, { id: 'p-1' }], PATIENT_MS],
    ['a redirect', (_request, response) => response.writeHead(302, { location: '/' }).end(), PATIENT_MS],
  ])('opens after consecutive failures: %s', async (_name, answer, requestTimeoutMs) => {
    const api = await apiFor([answer], { failures: 3, openMs: 60_000 }, requestTimeoutMs);
    await attempts(3, api);
    expect(await attempts(2, api)).toEqual(['service_circuit_open', 'service_circuit_open']);
    expect(service.received).toHaveLength(3);
  });

  it('opens after ten failures by default', async () => {
    const api = await apiFor([failing]);
    expect(await attempts(11, api)).toEqual([...Array(10).fill('service_failure'), 'service_circuit_open']);
  });

  it.each<[string, OddAnswer]>([
    ['400', [400, error('invalid_request')]],
    ['401', [401, error('invalid_credentials')]],
    ['403', [403, error('forbidden')]],
    ['404', [404, error('not_found')]],
    ['429', [429, error('too_many_requests')]],
    ['202', [202, error('request_accepted')]],
    ['200', paid],
  ])('takes %s as a success that ends the series of failures', async (_name, answer) => {
    const api = await apiFor([failing, failing, answer, failing, failing, answer, answer], aMinute);
    expect(await attempts(7, api)).not.toContain('service_circuit_open');
    expect(service.received).toHaveLength(7);
  });

  it('fails at once while it is open, says what went wrong, and does not count as a refusal by the service', async () => {
    const api = await apiFor([failing], { failures: 1, openMs: 60_000 });
    await attempt(api);
    const reason = await api.fetchPayment('p-1').catch((caught: unknown) => caught);
    expect(reason).toBeInstanceOf(ServiceCircuitOpenError);
    expect(reason).toMatchObject({
      retryable: true,
      message:
        'GET /v3/payments/p-1: not sent: too many requests in a row have failed, the last one with service_failure. ' +
        'Nothing was sent. Wait, then send the same again.',
    });
  });

  it('lets one request through when its time is over, and closes if that is answered', async () => {
    const api = await apiFor([failing], { failures: 1, openMs: 60_000 });
    await attempt(api);
    service.answers = [paid];
    expect(await attempt(api)).toBe('service_circuit_open');
    pass(60_000);
    expect(await attempts(3, api)).toEqual(['answered', 'answered', 'answered']);
  });

  it('opens again if that request fails', async () => {
    const api = await apiFor([failing], aMinute);
    await attempts(3, api);
    pass(60_000);
    expect(await attempts(2, api)).toEqual(['service_failure', 'service_circuit_open']);
    pass(60_000);
    service.answers = [paid];
    expect(await attempt(api)).toBe('answered');
  });

  it('stays open for five seconds by default', async () => {
    const api = await apiFor([failing], { failures: 1 });
    await attempt(api);
    pass(4_000);
    expect(await attempt(api)).toBe('service_circuit_open');
    pass(1_000);
    expect(await attempt(api)).toBe('service_failure');
  });

  it('keeps nobody waiting for the request it lets through', async () => {
    const api = await apiFor([failing], { failures: 1, openMs: 60_000 });
    await attempt(api);
    pass(60_000);
    const meanwhile: Promise<string>[] = [];
    service.answers = [
      (_request, response) => {
        const other = attempt(api);
        meanwhile.push(other);
        void other.then(() => response.writeHead(500).end('{}'));
      },
    ];
    expect(await attempt(api)).toBe('service_failure');
    expect(await Promise.all(meanwhile)).toEqual(['service_circuit_open']);
  });

  it('of a failing store does not affect the other stores', async () => {
    const api = await apiFor([failing], aMinute);
    await attempts(3, api, 'store-a');
    service.answers = [paid];
    expect(await attempt(api, 'store-a')).toBe('service_circuit_open');
    expect(await attempt(api, 'store-b')).toBe('answered');
    expect(await attempt(api)).toBe('answered');
  });

  it('counts connection failures of all stores together, because they share the host', async () => {
    const api = await apiFor([reset], aMinute);
    for (const store of ['store-a', 'store-b', 'store-c']) await attempt(api, store);
    expect(await attempt(api, 'store-d')).toBe('service_circuit_open');
    expect(service.received).toHaveLength(3);
  });

  it('does not count requests that their caller ended', async () => {
    const controller = new AbortController();
    const api = await apiFor([() => controller.abort(), paid], { failures: 1, openMs: 60_000 });
    await api.fetchPayment('p-1', { signal: controller.signal }).catch(() => undefined);
    expect(await attempt(api)).toBe('answered');
  });

  it('stays open if the request it lets through is ended by its caller', async () => {
    const api = await apiFor([failing], aMinute);
    await attempts(3, api);
    pass(60_000);
    const controller = new AbortController();
    service.answers = [() => controller.abort(), failing];
    await api.fetchPayment('p-1', { signal: controller.signal }).catch(() => undefined);
    expect(await attempt(api)).toBe('service_circuit_open');
  });

  it('of the host stays open if the circuit of the store stops the request it lets through', async () => {
    const api = await apiFor([reset], { failures: 2, openMs: 60_000 });
    let endLate = (): void => undefined;
    const late: OddAnswer = (request) => (endLate = () => request.socket.destroy());
    await attempt(api, 'store-b');
    service.answers = [late];
    const pending = attempt(api, 'store-b');
    await eventually(
      () => Promise.resolve(service.received.length),
      (count) => count === 2,
    );
    service.answers = [reset];
    await attempt(api, 'store-a');
    pass(30_000);
    endLate();
    expect(await pending).toBe('service_network');
    pass(30_000);
    expect(await attempt(api, 'store-b')).toBe('service_circuit_open');
    expect(await attempt(api, 'store-c')).toBe('service_circuit_open');
    expect(service.received).toHaveLength(3);
  });

  it('can be turned off', async () => {
    const api = await apiFor([failing], false);
    expect(new Set(await attempts(12, api))).toEqual(new Set(['service_failure']));
  });

  it('belongs to one client only', async () => {
    const api = await apiFor([failing], { failures: 1, openMs: 60_000 });
    await attempt(api);
    const { url: serviceUrl } = service;
    service.answers = [paid];
    const other = new PaymentsApi({
      serviceUrl,
      credentials: shopCredentials('test_shop', canaries.secretKey),
    });
    expect(await attempt(other)).toBe('answered');
  });
});
