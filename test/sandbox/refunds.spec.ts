import type { Sandbox } from '@holdfast/sandbox';
import { get, held, paid, post, receiver, refusal, started, type Json, type Reply } from './support.js';

const uuid = /^[0-9a-f-]{36}$/;
const roubles = (value: string) => ({ value, currency: 'RUB' });

const refund = (sandbox: Sandbox, key: string, id: string, value: string, more: Json = {}): Promise<Reply> =>
  post(sandbox, '/v3/refunds', key, { payment_id: id, amount: roubles(value), ...more });

describe('a refund', () => {
  it('succeeds at once and is answered as it can be read afterwards', async () => {
    const sandbox = await started();
    const id = await paid(sandbox);
    const { status, body } = await refund(sandbox, 'r', id, '200.00', {
      description: 'Too large',
      metadata: { reason: 'size' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(uuid),
      payment_id: id,
      status: 'succeeded',
      amount: roubles('200.00'),
      created_at: expect.any(String),
      description: 'Too large',
      metadata: { reason: 'size' },
      refund_authorization_details: { rrn: expect.stringMatching(/^\d{12}$/) },
    });
    expect((await get(sandbox, `/v3/refunds/${String(body['id'])}`)).body).toEqual(body);
  });

  it('counts in the payment, which stays refundable until all of it is refunded', async () => {
    const sandbox = await started();
    const id = await paid(sandbox);
    await refund(sandbox, 'r1', id, '234.50');
    expect((await get(sandbox, `/v3/payments/${id}`)).body).toMatchObject({
      status: 'succeeded',
      refunded_amount: roubles('234.50'),
      refundable: true,
    });
    await refund(sandbox, 'r2', id, '1000.00');
    expect((await get(sandbox, `/v3/payments/${id}`)).body).toMatchObject({
      refunded_amount: roubles('1234.50'),
      refundable: false,
    });
  });

  it('is booked in the ledger with its key', async () => {
    const sandbox = await started();
    const id = await paid(sandbox);
    const { body } = await refund(sandbox, 'r', id, '200.00');
    expect(sandbox.ledger.entries(id).at(-1)).toEqual({
      kind: 'refund',
      paymentId: id,
      refundId: body['id'],
      amount: '200.00',
      at: expect.any(String),
      requestKey: 'r',
    });
    expect(sandbox.ledger.totals(id)).toMatchObject({ captured: '1234.50', refunds: 1, refunded: '200.00' });
    expect(sandbox.ledger.requestCount({ endpoint: 'refund', requestKey: 'r', paymentId: id })).toBe(1);
  });

  it('is announced as refund.succeeded with the refund as its object', async () => {
    const shop = await receiver();
    const sandbox = await started({ notify: { url: shop.url } });
    const { body } = await refund(sandbox, 'r', await paid(sandbox), '200.00');
    await sandbox.clock.advance(0);
    expect(shop.received.at(-1)?.body).toEqual({
      type: 'notification',
      event: 'refund.succeeded',
      object: body,
    });
  });

  it('of a payment by wallet has no authorization', async () => {
    const sandbox = await started();
    const id = await paid(sandbox, { payment_method_data: { type: 'wallet' } });
    expect((await refund(sandbox, 'r', id, '1.00')).body).not.toHaveProperty('refund_authorization_details');
  });

  it('gives back no more than a partial capture took', async () => {
    const sandbox = await started();
    const id = await held(sandbox);
    await post(sandbox, `/v3/${id}/capture`, 'c', { amount: roubles('1000.00') });
    expect(await refund(sandbox, 'r1', id, '1000.01')).toMatchObject(refusal('amount'));
    expect((await refund(sandbox, 'r2', id, '1000.00')).status).toBe(200);
  });

  it('has one effect under one key, however often it is requested', async () => {
    const sandbox = await started();
    const id = await paid(sandbox);
    const replies = await Promise.all(Array.from({ length: 5 }, () => refund(sandbox, 'r', id, '300.00')));
    expect(new Set(replies.map(({ body }) => body['id'])).size).toBe(1);
    expect(sandbox.ledger.totals(id)).toMatchObject({ refunds: 1, refunded: '300.00' });
  });

  it('takes effect once if the answer was lost', async () => {
    const sandbox = await started();
    const id = await paid(sandbox);
    sandbox.faults.order({ on: 'refund', fault: 'error_500_after_commit' });
    expect((await refund(sandbox, 'r', id, '300.00')).status).toBe(500);
    expect(await refund(sandbox, 'r', id, '300.00')).toMatchObject({ body: { status: 'succeeded' } });
    expect(sandbox.ledger.totals(id)).toMatchObject({ refunds: 1, refunded: '300.00' });
  });

  it('is executed later after a 202', async () => {
    const sandbox = await started();
    const id = await paid(sandbox);
    sandbox.faults.order({ on: 'refund', fault: 'accepted', retry_after: 1000 });
    expect((await refund(sandbox, 'r', id, '300.00')).status).toBe(202);
    await sandbox.clock.advance(1000);
    expect(sandbox.ledger.totals(id)).toMatchObject({ refunds: 1, refunded: '300.00' });
  });

  it('requested at once under many keys never exceeds what was captured', async () => {
    const sandbox = await started();
    const id = await paid(sandbox);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => refund(sandbox, `r${index}`, id, '500.00')),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(sandbox.ledger.totals(id).refunded).toBe('1000.00');
  });
});
