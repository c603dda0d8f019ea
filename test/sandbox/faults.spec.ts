import type { FaultOrder, Sandbox } from '@holdfast/sandbox';
import { basic, control, get, held, order, pending, post, receiver, started } from './support.js';

const create = (sandbox: Sandbox) => post(sandbox, '/v3/payments', 'k', order());

describe('a fault on a request', () => {
  it.each([
    ['reset_before_commit', 0],
    ['reset_after_commit', 1],
  ] as const)('%s breaks the connection with %i payments made', async (fault, made) => {
    const sandbox = await started();
    sandbox.faults.order({ on: 'create', fault });
    await expect(create(sandbox)).rejects.toThrow('fetch failed');
    expect(sandbox.payments.list()).toHaveLength(made);
    expect((await create(sandbox)).status).toBe(200);
    expect(sandbox.payments.list()).toHaveLength(1);
  });

  it.each([
    ['error_500_before_commit', 0],
    ['error_500_after_commit', 1],
  ] as const)('%s answers 500 with %i payments made, and the retry succeeds', async (fault, made) => {
    const sandbox = await started();
    sandbox.faults.order({ on: 'create', fault });
    expect(await create(sandbox)).toMatchObject({ status: 500, body: { code: 'internal_server_error' } });
    expect(sandbox.payments.list()).toHaveLength(made);
    expect(await create(sandbox)).toMatchObject({ status: 200, body: { status: 'pending' } });
    expect(sandbox.payments.list()).toHaveLength(1);
  });

  it('too_many_requests answers 429 as often as ordered and commits nothing', async () => {
    const sandbox = await started();
    const id = await held(sandbox);
    sandbox.faults.order({ on: 'capture', fault: 'too_many_requests', times: 2, retry_after: 1500 });
    for (const _ of [1, 2]) {
      expect(await post(sandbox, `/v3/${id}/capture`, 'c')).toMatchObject({
        status: 429,
        body: { type: 'error', code: 'too_many_requests', retry_after: 1500 },
      });
    }
    expect(sandbox.payments.get(id).status).toBe('waiting_for_capture');
    expect((await post(sandbox, `/v3/${id}/capture`, 'c')).status).toBe(200);
  });

  it('forbidden answers 403 and commits nothing', async () => {
    const sandbox = await started();
    sandbox.faults.order({ on: 'create', fault: 'forbidden' });
    expect(await create(sandbox)).toMatchObject({ status: 403, body: { type: 'error', code: 'forbidden' } });
    expect(sandbox.payments.list()).toEqual([]);
  });

  it('accepted answers 202 and executes the request at the retry, once', async () => {
    const sandbox = await started();
    sandbox.faults.order({ on: 'create', fault: 'accepted', retry_after: 1800 });
    expect(await create(sandbox)).toMatchObject({
      status: 202,
      body: { type: 'error', code: 'request_accepted', retry_after: 1800 },
    });
    expect(sandbox.payments.list()).toEqual([]);
    expect((await create(sandbox)).status).toBe(200);
    await sandbox.clock.advance(1800);
    expect(sandbox.payments.list()).toHaveLength(1);
  });

  it('accepted executes the request by itself when retry_after is over', async () => {
    const sandbox = await started();
    const id = await held(sandbox);
    sandbox.faults.order({ on: 'cancel', fault: 'accepted', retry_after: 60_000 });
    await post(sandbox, `/v3/${id}/cancel`, 'x');
    expect(sandbox.payments.get(id).status).toBe('waiting_for_capture');
    await sandbox.clock.advance(60_000);
    expect(sandbox.payments.get(id).status).toBe('canceled');
    expect(sandbox.ledger.entries(id).at(-1)).toMatchObject({ kind: 'cancel', requestKey: 'x' });
  });

  it('truncated_body ends the answer half-way, with the payment made', async () => {
    const sandbox = await started();
    sandbox.faults.order({ on: 'create', fault: 'truncated_body' });
    const response = await fetch(`${sandbox.url}/v3/payments`, {
      method: 'POST',
      headers: { Authorization: basic, 'Idempotence-Key': 'k', 'Content-Type': 'application/json' },
      body: JSON.stringify(order()),
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
    expect(sandbox.payments.list()).toHaveLength(1);
  });

  it('stall holds a request until the faults are deleted, and it takes effect although its client left', async () => {
    const sandbox = await started();
    sandbox.faults.order({ on: 'create', fault: 'stall' });
    const leave = new AbortController();
    const request = fetch(`${sandbox.url}/v3/payments`, {
      method: 'POST',
      headers: { Authorization: basic, 'Idempotence-Key': 'k', 'Content-Type': 'application/json' },
      body: JSON.stringify(order()),
      signal: leave.signal,
    });
    while (sandbox.ledger.requestCount({ endpoint: 'create' }) === 0) await turn();
    leave.abort();
    await expect(request).rejects.toThrow('aborted');
    expect(sandbox.payments.list()).toEqual([]);
    await control(sandbox, '/faults', undefined, 'DELETE');
    while (sandbox.payments.list().length === 0) await turn();
    expect((await create(sandbox)).body['id']).toBe(sandbox.payments.list()[0]?.id);
  });

  it('stall ends by itself after ms', async () => {
    const sandbox = await started();
    sandbox.faults.order({ on: 'read', fault: 'stall', ms: 20 });
    const id = await pending(sandbox);
    expect((await get(sandbox, `/v3/payments/${id}`)).body).toMatchObject({ id, status: 'pending' });
  });

  it('stall_after_commit gives a stale answer to a read', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    sandbox.faults.order({ on: 'read', fault: 'stall_after_commit' });
    const read = get(sandbox, `/v3/payments/${id}`);
    while (sandbox.ledger.requestCount({ endpoint: 'read' }) === 0) await turn();
    sandbox.payments.pay(id, { outcome: 'succeed' });
    sandbox.faults.clear();
    expect((await read).body['status']).toBe('pending');
  });

  it('unknown_fields gives every object of an answer a field more, but not the metadata of the merchant', async () => {
    const sandbox = await started();
    const id = await pending(sandbox, { metadata: { order: '17' } });
    sandbox.faults.order({ on: 'read', fault: 'unknown_fields' });
    sandbox.faults.order({ on: 'list', fault: 'unknown_fields' });
    const read = () => get(sandbox, `/v3/payments/${id}`);
    const { body } = await read();
    const later = { added_later: expect.anything() };
    const odd = { amount: later, confirmation: later, recipient: later, metadata: { order: '17' }, ...later };
    expect(body).toMatchObject(odd);
    expect(body['metadata']).toEqual({ order: '17' });
    expect((await get(sandbox, '/v3/payments')).body).toMatchObject({ items: [odd], ...later });
    expect((await read()).body).not.toHaveProperty('added_later');
  });

  it.each<[FaultOrder, string]>([
    [{ on: 'list', fault: 'no_date' }, 'none'],
    [{ on: 'list', fault: 'wrong_date', ms: -86_400_000 }, 'Tue, 01 Jan 2030 00:0'],
  ])('%j is still answered', async (fault, date) => {
    const sandbox = await started({ startAt: new Date('2030-01-02T00:00:00.000Z') });
    const list = () => fetch(`${sandbox.url}/v3/payments`, { headers: { Authorization: basic } });
    sandbox.faults.order(fault);
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Date') ?? 'none').toContain(date);
    expect((await list()).headers.get('Date')).toContain('Wed, 02 Jan 2030 00:0');
  });

  it('hits only the endpoint it was ordered for', async () => {
    const sandbox = await started();
    sandbox.faults.order({ on: 'list', fault: 'error_500_before_commit' });
    const id = await pending(sandbox);
    expect((await get(sandbox, `/v3/payments/${id}`)).status).toBe(200);
    expect((await get(sandbox, '/v3/payments')).status).toBe(500);
    expect((await get(sandbox, '/v3/payments')).status).toBe(200);
  });

  it('hits only the requests for the object it was ordered for', async () => {
    const sandbox = await started();
    const [one, other] = [await pending(sandbox), await pending(sandbox)];
    sandbox.faults.order({ on: 'read', object: one, fault: 'error_500_before_commit', times: 2 });
    const status = async (id: string) => (await get(sandbox, `/v3/payments/${id}`)).status;
    expect(await status(other)).toBe(200);
    expect([await status(one), await status(one), await status(one)]).toEqual([500, 500, 200]);
  });

  it('is removed when the faults are deleted', async () => {
    const sandbox = await started();
    await control(sandbox, '/faults', { on: 'create', fault: 'error_500_before_commit', times: 9 });
    expect((await create(sandbox)).status).toBe(500);
    await control(sandbox, '/faults', undefined, 'DELETE');
    expect((await create(sandbox)).status).toBe(200);
  });
});

describe('a fault on notifications', () => {
  it('drop loses it for good', async () => {
    const { shop, sandbox } = await shopAndSandbox({ on: 'notification', fault: 'drop' });
    const id = await held(sandbox);
    await sandbox.clock.advance(24 * 60 * 60 * 1000);
    expect(shop.events()).toEqual([]);
    expect(sandbox.notifications.list()).toMatchObject([{ objectId: id, done: true, attempts: [] }]);
    await post(sandbox, `/v3/${id}/capture`, 'c');
    await sandbox.clock.advance(0);
    expect(shop.events()).toEqual(['payment.succeeded']);
  });

  it('delay sends it later', async () => {
    const { shop, sandbox } = await shopAndSandbox({ on: 'notification', fault: 'delay', ms: 60_000 });
    await held(sandbox);
    await sandbox.clock.advance(30_000);
    expect(shop.events()).toEqual([]);
    await sandbox.clock.advance(30_000);
    expect(shop.events()).toEqual(['payment.waiting_for_capture']);
  });

  it('duplicate sends copies too', async () => {
    const { shop, sandbox } = await shopAndSandbox({ on: 'notification', fault: 'duplicate', copies: 4 });
    await held(sandbox);
    await sandbox.clock.advance(0);
    expect(shop.received).toHaveLength(5);
    expect(new Set(shop.received.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('reorder holds one back until the next one is sent', async () => {
    const { shop, sandbox } = await shopAndSandbox({ on: 'notification', fault: 'reorder' });
    const id = await held(sandbox);
    await sandbox.clock.advance(1000);
    expect(shop.events()).toEqual([]);
    await post(sandbox, `/v3/${id}/capture`, 'c');
    await sandbox.clock.advance(0);
    expect(shop.events()).toEqual(['payment.succeeded', 'payment.waiting_for_capture']);
  });

  it('reorder is not ended by a repeat of an earlier one', async () => {
    const shop = await receiver((count) => (count === 1 ? 503 : 200));
    const sandbox = await started({ notify: { url: shop.url } });
    const id = await held(sandbox);
    await sandbox.clock.advance(0);
    sandbox.faults.order({ on: 'notification', fault: 'reorder' });
    await post(sandbox, `/v3/${id}/capture`, 'c');
    await sandbox.clock.advance(10_000);
    expect(shop.events()).toEqual(['payment.waiting_for_capture', 'payment.waiting_for_capture']);
    await held(sandbox);
    await sandbox.clock.advance(0);
    expect(shop.events().slice(2)).toEqual(['payment.waiting_for_capture', 'payment.succeeded']);
  });

  it('reorder sends the held notification when the faults are deleted', async () => {
    const { shop, sandbox } = await shopAndSandbox({ on: 'notification', fault: 'reorder' });
    await held(sandbox);
    await control(sandbox, '/faults', undefined, 'DELETE');
    await sandbox.clock.advance(0);
    expect(shop.events()).toEqual(['payment.waiting_for_capture']);
  });
});

describe('a fault order', () => {
  it.each([
    [{}, 'on must be one of'],
    [{ on: 'everything', fault: 'stall' }, 'on must be one of'],
    [{ on: 'create', fault: 'drop' }, 'fault on create must be one of'],
    [{ on: 'create', fault: 'toString' }, 'fault on create must be one of'],
    [{ on: 'notification', fault: 'stall' }, 'fault on notification must be one of'],
    [{ on: 'read', fault: 'accepted' }, 'accepted is possible on'],
    [{ on: 'create', fault: 'stall', times: 0 }, 'times must be a whole number'],
    [{ on: 'create', fault: 'stall', ms: '5' }, 'ms must be a whole number'],
    [{ on: 'create', fault: 'truncated_body', ms: 5 }, 'truncated_body does not take ms'],
    [{ on: 'notification', fault: 'delay' }, 'delay needs ms'],
    [{ on: 'list', fault: 'wrong_date' }, 'wrong_date needs ms'],
    [{ on: 'create', fault: 'stall', ms: -1 }, 'ms must be a whole number'],
    [{ on: 'create', fault: 'stall', time: 5 }, 'Unknown field time'],
  ])('%j is refused', async (body, message) => {
    const sandbox = await started();
    expect(await control(sandbox, '/faults', body)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(message) },
    });
  });
});

/** Lets the servers of this process work. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function shopAndSandbox(fault: FaultOrder) {
  const shop = await receiver();
  const sandbox = await started({ notify: { url: shop.url } });
  sandbox.faults.order(fault);
  return { shop, sandbox };
}
