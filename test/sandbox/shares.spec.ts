import type { Sandbox } from '@holdfast/sandbox';
import { basicOf, get, order, post, realShop, refusal, started, type Json, type Reply } from './support.js';

const authorization = basicOf(realShop);
const roubles = (value: string) => ({ value, currency: 'RUB' });
const selling = (): Promise<Sandbox> => started({ ...realShop, profile: 'yookassa' });

let keys = 0;
const send = (sandbox: Sandbox, path: string, body: Json): Promise<Reply> =>
  post(sandbox, `/v3/${path}`, `share-${(keys += 1)}`, body, authorization);
const create = (sandbox: Sandbox, more: Json) => send(sandbox, 'payments', order(more));
const read = async (sandbox: Sandbox, id: unknown) =>
  (await get(sandbox, `/v3/payments/${String(id)}`, authorization)).body;

const first = { account_id: '300200', amount: roubles('1000.00'), platform_fee_amount: roubles('10.00') };
const second = {
  account_id: '300201',
  amount: roubles('234.50'),
  description: 'Cups',
  metadata: { no: '7' },
};

describe('a payment that is shared out', () => {
  it('shows its transfers, each as far as the payment is', async () => {
    const sandbox = await selling();
    const { body } = await create(sandbox, { transfers: [first, second], capture: true });
    const shown = (status: string) => [
      { ...first, status },
      { ...second, status },
    ];
    expect(body['transfers']).toEqual(shown('pending'));
    sandbox.payments.pay(String(body['id']), { outcome: 'succeed' });
    expect((await read(sandbox, body['id']))['transfers']).toEqual(shown('succeeded'));
  });

  it('is shared out anew by a capture of a part, which keeps what was said of each transfer', async () => {
    const sandbox = await selling();
    const { body } = await create(sandbox, { transfers: [first, second] });
    sandbox.payments.pay(String(body['id']), { outcome: 'succeed' });
    const capture = (more: Json) =>
      send(sandbox, `payments/${String(body['id'])}/capture`, { amount: roubles('300.00'), ...more });
    expect(await capture({})).toMatchObject(refusal('transfers'));
    expect(await capture({ transfers: [second] })).toMatchObject(refusal('transfers'));
    const sums = [
      { account_id: '300200', amount: roubles('100.00') },
      { account_id: '300201', amount: roubles('200.00') },
    ];
    expect((await capture({ transfers: sums })).body['transfers']).toEqual([
      { ...sums[0], status: 'succeeded' },
      { ...second, ...sums[1], status: 'succeeded' },
    ]);
  });

  it('may name the gateway that it goes through, and shows it', async () => {
    const sandbox = await selling();
    const { body } = await create(sandbox, {
      recipient: { gateway_id: '7' },
      merchant_customer_id: 'buyer-1',
    });
    expect(await read(sandbox, body['id'])).toMatchObject({
      recipient: { account_id: realShop.shopId, gateway_id: '7' },
      merchant_customer_id: 'buyer-1',
    });
  });

  it('may belong to a deal that is open, and so does its refund', async () => {
    const sandbox = await selling();
    const { id } = sandbox.deals.create();
    const share = (value: string) => [{ type: 'payout', amount: roubles(value) }];
    const deal = { id, settlements: share('1000.00') };
    const { body } = await create(sandbox, { deal });
    expect(body['deal']).toEqual(deal);
    const paymentId = String(body['id']);
    sandbox.payments.pay(paymentId, { outcome: 'succeed' });
    const captured = { amount: roubles('1000.00'), deal: { settlements: share('900.00') } };
    expect((await send(sandbox, `payments/${paymentId}/capture`, captured)).body['deal']).toEqual({
      id,
      settlements: share('900.00'),
    });
    const back = { payment_id: paymentId, amount: roubles('100.00') };
    const refund = await send(sandbox, 'refunds', { ...back, deal: { refund_settlements: share('90.00') } });
    expect(refund.body['deal']).toEqual({ id, refund_settlements: share('90.00') });
    sandbox.deals.close(id);
    expect(await create(sandbox, { deal })).toMatchObject(refusal('deal.id'));
  });

  it('names in a refund the one store that gives the money back', async () => {
    const sandbox = await selling();
    const { body } = await create(sandbox, { transfers: [first, second], capture: true });
    sandbox.payments.pay(String(body['id']), { outcome: 'succeed' });
    const source = { account_id: '300200', amount: roubles('10.00'), platform_fee_amount: roubles('0.10') };
    const refund = (sources: unknown) =>
      send(sandbox, 'refunds', { payment_id: body['id'], amount: roubles('10.00'), sources });
    expect((await refund([source])).body['sources']).toEqual([source]);
    expect(await refund([source, source])).toMatchObject(refusal('sources'));
    expect((await refund([])).body).not.toHaveProperty('sources');
  });

  it.each<[string, Json, string]>([
    ['transfers of another sum', { transfers: [first] }, 'transfers'],
    [
      'a transfer to nobody',
      { transfers: [{ ...first, account_id: '' }, second] },
      'transfers[0].account_id',
    ],
    ['a transfer of nothing', { transfers: [first, { ...second, amount: {} }] }, 'transfers[1].amount.value'],
    ['a gateway without a name', { recipient: {} }, 'recipient.gateway_id'],
    ['a deal that there is not', { deal: { id: 'dl-1', settlements: [] } }, 'deal.id'],
  ])('is refused with %s', async (_what, more, parameter) => {
    expect(await create(await selling(), more)).toMatchObject(refusal(parameter));
  });

  it('is refused with the odd sums of a deal', async () => {
    const sandbox = await selling();
    const { id } = sandbox.deals.create();
    const by = (settlements: unknown) => create(sandbox, { deal: { id, settlements } });
    expect(await by([])).toMatchObject(refusal('deal.settlements'));
    const gift = { type: 'gift', amount: roubles('1.00') };
    expect(await by([gift])).toMatchObject(refusal('deal.settlements[0].type'));
  });

  it('of an old client may say that there are no transfers, by any method', async () => {
    const sandbox = await selling();
    const byLoan = { payment_method_data: { type: 'alfa_pay' }, capture: true, transfers: [] };
    const { status, body } = await create(sandbox, byLoan);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('transfers');
  });
});
