import type { Sandbox } from '@holdfast/sandbox';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { get, paid, post, receiver, refusal, started, type Json, type Reply } from './support.js';

const DAY_MS = 86_400_000;
const roubles = (value: string) => ({ value, currency: 'RUB' });

const refund = (sandbox: Sandbox, key: string, id: string, value: string, more: Json = {}): Promise<Reply> =>
  post(sandbox, '/v3/refunds', key, { payment_id: id, amount: roubles(value), ...more });

describe('a refund that stays pending', () => {
  it('moves no money, but reserves it, until it is finished', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    const id = await paid(sandbox);
    sandbox.refunds.next({ status: 'pending' });
    const { body } = await refund(sandbox, 'r1', id, '1000.00');
    expect(body['status']).toBe('pending');
    expect(sandbox.payments.get(id).refunded_amount).toEqual(roubles('0.00'));
    expect(await refund(sandbox, 'r2', id, '234.51')).toMatchObject(refusal('amount'));
    expect(sandbox.refunds.finish(String(body['id']), 'succeeded').status).toBe('succeeded');
    expect(sandbox.payments.get(id).refunded_amount).toEqual(roubles('1000.00'));
    await sandbox.clock.advance(0);
    expect(shop.events()).toEqual(['payment.succeeded', 'refund.succeeded']);
  });

  it('ends by itself within its term of three days, in the next run of a sandbox too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-sandbox-spec-'));
    const kept = { stateFile: join(folder, 'kept.state') };
    const shop = await receiver();
    const first = await started({ ...kept, notify: { url: shop.url } });
    const id = await paid(first);
    const ordered = async (sandbox: Sandbox) => {
      sandbox.refunds.next({ status: 'pending' });
      return sandbox.refunds.make(id, '10.00').id;
    };
    const early = await ordered(first);
    await first.clock.advance(3 * DAY_MS - 60_000);
    const late = await ordered(first);
    expect(first.refunds.get(early).status).toBe('pending');
    await first.clock.advance(60_000);
    expect(first.refunds.get(early).status).toBe('succeeded');
    expect(first.refunds.get(late).status).toBe('pending');
    expect(shop.events()).toEqual(['payment.succeeded', 'refund.succeeded']);
    expect(() => first.refunds.finish(early, 'canceled')).toThrow('is succeeded, not pending');
    await first.close();

    const second = await started(kept);
    await second.clock.advance(3 * DAY_MS);
    expect(second.refunds.get(late).status).toBe('succeeded');
    expect(second.payments.get(id).refunded_amount).toEqual(roubles('20.00'));
    await second.close();
    await rm(folder, { recursive: true });
  });

  it('can end canceled, without an event, and frees what it reserved', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    const id = await paid(sandbox);
    sandbox.refunds.next({ status: 'pending' });
    const { body } = await refund(sandbox, 'r1', id, '1234.50');
    expect(sandbox.refunds.finish(String(body['id']), 'canceled', 'insufficient_funds')).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'insufficient_funds' },
    });
    await sandbox.clock.advance(0);
    expect(shop.events()).toEqual(['payment.succeeded']);
    expect((await refund(sandbox, 'r2', id, '1234.50')).body['status']).toBe('succeeded');
  });

  it('can be canceled at once', async () => {
    const sandbox = await started();
    const id = await paid(sandbox);
    sandbox.refunds.next({ status: 'canceled', reason: 'general_decline' });
    expect((await refund(sandbox, 'r', id, '1.00')).body).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'general_decline' },
    });
    expect(sandbox.ledger.totals(id).refunds).toBe(0);
  });

  it('cannot be finished twice, nor if it does not exist', async () => {
    const sandbox = await started();
    const { body } = await refund(sandbox, 'r', await paid(sandbox), '1.00');
    expect(() => sandbox.refunds.finish(String(body['id']), 'succeeded')).toThrow('not pending');
    expect(() => sandbox.refunds.finish('none', 'succeeded')).toThrow('No refund none');
    expect(() => sandbox.refunds.get('none')).toThrow('No refund none');
  });
});

describe('a refund made in the Merchant Profile', () => {
  it('gives back all that is left, without a request', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    const id = await paid(sandbox);
    sandbox.refunds.make(id, '34.50');
    const made = sandbox.refunds.make(id);
    expect(made).toMatchObject({ payment_id: id, status: 'succeeded', amount: roubles('1200.00') });
    expect(sandbox.ledger.entries(id).at(-1)).toMatchObject({ kind: 'refund', requestKey: null });
    const { body } = await get(sandbox, `/v3/refunds?payment_id=${id}`);
    expect(body).toMatchObject({ items: [made, { amount: roubles('34.50') }] });
    await sandbox.clock.advance(0);
    expect(shop.events()).toEqual(['payment.succeeded', 'refund.succeeded', 'refund.succeeded']);
  });

  it('gives back no more than pending refunds leave', async () => {
    const sandbox = await started();
    const id = await paid(sandbox);
    sandbox.refunds.next({ status: 'pending' });
    sandbox.refunds.make(id, '34.50');
    expect(sandbox.refunds.make(id).amount).toEqual(roubles('1200.00'));
    expect(() => sandbox.refunds.make(id)).toThrow('Refund sum exceeded');
  });

  it('is refused if the REST API would refuse it', async () => {
    const sandbox = await started();
    const id = await paid(sandbox);
    expect(() => sandbox.refunds.make('none')).toThrow('No payment none');
    expect(() => sandbox.refunds.make(id, '1')).toThrow('amount must be a text such as');
    expect(() => sandbox.refunds.make(id, '1234.51')).toThrow('Refund sum exceeded');
  });
});
