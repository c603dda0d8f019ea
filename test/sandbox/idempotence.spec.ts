import { held, order, post, started } from './support.js';

const day = 24 * 60 * 60 * 1000;

describe('an Idempotence-Key', () => {
  it('returns the first answer again, whatever has happened since', async () => {
    const sandbox = await started();
    const first = await post(sandbox, '/v3/payments', 'k', order());
    sandbox.payments.pay(String(first.body['id']), { outcome: 'succeed' });
    expect(await post(sandbox, '/v3/payments', 'k', order())).toEqual(first);
    expect(sandbox.payments.list()).toHaveLength(1);
  });

  it('returns a refusal again', async () => {
    const sandbox = await started();
    const first = await post(sandbox, '/v3/payments', 'k', order({ capture: 'no' }));
    expect(first.status).toBe(400);
    expect(await post(sandbox, '/v3/payments', 'k', order({ capture: 'no' }))).toEqual(first);
  });

  it('returns the refusal of a capture again after a capture became possible', async () => {
    const sandbox = await started();
    const { body } = await post(sandbox, '/v3/payments', 'k', order());
    const path = `/v3/payments/${String(body['id'])}/capture`;
    const refused = await post(sandbox, path, 'c');
    sandbox.payments.pay(String(body['id']), { outcome: 'succeed' });
    expect(await post(sandbox, path, 'c')).toEqual(refused);
    expect((await post(sandbox, path, 'c2')).status).toBe(200);
  });

  it('is refused with another body or another path', async () => {
    const sandbox = await started();
    const id = await held(sandbox);
    await post(sandbox, '/v3/payments', 'k', order());
    for (const [path, body] of [
      ['/v3/payments', order({ description: 'other' })],
      [`/v3/payments/${id}/capture`, order()],
    ] as const) {
      expect(await post(sandbox, path, 'k', body)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', parameter: 'Idempotence-Key' },
      });
    }
    expect(sandbox.payments.list()).toHaveLength(2);
  });

  it('ignores the order of the fields', async () => {
    const sandbox = await started();
    const body = order({ capture: true, metadata: { a: '1', b: '2' } });
    const reversed = Object.fromEntries(
      Object.entries({ ...body, metadata: { b: '2', a: '1' } }).toReversed(),
    );
    const first = await post(sandbox, '/v3/payments', 'k', body);
    expect(await post(sandbox, '/v3/payments', 'k', reversed)).toEqual(first);
  });

  it('has one effect under two simultaneous requests', async () => {
    const sandbox = await started();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => post(sandbox, '/v3/payments', 'k', order())),
    );
    expect(new Set(replies.map(({ body }) => body['id'])).size).toBe(1);
    expect(sandbox.payments.list()).toHaveLength(1);
  });

  it('is forgotten 24 hours later by the sandbox clock', async () => {
    const sandbox = await started();
    const first = await post(sandbox, '/v3/payments', 'k', order());
    await sandbox.clock.advance(day - 60_000);
    expect((await post(sandbox, '/v3/payments', 'k', order())).body['id']).toBe(first.body['id']);
    await sandbox.clock.advance(60_000);
    expect((await post(sandbox, '/v3/payments', 'k', order())).body['id']).not.toBe(first.body['id']);
  });

  it.each([
    ['missing', ''],
    ['longer than 64 characters', 'k'.repeat(65)],
  ])('is refused if it is %s', async (_what, key) => {
    const sandbox = await started();
    expect(await post(sandbox, '/v3/payments', key, order())).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', parameter: 'Idempotence-Key' },
    });
    expect(sandbox.payments.list()).toEqual([]);
  });
});
