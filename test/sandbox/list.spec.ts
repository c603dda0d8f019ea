import type { Sandbox } from '@holdfast/sandbox';
import { get, held, pending, post, started, type Json } from './support.js';

async function ids(sandbox: Sandbox, query = ''): Promise<{ ids: unknown[]; next: unknown }> {
  const { body } = await get(sandbox, `/v3/payments${query}`);
  expect(body['type']).toBe('list');
  const items: Json[] = Array.isArray(body['items']) ? body['items'] : [];
  return { ids: items.map(({ id }) => id), next: body['next_cursor'] };
}

async function several(sandbox: Sandbox, count: number): Promise<string[]> {
  const made: string[] = [];
  for (let index = 0; index < count; index += 1) made.unshift(await pending(sandbox));
  return made;
}

describe('the list of payments', () => {
  it('shows ten, newest first, and the rest by the cursor', async () => {
    const sandbox = await started();
    const newestFirst = await several(sandbox, 12);
    const first = await ids(sandbox);
    expect(first.ids).toEqual(newestFirst.slice(0, 10));
    await pending(sandbox);
    const second = await ids(sandbox, `?cursor=${String(first.next)}`);
    expect(second).toEqual({ ids: newestFirst.slice(10), next: undefined });
  });

  it('has no next_cursor if the page is exactly full', async () => {
    const sandbox = await started();
    await several(sandbox, 3);
    expect((await ids(sandbox, '?limit=3')).next).toBeUndefined();
    expect((await ids(sandbox, '?limit=2')).next).toEqual(expect.any(String));
  });

  it('filters by status and by method', async () => {
    const sandbox = await started();
    const [third, second, first] = await several(sandbox, 3);
    sandbox.payments.pay(String(first), { outcome: 'succeed' });
    sandbox.payments.pay(String(second), { outcome: 'succeed', method: 'wallet' });
    expect((await ids(sandbox, '?status=pending')).ids).toEqual([third]);
    expect((await ids(sandbox, '?status=waiting_for_capture')).ids).toEqual([second, first]);
    expect((await ids(sandbox, '?payment_method=wallet')).ids).toEqual([second]);
  });

  it('filters by time, with and without the bound itself', async () => {
    const sandbox = await started();
    const made: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      made.unshift(await pending(sandbox));
      await sandbox.clock.advance(1000);
    }
    const [third, second, first] = made;
    const at = encodeURIComponent(sandbox.payments.get(String(second)).created_at);
    expect((await ids(sandbox, `?created_at.gte=${at}`)).ids).toEqual([third, second]);
    expect((await ids(sandbox, `?created_at.gt=${at}`)).ids).toEqual([third]);
    expect((await ids(sandbox, `?created_at.lte=${at}`)).ids).toEqual([second, first]);
    expect((await ids(sandbox, `?created_at.lt=${at}`)).ids).toEqual([first]);
    expect((await ids(sandbox, `?created_at.gte=${at}&created_at.lt=${at}`)).ids).toEqual([]);
    expect((await ids(sandbox, `?captured_at.gte=${at}`)).ids).toEqual([]);
  });

  it('filters by the time of the capture, which a payment may not have', async () => {
    const sandbox = await started();
    const [first, second] = [await held(sandbox), await held(sandbox)];
    for (const id of [first, second]) {
      await sandbox.clock.advance(1000);
      await post(sandbox, `/v3/${id}/capture`, id);
    }
    await pending(sandbox);
    const at = String(sandbox.payments.get(first).captured_at);
    expect((await ids(sandbox, `?captured_at.gte=${at}`)).ids).toEqual([second, first]);
    expect((await ids(sandbox, `?captured_at.gt=${at}`)).ids).toEqual([second]);
    expect((await ids(sandbox, `?captured_at.lte=${at}`)).ids).toEqual([first]);
    expect((await ids(sandbox, `?captured_at.lt=${at}`)).ids).toEqual([]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['status=paid', 'status'],
    ['payment_method=cash', 'payment_method'],
    ['created_at.gte=yesterday', 'created_at.gte'],
    ['captured_at.lt=tomorrow', 'captured_at.lt'],
    ['limit=1&limit=2', 'limit'],
  ])('refuses %s', async (query, parameter) => {
    const sandbox = await started();
    expect(await get(sandbox, `/v3/payments?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', parameter },
    });
  });
});
