import {
  PaymentsApi,
  shopCredentials,
  tokenCredentials,
  type Credentials,
  type PaymentsApiOptions,
} from '@holdfast/payments/client';
import { startOddService, type OddAnswer, type OddService } from '../support/odd-service.js';

const amount = { value: '10.00', currency: 'RUB' as const };
const payment = { id: 'p-1', status: 'succeeded', amount };
const oldKey = shopCredentials('test_shop', 'old_key');
const newKey = shopCredentials('test_shop', 'new_key');
const inClear: object = { secretKey: 'in clear' };
const said = (key: string) => `Basic ${Buffer.from(`test_shop:${key}`).toString('base64')}`;
const unauthorized: OddAnswer = [401, { type: 'error', code: 'invalid_credentials' }];

/** A service that knows these keys. */
const knowing =
  (...keys: string[]): OddAnswer =>
  ({ headers }, response) => {
    const known = keys.some((key) => headers.authorization === said(key));
    const [status, body] = known ? [200, payment] : unauthorized;
    response.writeHead(status).end(JSON.stringify(body));
  };

let service: OddService;
afterEach(() => service.close());

async function apiFor(
  answers: OddAnswer[],
  credentials: readonly Credentials[],
  options: Partial<PaymentsApiOptions> = {},
): Promise<PaymentsApi> {
  service = await startOddService(...answers);
  return new PaymentsApi({ serviceUrl: service.url, credentials: () => credentials, ...options });
}

const create = (api: PaymentsApi) =>
  api.sendRecorded({ kind: 'create' }, { body: '{}', idempotenceKey: 'k' });
const keysSent = () => service.received.map(({ headers }) => headers.authorization);

describe('of several credentials', () => {
  it('the next is sent within the same attempt if one is refused, with the same key and bytes', async () => {
    const seen: string[] = [];
    const api = await apiFor([knowing('old_key')], [newKey, oldKey], {
      hooks: {
        onFailure: ({ code, attempt }) => void seen.push(`${attempt} ${code}`),
        onAnswer: ({ httpStatus, attempt }) => void seen.push(`${attempt} ${httpStatus}`),
      },
    });
    expect(await create(api)).toMatchObject({ id: 'p-1' });
    expect(keysSent()).toEqual([said('new_key'), said('old_key')]);
    const sent = service.received.map(({ body, headers }) => [body, headers['idempotence-key']]);
    expect(sent).toEqual([
      ['{}', 'k'],
      ['{}', 'k'],
    ]);
    expect(seen).toEqual(['1 service_credentials', '1 200']);
  });

  it('the one that worked last is tried first', async () => {
    const api = await apiFor([knowing('old_key')], [newKey, oldKey]);
    await create(api);
    await create(api);
    service.answers = [knowing('new_key')];
    await create(api);
    await create(api);
    expect(keysSent()).toEqual(['new_key', 'old_key', 'old_key', 'old_key', 'new_key', 'new_key'].map(said));
  });

  it('all must be refused for the request to be refused', async () => {
    const api = await apiFor([unauthorized], [newKey, oldKey]);
    await expect(create(api)).rejects.toMatchObject({ code: 'service_credentials', outcome: 'refused' });
    expect(service.received).toHaveLength(2);
  });

  it.each<[string, OddAnswer, object]>([
    ['is lost', (request) => request.socket.destroy(), { code: 'service_network', outcome: 'unknown' }],
    ['is a 403', [403, { code: 'forbidden' }], { code: 'service_forbidden', outcome: 'refused' }],
  ])('the answer to the last one counts if it %s', async (_name, answer, expected) => {
    const api = await apiFor([unauthorized, answer], [newKey, oldKey]);
    await expect(create(api)).rejects.toMatchObject(expected);
  });

  it.each<[string, OddAnswer]>([
    ['is lost', (request) => request.socket.destroy()],
    ['is a 403', [403, { code: 'forbidden' }]],
    ['is a 401 that is not the service’s own', [401, 'a firewall']],
  ])('the next is not tried if the answer %s, because only a 401 is about the key', async (_name, answer) => {
    const api = await apiFor([answer], [newKey, oldKey]);
    await expect(create(api)).rejects.toThrow(/^POST /);
    expect(service.received).toHaveLength(1);
  });

  it('the refused ones open no circuit', async () => {
    const api = await apiFor([knowing('old_key')], [newKey, oldKey], {
      circuit: { failures: 1, openMs: 60_000 },
    });
    await create(api);
    service.answers = [knowing('new_key')];
    expect(await create(api)).toMatchObject({ id: 'p-1' });
  });

  it('each must be a token if the request needs one', async () => {
    const api = await apiFor([[200, {}]], [tokenCredentials('token'), oldKey]);
    await expect(api.fetchStore()).rejects.toMatchObject({ code: 'service_token_required' });
    expect(service.received).toEqual([]);
  });

  it.each<[string, readonly Credentials[]]>([
    ['none', []],
    ['an invalid one', [oldKey, Object.assign({ ...oldKey }, inClear)]],
  ])('there must be at least one, and nothing else: %s', async (_name, given) => {
    const api = await apiFor([[200, payment]], given);
    await expect(create(api)).rejects.toMatchObject({ field: 'credentials' });
    expect(service.received).toEqual([]);
  });
});
