import { jest } from '@jest/globals';
import { getRepositoryToken } from '@nestjs/typeorm';
import { randomUUID } from 'node:crypto';
import type { Repository } from 'typeorm';

import { ShopOrder } from '../../src/orders/shop-order.entity.js';
import { Buyer } from '../support/buyer.js';
import { eventually } from '../support/eventually.js';
import { hasty } from '../support/payments-host.js';
import { startTestShop, type TestShop } from '../support/shop.js';
import { Staff } from '../support/staff.js';

const text = async (answer: Response) => (await answer.text()).replaceAll('\u00a0', ' ');

describe('a refund by the shop’s staff', () => {
  let test: TestShop;
  let buyer: Buyer;
  let staff: Staff;
  let atOtherReplica: Staff;
  beforeAll(async () => {
    test = await startTestShop();
    buyer = new Buyer(test.shop.url);
    staff = new Staff(test.shop.url);
    atOtherReplica = new Staff((await test.addReplica()).url);
  });
  afterAll(() => test.close());
  afterEach(() => test.sandbox.faults.clear());

  const becomes = (reference: string, state: string) => staff.orderBecomes(reference, state);

  /** Milk Oolong for 1 234,50 ₽. */
  async function paidOrder(): Promise<{ reference: string; serviceId: string }> {
    const reference = await buyer.newReference('milk-oolong');
    await buyer.checkOut(reference, 'milk-oolong');
    const serviceId = (await staff.order(reference)).payments[0]?.serviceId ?? '';
    test.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    await becomes(reference, 'paid');
    return { reference, serviceId };
  }

  const refundedInLedger = (serviceId: string) => {
    const { refunds, refunded } = test.sandbox.ledger.totals(serviceId);
    return { refunds, refunded };
  };

  it('that is handled while the page is being read leaves a page that reloads itself', async () => {
    const { reference } = await paidOrder();
    const refundKey = await staff.refundKey(reference);
    const orders = test.shop.app.get<Repository<ShopOrder>>(getRepositoryToken(ShopOrder), { strict: false });
    const read = orders.findOneBy.bind(orders);
    const spy = jest.spyOn(orders, 'findOneBy').mockImplementationOnce(async (where) => {
      const order = await read(where);
      await atOtherReplica.refund(reference, refundKey, '234,50');
      await eventually(
        () => atOtherReplica.order(reference),
        ({ state }) => state === 'partially_refunded',
      );
      return order;
    });
    expect(await text(await staff.open(`/staff/orders/${reference}`))).toContain('data-standing="settling"');
    spy.mockRestore();
    expect(await text(await staff.open(`/staff/orders/${reference}`))).toContain(
      'data-standing="partially_refunded"',
    );
  });

  it('gives back a part, then the rest, and the order follows', async () => {
    const { reference, serviceId } = await paidOrder();
    const first = await staff.refund(reference, await staff.refundKey(reference), '234,50');
    expect([first.status, first.headers.get('location')]).toEqual([303, `/staff/orders/${reference}`]);
    const partly = await becomes(reference, 'partially_refunded');
    expect(partly.money).toMatchObject({ paid: { value: '1234.50' }, refunded: { value: '234.50' } });
    const page = await text(await staff.open(`/staff/orders/${reference}`));
    expect(page).toContain('Partly refunded');
    expect(page).toContain('Up to 1 000,00 ₽');

    await staff.refund(reference, await staff.refundKey(reference), '1 000,00 ₽');
    const wholly = await becomes(reference, 'refunded');
    const refunds = wholly.effects.filter(({ effect }) => effect === 'refunded');
    expect(refunds.map(({ refundedMinor }) => refundedMinor)).toEqual([23_450, 100_000]);
    expect(refunds.map(({ refundId }) => refundId)).toEqual(wholly.payments[0]?.refunds.map(({ id }) => id));
    expect(refundedInLedger(serviceId)).toEqual({ refunds: 2, refunded: '1234.50' });
    const last = await text(await staff.open(`/staff/orders/${reference}`));
    expect(last).toContain('The whole amount is on its way back');
    expect(last).not.toContain('name="refundKey"');
  });

  it('that takes a while is shown to the buyer before it is made', async () => {
    const { reference } = await paidOrder();
    test.sandbox.refunds.next({ status: 'pending' });
    await staff.refund(reference, await staff.refundKey(reference), '234,50');
    const page = await text(await staff.open(`/staff/orders/${reference}`));
    expect(page).toMatch(/<dt>Refund on its way<\/dt>\s*<dd>234,50 ₽<\/dd>/);
    const [refund] = test.sandbox.refunds.list();
    test.sandbox.refunds.finish(refund?.id ?? '', 'succeeded');
    await becomes(reference, 'partially_refunded');
    const later = await text(await staff.open(`/staff/orders/${reference}`));
    expect(later).not.toContain('<dt>Refund on its way</dt>');
  });

  it('is one refund, however often its form is sent, and to whichever replica', async () => {
    const { reference, serviceId } = await paidOrder();
    const key = await staff.refundKey(reference);
    const answers = await Promise.all(
      [staff, atOtherReplica, staff, atOtherReplica].map((person) =>
        person.refund(reference, key, '1234.50'),
      ),
    );
    const again = await staff.refund(reference, key, '1234.50');
    expect([...answers, again].map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
    expect((await becomes(reference, 'refunded')).payments[0]?.refunds).toHaveLength(1);
    expect(refundedInLedger(serviceId)).toEqual({ refunds: 1, refunded: '1234.50' });
  });

  it('of more than is left is not made, and the form says how much is left', async () => {
    const { reference, serviceId } = await paidOrder();
    const key = await staff.refundKey(reference);
    await atOtherReplica.refund(reference, await atOtherReplica.refundKey(reference), '1000');
    await becomes(reference, 'partially_refunded');

    const refused = await staff.refund(reference, key, '500');
    const page = await text(refused);
    expect(refused.status).toBe(422);
    expect(page).toContain('Only 234,50 ₽ is left to refund.');
    expect(page).toContain(`value="${key}"`);
    expect(page).toContain('value="500"');
    expect(page).not.toContain('http-equiv="refresh"');

    expect((await staff.refund(reference, key, '234.5')).status).toBe(303);
    await becomes(reference, 'refunded');
    expect(refundedInLedger(serviceId)).toEqual({ refunds: 2, refunded: '1234.50' });
  });

  it('made in two windows of two replicas at the same moment never gives back more than was paid', async () => {
    const { reference, serviceId } = await paidOrder();
    const [here, there] = [await staff.refundKey(reference), await atOtherReplica.refundKey(reference)];
    const answers = await Promise.all([
      staff.refund(reference, here, '1234,50'),
      atOtherReplica.refund(reference, there, '1234,50'),
    ]);
    await becomes(reference, 'refunded');
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(refundedInLedger(serviceId)).toEqual({ refunds: 1, refunded: '1234.50' });
    const places = answers.map(({ headers }) => headers.get('location') ?? '');
    expect(places).toContain(`/staff/orders/${reference}`);
    // The later one comes either while the other is on its way or after it.
    const notice = places.find((place) => place !== `/staff/orders/${reference}`) ?? '';
    expect(notice).toMatch(/notice=(refund_amount_exceeded|payment_wholly_refunded)$/);
    expect(await text(await staff.open(notice))).toMatch(
      /Nothing is left to refund|has been refunded already/,
    );
  });

  it.each(['', '0', '-5', '1,234', 'all of it', '<b>'])(
    'of %j is not made, and the form asks again',
    async (amount) => {
      const { reference, serviceId } = await paidOrder();
      const answer = await staff.refund(reference, await staff.refundKey(reference), amount);
      const page = await answer.text();
      expect(answer.status).toBe(422);
      expect(page).toContain('Type an amount in roubles above zero');
      expect(page).not.toContain('<b>');
      expect(refundedInLedger(serviceId)).toEqual({ refunds: 0, refunded: '0.00' });
    },
  );

  it('needs the key of a form that the shop made', async () => {
    const { reference, serviceId } = await paidOrder();
    expect((await staff.refund(reference, '', '100')).status).toBe(400);
    expect((await staff.refund(reference, 'x'.repeat(65), '100')).status).toBe(400);
    expect(refundedInLedger(serviceId)).toEqual({ refunds: 0, refunded: '0.00' });
  });

  it('under a key that was used for another amount is refused', async () => {
    const { reference, serviceId } = await paidOrder();
    const key = await staff.refundKey(reference);
    await staff.refund(reference, key, '100');
    const answer = await staff.refund(reference, key, '200');
    expect(answer.headers.get('location')).toBe(`/staff/orders/${reference}?notice=refund_key_reused`);
    expect(refundedInLedger(serviceId)).toEqual({ refunds: 1, refunded: '100.00' });
  });

  it('of an order that is not paid, or does not exist, is not made', async () => {
    const reference = await buyer.newReference('fireweed');
    await buyer.checkOut(reference, 'fireweed');
    const unpaid = await staff.refund(reference, randomUUID(), '100');
    expect(unpaid.headers.get('location')).toBe(`/staff/orders/${reference}?notice=payment_not_refundable`);
    expect((await staff.refund('ABCDEFGHJKMN', randomUUID(), '100')).status).toBe(404);
  });

  it('whose answer is lost is shown as under way, and is made once', async () => {
    const { reference, serviceId } = await paidOrder();
    const atHastyReplica = new Staff((await test.addReplica({ payments: hasty })).url);
    test.sandbox.faults.order({ on: 'refund', fault: 'stall_after_commit', times: 1_000 });
    test.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    const key = await staff.refundKey(reference);
    const answer = await atHastyReplica.refund(reference, key, '234,50');
    expect(answer.headers.get('location')).toBe(`/staff/orders/${reference}?notice=refund_unknown`);
    const page = await text(await staff.open(`/staff/orders/${reference}?notice=refund_unknown`));
    expect(page).toContain('has not answered yet');
    expect(page).toContain('Up to 1 000,00 ₽');

    test.sandbox.faults.clear();
    await staff.refund(reference, key, '234,50');
    await becomes(reference, 'partially_refunded');
    expect(refundedInLedger(serviceId)).toEqual({ refunds: 1, refunded: '234.50' });
  });

  it('that the service refuses is shown as refused, and its amount is free again', async () => {
    const { reference, serviceId } = await paidOrder();
    test.sandbox.faults.order({ on: 'refund', fault: 'forbidden' });
    const answer = await staff.refund(reference, await staff.refundKey(reference), '1234,50');
    expect(answer.headers.get('location')).toBe(`/staff/orders/${reference}?notice=operation_refused`);
    const page = await text(await staff.open(`/staff/orders/${reference}`));
    expect(page).toContain('Refused by the payment service');
    expect(page).toContain('Up to 1 234,50 ₽');
    expect(refundedInLedger(serviceId)).toEqual({ refunds: 0, refunded: '0.00' });
  });

  it('that the service processes slowly is shown as under way until it is made', async () => {
    const { reference } = await paidOrder();
    test.sandbox.refunds.next({ status: 'pending' });
    const answer = await staff.refund(reference, await staff.refundKey(reference), '234,50');
    expect(answer.headers.get('location')).toBe(`/staff/orders/${reference}`);
    const page = await text(await staff.open(`/staff/orders/${reference}`));
    expect(page).toContain('On its way');
    expect(page).toContain('Paid, thank you');
    expect(page).toContain('Up to 1 000,00 ₽');

    test.sandbox.refunds.finish(test.sandbox.refunds.list()[0]?.id ?? '', 'succeeded');
    await becomes(reference, 'partially_refunded');
  });

  it('that the service cancels is shown as such, and its amount is free again', async () => {
    const { reference } = await paidOrder();
    test.sandbox.refunds.next({ status: 'canceled', reason: 'insufficient_funds' });
    await staff.refund(reference, await staff.refundKey(reference), '1234,50');
    const page = await text(await staff.open(`/staff/orders/${reference}`));
    expect(page).toContain('Did not go through; nothing was refunded');
    expect(page).toContain('Up to 1 234,50 ₽');
    expect((await staff.order(reference)).state).toBe('paid');
  });

  it('made in the Merchant Profile is the order’s too', async () => {
    const { reference, serviceId } = await paidOrder();
    test.sandbox.refunds.make(serviceId, '34.50');
    const order = await becomes(reference, 'partially_refunded');
    expect(order.effects.map(({ effect, refundedMinor }) => [effect, refundedMinor])).toEqual([
      ['paid', 0],
      ['refunded', 3_450],
    ]);
    expect(await staff.board(`payments/${order.payments[0]?.id}`)).toContain('made outside');
  });

  it('ends the order: it cannot be paid again', async () => {
    const { reference, serviceId } = await paidOrder();
    await staff.refund(reference, await staff.refundKey(reference), '1234,50');
    await becomes(reference, 'refunded');
    const answer = await buyer.send(`/orders/${reference}/pay`);
    expect(answer.headers.get('location')).toBe(`/orders/${reference}?notice=order_refunded`);
    expect((await staff.order(reference)).payments.map((payment) => payment.serviceId)).toEqual([serviceId]);
  });
});
