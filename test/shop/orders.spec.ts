import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Buyer } from '../support/buyer.js';
import { eventually } from '../support/eventually.js';
import { hasty } from '../support/payments-host.js';
import { startTestShop, type TestShop } from '../support/shop.js';
import { Staff } from '../support/staff.js';

describe('an order of the shop', () => {
  let test: TestShop;
  let buyer: Buyer;
  let staff: Staff;
  beforeAll(async () => {
    test = await startTestShop();
    buyer = new Buyer(test.shop.url);
    staff = new Staff(test.shop.url);
  });
  afterAll(() => test.close());
  afterEach(() => test.sandbox.faults.clear());

  async function place(productSlug: string): Promise<{ reference: string; serviceId: string }> {
    const reference = await buyer.newReference(productSlug);
    await buyer.checkOut(reference, productSlug);
    const serviceId = (await staff.order(reference)).payments[0]?.serviceId;
    if (!serviceId) throw new Error('The payment did not reach the service.');
    return { reference, serviceId };
  }

  const becomes = (reference: string, state: string) => staff.orderBecomes(reference, state);

  it('sends the buyer to the payment page', async () => {
    const reference = await buyer.newReference('milk-oolong');
    const answer = await buyer.checkOut(reference, 'milk-oolong', 2);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toMatch(new RegExp(`^${test.sandbox.url}/`));
    expect(await staff.order(reference)).toMatchObject({ state: 'awaiting_payment', totalMinor: 246_900 });
  });

  it('is one order with one payment when the checkout form is sent five times at once', async () => {
    const reference = await buyer.newReference('fireweed');
    const answers = await Promise.all(Array.from({ length: 5 }, () => buyer.checkOut(reference, 'fireweed')));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
    expect((await staff.order(reference)).payments).toHaveLength(1);
  });

  it('is not placed by a faulty form, which names the fault', async () => {
    const reference = await buyer.newReference('fireweed');
    const answer = await buyer.send(`/orders/${reference}`, {
      productSlug: 'fireweed',
      name: ' ',
      email: '<b>',
      quantity: '11',
    });
    const page = await answer.text();
    expect(answer.status).toBe(422);
    expect(page.match(/aria-invalid="true"/g)).toHaveLength(3);
    expect(page).toContain('value="&lt;b&gt;"');
    expect((await buyer.open(`/orders/${reference}`)).status).toBe(404);
  });

  it('is paid once, however often the service notifies', async () => {
    const { reference, serviceId } = await place('smoky-lapsang');
    test.sandbox.faults.order({ on: 'notification', fault: 'duplicate', copies: 4 });
    test.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    await becomes(reference, 'paid');
    await test.sandbox.clock.advance(0);
    await buyer.open(`/orders/${reference}/return`);
    const { effects, money } = await staff.order(reference);
    expect(effects.map(({ effect }) => effect)).toEqual(['paid']);
    expect(money?.paid.value).toBe('890.00');
  });

  it('that is paid is one mail to its buyer', async () => {
    const { reference, serviceId } = await place('smoky-lapsang');
    test.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    const mails = async () => {
      const names = await readdir(test.mailFolder);
      const texts = await Promise.all(names.map((name) => readFile(join(test.mailFolder, name), 'utf8')));
      return texts.filter((text) => text.includes(`Order ${reference} `));
    };
    const [mail] = await eventually(mails, ([text]) => text?.endsWith('\n') === true);
    expect(mail).toContain('To: ');
    expect(mail?.replaceAll('\u00a0', ' ')).toContain('890,00 ₽');
    expect(await mails()).toHaveLength(1);
    const { timeline = [] } = (await staff.order(reference)).payments[0] ?? {};
    expect(timeline.map(({ name }) => name)).toContain('effect.recorded');
  });

  it('that was paid in advance is handed over once it is paid, also without receipts', async () => {
    const { reference, serviceId } = await place('stoneware-cup');
    const handOver = () => staff.send(`/staff/orders/${reference}/hand-over`);
    await handOver();
    expect(await staff.order(reference)).toMatchObject({ standing: 'pending', handedOverAt: null });
    test.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    await becomes(reference, 'paid');
    expect(await staff.order(reference)).toMatchObject({ standing: 'paid_in_advance' });
    expect((await handOver()).headers.get('location')).toBe(`/staff/orders/${reference}`);
    const { standing, handedOverAt } = await staff.order(reference);
    expect(standing).toBe('handed_over');
    await handOver();
    expect(await staff.order(reference)).toMatchObject({ handedOverAt });
  });

  it('is paid as soon as the buyer is back, without any notification', async () => {
    const { reference, serviceId } = await place('smoky-lapsang');
    test.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    test.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    const answer = await buyer.open(`/orders/${reference}/return`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/orders/${reference}`]);
    expect((await staff.order(reference)).payments[0]?.status).toBe('succeeded');
    await becomes(reference, 'paid');
  });

  it('shows what is known when the buyer is back while the service is down', async () => {
    const { reference } = await place('fireweed');
    test.sandbox.faults.order({ on: 'read', fault: 'reset_before_commit', times: 1_000 });
    const answer = await buyer.open(`/orders/${reference}/return`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/orders/${reference}`]);
    expect(await (await buyer.open(`/orders/${reference}`)).text()).toContain('Waiting for your payment');
    // Continuing would give a link nobody has checked: the buyer is asked to try again instead.
    const retry = await buyer.send(`/orders/${reference}/pay`);
    expect(retry.status).toBe(503);
    expect(await retry.text()).toContain('We are checking your payment');
  });

  it('that is paid shows itself instead of another payment', async () => {
    const { reference, serviceId } = await place('smoky-lapsang');
    test.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    const answer = await buyer.send(`/orders/${reference}/pay`);
    expect(answer.headers.get('location')).toBe(`/orders/${reference}?notice=order_already_paid`);
    const page = await (await buyer.open(answer.headers.get('location') ?? '')).text();
    expect(page).toContain('has its payment already');
    await becomes(reference, 'paid');
  });

  it('shows how it was paid', async () => {
    const { reference, serviceId } = await place('smoky-lapsang');
    test.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    await becomes(reference, 'paid');
    expect(await (await buyer.open(`/orders/${reference}`)).text()).toContain('Bank card *4444');
  });

  it('whose payment failed can be paid by another one', async () => {
    const { reference, serviceId } = await place('gunpowder-green');
    test.sandbox.payments.pay(serviceId, { outcome: 'decline', reason: 'insufficient_funds' });
    await becomes(reference, 'payment_failed');
    expect(await (await buyer.open(`/orders/${reference}`)).text()).toContain('not enough money');

    await buyer.send(`/orders/${reference}/pay`);
    const second = (await staff.order(reference)).payments[1]?.serviceId ?? '';
    test.sandbox.payments.pay(second, { outcome: 'succeed' });
    await becomes(reference, 'paid');
  });

  it.each([
    ['at once', null, 'The payment was declined, by you or by the bank.'],
    ['after a try', '4100 1000 0000 0002', 'There was not enough money.'],
  ])('that its buyer refused to pay %s says what is true', async (_when, emptyWallet, words) => {
    const { reference, serviceId } = await place('gunpowder-green');
    const submit = (path: string, form: Record<string, string>) =>
      fetch(`${test.sandbox.url}/checkout/${serviceId}/${path}`, {
        method: 'POST',
        body: new URLSearchParams(form),
        redirect: 'manual',
      });
    if (emptyWallet !== null) await submit('wallet', { wallet: emptyWallet });
    await submit('cancel', {});
    await becomes(reference, 'payment_failed');
    expect(await (await buyer.open(`/orders/${reference}`)).text()).toContain(
      `<p>${words} Nothing was charged; you can try again.</p>`,
    );
  });

  it('is charged when it ships', async () => {
    const { reference, serviceId } = await place('stoneware-teapot');
    test.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    const held = await becomes(reference, 'held');
    expect(held.money).toMatchObject({ held: { value: '6900.00' }, paid: { value: '0.00' } });

    await staff.ship(reference);
    const paid = await becomes(reference, 'paid');
    expect(paid.money).toMatchObject({ held: { value: '0.00' }, paid: { value: '6900.00' } });
    expect(paid.effects.map(({ effect }) => effect)).toEqual(['held', 'paid']);
  });

  it('releases the hold when the shop cancels it, and cannot ship afterwards', async () => {
    const { reference, serviceId } = await place('first-flush-darjeeling');
    test.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    await becomes(reference, 'held');

    await staff.cancel(reference);
    await becomes(reference, 'canceled');
    const answer = await staff.ship(reference);
    expect(answer.headers.get('location')).toBe(`/staff/orders/${reference}?notice=payment_not_held`);
    expect(test.sandbox.payments.get(serviceId).status).toBe('canceled');
  });

  it('says so while the service does not answer, and trying again continues the same payment', async () => {
    const reference = await buyer.newReference('milk-oolong');
    const atHastyReplica = new Buyer((await test.addReplica({ payments: hasty })).url);
    test.sandbox.faults.order({ on: 'create', fault: 'stall_after_commit', times: 1_000 });
    const unanswered = await atHastyReplica.checkOut(reference, 'milk-oolong');
    const page = await unanswered.text();
    expect(unanswered.status).toBe(503);
    expect(page).toContain('We are checking your payment');
    expect(page).toContain(`action="/orders/${reference}/pay"`);

    test.sandbox.faults.clear();
    const retried = await buyer.send(`/orders/${reference}/pay`);
    expect(retried.status).toBe(303);
    const { payments } = await staff.order(reference);
    expect(payments).toHaveLength(1);
    expect(retried.headers.get('location')).toBe(payments[0]?.confirmationUrl);
  });

  it('that does not exist is a page that says so', async () => {
    const answer = await buyer.open('/orders/ABCDEFGHJKMN');
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('There is nothing here');
  });
});
