import type { Sandbox } from '@holdfast/sandbox';
import { get, held, paid, pending, post, refusal, started, type Json, type Reply } from './support.js';

const day = 24 * 60 * 60 * 1000;
const roubles = (value: string) => ({ value, currency: 'RUB' });

const refund = (sandbox: Sandbox, key: string, id: string, value: string, more: Json = {}): Promise<Reply> =>
  post(sandbox, '/v3/refunds', key, { payment_id: id, amount: roubles(value), ...more });

describe('a refund is refused', () => {
  it.each<[string, Json, string]>([
    ['without a payment', { payment_id: undefined }, 'payment_id'],
    ['with a number for the payment', { payment_id: 7 }, 'payment_id'],
    ['without an amount', { amount: undefined }, 'amount'],
    ['of nothing', { amount: roubles('0.00') }, 'amount.value'],
    ['of one fractional digit', { amount: roubles('1.0') }, 'amount.value'],
    ['in another currency', { amount: { value: '1.00', currency: 'USD' } }, 'amount.currency'],
    ['with a long description', { description: 'd'.repeat(251) }, 'description'],
    ['with a number in metadata', { metadata: { n: 1 } }, 'metadata'],
  ])('%s', async (_what, overrides, parameter) => {
    const sandbox = await started();
    const id = await paid(sandbox);
    expect(await refund(sandbox, 'r', id, '1.00', overrides)).toMatchObject(refusal(parameter));
    expect(sandbox.refunds.list()).toEqual([]);
  });

  it('beyond what is left', async () => {
    const sandbox = await started();
    const id = await paid(sandbox);
    await refund(sandbox, 'r1', id, '234.50');
    expect(await refund(sandbox, 'r2', id, '1000.01')).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', description: 'Refund sum exceeded', parameter: 'amount' },
    });
  });

  it('once everything was refunded', async () => {
    const sandbox = await started();
    const id = await paid(sandbox);
    await refund(sandbox, 'r1', id, '1234.50');
    expect(await refund(sandbox, 'r2', id, '0.01')).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', description: 'Payment is already completely refunded' },
    });
  });

  it('for an unknown payment', async () => {
    const sandbox = await started();
    expect(await refund(sandbox, 'r', 'none', '1.00')).toMatchObject({
      status: 404,
      body: {
        code: 'not_found',
        description: expect.stringContaining('Payment not found or forbidden'),
        parameter: 'payment_id',
      },
    });
  });

  it('for a payment that is pending, held or canceled', async () => {
    const sandbox = await started();
    const canceled = await pending(sandbox);
    sandbox.payments.pay(canceled, { outcome: 'decline' });
    for (const id of [await pending(sandbox), await held(sandbox), canceled]) {
      expect(await refund(sandbox, `r ${id}`, id, '1.00')).toMatchObject({
        ...refusal('payment_id'),
        body: { description: 'Payment can not be refunded in current status' },
      });
    }
  });

  it('more than three years after the payment', async () => {
    const sandbox = await started({ startAt: new Date('2030-06-01T00:00:00.000Z') });
    const id = await paid(sandbox);
    await sandbox.clock.advance(3 * 365 * day);
    expect((await refund(sandbox, 'r1', id, '1.00')).status).toBe(200);
    await sandbox.clock.advance(2 * day);
    expect(await refund(sandbox, 'r2', id, '1.00')).toMatchObject(refusal('payment_id'));
  });

  it('by its id if nobody made it', async () => {
    const sandbox = await started();
    expect(await get(sandbox, '/v3/refunds/none')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  });
});
