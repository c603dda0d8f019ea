import type { Sandbox } from '@holdfast/sandbox';
import { get, paid, refusal, started, type Json } from './support.js';

async function ids(sandbox: Sandbox, query: string): Promise<unknown[]> {
  const { body } = await get(sandbox, `/v3/refunds?${query}`);
  const items: Json[] = Array.isArray(body['items']) ? body['items'] : [];
  return items.map(({ id }) => id);
}

describe('the list of refunds', () => {
  it('filters by payment, status and time, newest first', async () => {
    const sandbox = await started();
    const [one, other] = [await paid(sandbox), await paid(sandbox)];
    const first = sandbox.refunds.make(one, '1.00');
    await sandbox.clock.advance(1000);
    sandbox.refunds.next({ status: 'pending' });
    const second = sandbox.refunds.make(one, '1.00');
    const third = sandbox.refunds.make(other, '1.00');
    expect(await ids(sandbox, '')).toEqual([third.id, second.id, first.id]);
    expect(await ids(sandbox, `payment_id=${one}`)).toEqual([second.id, first.id]);
    expect(await ids(sandbox, 'status=pending')).toEqual([second.id]);
    expect(await ids(sandbox, `created_at.lte=${first.created_at}`)).toEqual([first.id]);
    expect(await ids(sandbox, `created_at.gt=${first.created_at}`)).toEqual([third.id, second.id]);
  });

  it('is read page by page', async () => {
    const sandbox = await started();
    const id = await paid(sandbox);
    const made = Array.from({ length: 3 }, () => sandbox.refunds.make(id, '1.00').id).toReversed();
    const { body } = await get(sandbox, '/v3/refunds?limit=2');
    expect(body).toMatchObject({
      type: 'list',
      items: made.slice(0, 2).map((refundId) => ({ id: refundId })),
    });
    expect(await ids(sandbox, `limit=2&cursor=${String(body['next_cursor'])}`)).toEqual(made.slice(2));
  });

  it.each([
    ['limit=0', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['status=waiting_for_capture', 'status'],
    ['created_at.lt=tomorrow', 'created_at.lt'],
  ])('refuses %s', async (query, parameter) => {
    const sandbox = await started();
    expect(await get(sandbox, `/v3/refunds?${query}`)).toMatchObject(refusal(parameter));
  });
});
