import { OnPaymentEvent, PaymentsModule, type PaymentEvent } from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import { Injectable } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';

import { RawConnection, rawRequest } from '../../tools/hostile/raw-request.js';
import { eventually } from '../support/eventually.js';
import { httpAdapters, paymentsOptions, startHost, startTestSandbox, typeOrm, type Host } from './host.js';
import { listedSender, notification, post, storedNotifications, unlistedSender } from './notification.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

@Injectable()
class Shipping {
  readonly shipped: string[] = [];

  @OnPaymentEvent('payment.succeeded', { id: 'shipping.ship' })
  ship({ payment }: PaymentEvent): void {
    this.shipped.push(payment.orderReference);
  }
}

const body = notification('payment.succeeded', { id: 'some-payment' });

describe.each(httpAdapters)('a host on %s', (_name, http) => {
  let database: OpenDatabase;
  let sandbox: Sandbox;
  let host: Host;
  let webhook: string;
  beforeAll(async () => {
    database = await openDatabase();
    sandbox = await startTestSandbox();
    host = await startHost({
      http,
      imports: [
        ScheduleModule.forRoot(),
        typeOrm(database.url),
        PaymentsModule.forRoot(paymentsOptions(sandbox)),
      ],
      providers: [Shipping],
    });
    webhook = `${host.url}/webhooks/payments`;
    sandbox.setNotifyUrl(webhook);
  });
  afterAll(async () => {
    await host.close();
    await sandbox.close();
    await database.close();
  });
  afterEach(() => database.sql.query('DELETE FROM payments_notifications'));

  it.each([
    ['an IPv4 address', listedSender],
    ['an IPv6 address', '2a02:5180::1'],
    ['an IPv4 address written as IPv6', `::ffff:${listedSender}`],
    ['the rightmost address its proxy names', `${unlistedSender}, ${listedSender}`],
  ])('has stored a notification from %s of the list by the time it answers 200', async (_what, sender) => {
    expect(await post(webhook, body, sender)).toBe(200);
    expect(await storedNotifications(database.sql)).toMatchObject([
      { event: 'payment.succeeded', objectId: 'some-payment', count: 1 },
    ]);
  });

  it.each([
    ['an unlisted address', unlistedSender],
    ['an unlisted address that names a listed one before itself', `${listedSender}, ${unlistedSender}`],
    ['the proxy itself', '127.0.0.1'],
    ['text that is no address', 'localhost'],
  ])('answers 403 to %s and stores nothing', async (_what, sender) => {
    expect(await post(webhook, body, sender)).toBe(403);
    expect(await storedNotifications(database.sql)).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['an empty object', '{}'],
    ['an array', '[]'],
    ['null', 'null'],
    ['broken JSON', body.slice(0, -1)],
    ['another type', body.replace('"notification"', '"error"')],
    ['an event that is no event', notification('succeeded', { id: 'some-payment' })],
    ['an object without an id', notification('payment.succeeded', { status: 'succeeded' })],
    ['an id that is no text', notification('payment.succeeded', { id: 1 })],
    ['an id that is a path', notification('payment.succeeded', { id: '../me' })],
    ['an id that is too long', notification('payment.succeeded', { id: 'a'.repeat(65) })],
  ])('answers 400 to %s from a listed sender and stores nothing', async (_what, text) => {
    expect(await post(webhook, text)).toBe(400);
    expect(await storedNotifications(database.sql)).toEqual([]);
  });

  it('answers 400 to a JSON request without a body, and stores nothing', async () => {
    const connection = new RawConnection('127.0.0.1', Number(new URL(webhook).port));
    const headers = ['Content-Type: application/json', `X-Forwarded-For: ${listedSender}`];
    expect(await connection.send(rawRequest(headers, ''))).toMatchObject({ status: 400 });
    connection.close();
    expect(await storedNotifications(database.sql)).toEqual([]);
  });

  it('answers 415 to a notification that is not sent as JSON and stores nothing', async () => {
    expect(await post(webhook, body, listedSender, 'text/plain')).toBe(415);
    expect(await storedNotifications(database.sql)).toEqual([]);
  });

  it('carries a payment from its create to the handler', async () => {
    const { id, status, serviceId, confirmationUrl } = await host.payments.create({
      order: { reference: 'order-1' },
      amount: { value: '1234.50', currency: 'RUB' },
      returnUrl: 'https://shop.example/return',
    });
    expect([status, new URL(confirmationUrl ?? '').origin]).toEqual(['pending', sandbox.url]);

    sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await eventually(
      () => database.sql.query('SELECT FROM payments_deliveries WHERE done_at IS NOT NULL'),
      ({ rowCount }) => rowCount !== 0,
    );
    expect(host.app.get(Shipping).shipped).toEqual(['order-1']);
    expect(await host.payments.get(id)).toMatchObject({
      status: 'succeeded',
      capturedAmount: { value: '1234.50' },
    });
    expect(await host.payments.getOrder('order-1')).toMatchObject({ state: 'paid' });
    expect(await host.payments.timeline(id)).toContainEqual(
      expect.objectContaining({ name: 'payment.succeeded', cause: 'notification' }),
    );
    expect(sandbox.ledger.totals(serviceId ?? '')).toMatchObject({ charges: 1, captured: '1234.50' });
  });
});
