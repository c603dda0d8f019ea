import { PaymentsService } from '@holdfast/payments';
import { DataSource } from 'typeorm';

import { Buyer } from '../support/buyer.js';
import { startTestShop, type TestShop } from '../support/shop.js';
import { Staff } from '../support/staff.js';
import { noteStatements } from '../support/statements.js';

const MINUTE_MS = 60_000;

describe('what a stranger can have the shop do', () => {
  let test: TestShop;
  let buyer: Buyer;
  beforeEach(async () => {
    test = await startTestShop();
    test.shop.app.useLogger(false);
    buyer = new Buyer(test.shop.url);
  });
  afterEach(() => test.close());

  it('is so many orders an hour from one address', async () => {
    const answers: Response[] = [];
    for (let times = 0; times < 61; times += 1)
      answers.push(await buyer.checkOut(await buyer.newReference('fireweed'), 'fireweed'));
    const statuses = answers.map(({ status }) => status);
    expect([new Set(statuses.slice(0, 60)), statuses.at(-1)]).toEqual([new Set([303]), 429]);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(test.sandbox.payments.list()).toHaveLength(60);
    await test.sandbox.clock.advance(61 * MINUTE_MS);
    expect((await buyer.checkOut(await buyer.newReference('fireweed'), 'fireweed')).status).toBe(303);
  });

  it('is so many clicks a minute on the way to pay one order', async () => {
    const [one, other] = [await buyer.newReference('fireweed'), await buyer.newReference('fireweed')];
    for (const reference of [one, other]) await buyer.checkOut(reference, 'fireweed');
    const click = async (reference: string) => (await buyer.send(`/orders/${reference}/pay`)).status;
    for (let times = 0; times < 10; times += 1) expect(await click(one)).toBe(303);
    expect([await click(one), await click(other)]).toEqual([429, 303]);
    await test.sandbox.clock.advance(MINUTE_MS);
    expect(await click(one)).toBe(303);
  });

  it('makes the pages of an order with many payments cost no more statements', async () => {
    const reference = await buyer.newReference('fireweed');
    await buyer.checkOut(reference, 'fireweed');
    // Its statements are those of its pages alone.
    const { app, url } = await test.addReplica({ payments: { sweeps: false } });
    const payments = app.get(PaymentsService, { strict: false });
    const replaceTimes = async (times: number) => {
      for (let n = 1; n <= times; n += 1)
        await payments.create({
          order: { reference },
          amount: { value: `${100 + n}.00`, currency: 'RUB' },
          returnUrl: 'https://shop.example/',
          replace: true,
        });
    };
    const staff = new Staff(url);
    const log: string[] = [];
    noteStatements(app.get(DataSource), log);
    const costOf = async () => {
      await staff.read(`/staff/orders/${reference}`);
      const before = log.length;
      await fetch(`${url}/orders/${reference}`);
      await staff.read(`/staff/orders/${reference}`);
      return log.length - before;
    };
    await replaceTimes(6);
    const first = await costOf();
    await replaceTimes(12);
    const [last] = (await staff.order(reference)).payments.slice(-1);
    expect(last?.status).toBe('pending');
    expect(await staff.read(`/staff/orders/${reference}`)).toContain(
      'Earlier payments that are not shown: 14.',
    );
    expect(await costOf()).toBe(first);
  });
});
