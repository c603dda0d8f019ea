import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';

import { Buyer } from '../support/buyer.js';
import { eventually } from '../support/eventually.js';
import { hasty } from '../support/payments-host.js';
import { startTestShop, type TestShop } from '../support/shop.js';

const host = '127.0.0.1';

describe('a shop that is asked to end', () => {
  let test: TestShop;
  beforeEach(async () => {
    test = await startTestShop(hasty);
    test.shop.app.useLogger(false);
  });
  afterEach(() => test.close());

  const portOf = (url: string) => Number(new URL(url).port);

  it('does so while clients ask again and again on connections that are kept alive', async () => {
    const reference = await new Buyer(test.shop.url).newReference('fireweed');
    await new Buyer(test.shop.url).checkOut(reference, 'fireweed');
    const port = portOf(test.shop.url);
    const answers: IncomingMessage[] = [];
    let isEnding = false;
    let served = 0;
    const clients = Array.from({ length: 8 }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ask = () =>
        new Promise<IncomingMessage>((resolve, reject) => {
          get({ agent, host, port, path: `/orders/${reference}` }, (answer) => {
            answer.resume().on('end', () => resolve(answer));
          }).on('error', reject);
        });
      try {
        for (;;) {
          const answer = await ask();
          served += 1;
          if (isEnding) answers.push(answer);
        }
      } finally {
        agent.destroy();
      }
    });
    const ended = Promise.allSettled(clients);
    await eventually(
      () => Promise.resolve(served),
      (count) => count > 5 * clients.length,
    );
    isEnding = true;
    await test.shop.close();
    await ended;
    // Each has the answer that was under way, and perhaps one more that had arrived already.
    expect(answers.length).toBeLessThanOrEqual(2 * clients.length);
    expect(answers.filter(({ statusCode }) => statusCode !== 200)).toEqual([]);
  });

  it('does so at once beside a connection on which nothing was ever asked', async () => {
    // No deadline of its own ends it within this test's.
    const patient = await startTestShop({ ...hasty, callDeadlineMs: 160_000 });
    patient.shop.app.useLogger(false);
    const spare = connect(portOf(patient.shop.url), host).on('error', () => undefined);
    await once(spare, 'connect');
    // Whatever arrives after it shows that the server has it.
    await new Buyer(patient.shop.url).open('/');
    const isCut = once(spare, 'close');
    await patient.close();
    await expect(isCut).resolves.toEqual([false]);
  });

  it('answers what is under way, and after its deadline cuts off whoever does not end', async () => {
    const { shop } = test;
    const slow = connect(portOf(shop.url), host)
      .on('error', () => undefined)
      .resume();
    slow.write('POST /orders/A HTTP/1.1\r\nHost: shop\r\nContent-Length: 100\r\n\r\n');
    test.sandbox.faults.order({ on: 'create', fault: 'stall_after_commit' });
    const buyer = new Buyer(shop.url);
    const reference = await buyer.newReference('fireweed');
    const paying = buyer.checkOut(reference, 'fireweed');
    await eventually(
      () => Promise.resolve(test.sandbox.payments.list()),
      ({ length }) => length === 1,
    );
    const isCut = new Promise((resolve) => slow.once('close', resolve));
    const closed = shop.close();
    expect([303, 503]).toContain((await paying).status);
    await Promise.all([closed, isCut]);
  });
});
