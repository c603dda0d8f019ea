import request from 'supertest';
import { RawConnection, rawRequest } from '../../tools/hostile/raw-request.js';
import { listedSender } from '../hosts/notification.js';
import { startTestShop, type TestShop } from '../support/shop.js';

/** The bootstrap calls protectWebhook(): without it the shop's own parser would answer, or nobody. */
describe('the webhook of the shop', () => {
  let test: TestShop;
  let connection: RawConnection;
  beforeAll(async () => {
    test = await startTestShop();
    connection = new RawConnection('127.0.0.1', Number(new URL(test.shop.url).port));
  });
  afterAll(async () => {
    connection.close();
    await test.close();
  });

  const sender = `X-Forwarded-For: ${listedSender}`;
  const notification = '{"type":"notification","event":"payment.succeeded","object":{"id":"some-payment"}}';

  it('accepts a notification of 65,536 bytes, and answers 413 to one of a byte more', async () => {
    for (const [bytes, status] of [
      [65_536, 200],
      [65_537, 413],
    ] as const) {
      const body = notification + ' '.repeat(bytes - notification.length);
      const posted = request(test.shop.url).post('/webhooks/payments').set('X-Forwarded-For', listedSender);
      expect(await posted.type('application/json').send(body)).toMatchObject({ status });
    }
  });

  it('answers 408 to a body that does not arrive', async () => {
    const headers = ['Content-Type: application/json', `Content-Length: ${notification.length}`, sender];
    expect(await connection.send(rawRequest(headers, notification.slice(0, 10)))).toMatchObject({
      status: 408,
    });
  });
});
