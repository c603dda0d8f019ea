import { OnPaymentEvent, PaymentOutcomeUnknownError } from '@holdfast/payments';
import { PaymentsTelemetry } from '@holdfast/payments/telemetry';
import { jest } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Database } from '../../libs/payments/src/database/database.js';
import { Telemetry } from '../../libs/payments/src/telemetry/telemetry.js';
import { listedSender, notification, post, unlistedSender } from '../hosts/notification.js';
import { startDatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import {
  hasty,
  openBench,
  orderInput,
  paidPayment,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';
import { startMonitor, valueOf, type Monitor } from './monitor.js';

@Injectable()
class Handlers {
  @OnPaymentEvent('payment.succeeded', { id: 'shipping.ship' })
  ship(): void {}

  @OnPaymentEvent('payment.pending', { id: 'printer.print' })
  print(): void {
    throw new Error('no paper');
  }
}

describe('the metrics', () => {
  let monitor: Monitor;
  let bench: Bench;
  let host: PaymentsHost;
  const start = (options: Parameters<Bench['startHost']>[0] = {}) =>
    bench.startHost({ handlerAttempts: 1, ...options }, [Handlers, PaymentsTelemetry]);
  beforeEach(async () => {
    monitor = startMonitor();
    bench = await openBench();
  });
  afterEach(async () => {
    await bench.close();
    await monitor.close();
  });

  const scrapedUntil = (
    name: string,
    labels: Readonly<Record<string, string>>,
    value: number | ((value: number) => boolean),
  ) =>
    eventually(
      () => monitor.scrape(),
      (text) => {
        const found = valueOf(text, name, labels);
        return found !== undefined && (typeof value === 'number' ? found === value : value(found));
      },
    );

  it('follow a payment from its create to its handlers', async () => {
    host = await start();
    const { isHeard, isTraced } = host.app.get(Telemetry);
    expect({ isHeard, isTraced }).toEqual({ isHeard: true, isTraced: false });
    const { serviceId } = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    const handler = 'shipping.ship';
    await scrapedUntil('holdfast_deliveries_total', { handler, result: 'done' }, 1);
    const text = await scrapedUntil(
      'holdfast_deliveries_total',
      { handler: 'printer.print', result: 'parked' },
      1,
    );
    const operation = 'createPayment';
    expect(valueOf(text, 'holdfast_requests_total', { operation, outcome: 'answered' })).toBe(1);
    expect(valueOf(text, 'holdfast_request_duration_seconds_count', { operation })).toBe(1);
    expect(valueOf(text, 'holdfast_notifications_total', { result: 'stored' })).toBe(1);
    expect(valueOf(text, 'holdfast_changes_total', { found: 'announced' })).toBe(1);
    expect(valueOf(text, 'holdfast_changes_total', { found: 'polled' })).toBe(0);
    expect(valueOf(text, 'holdfast_reread_delay_seconds_count', { lane: 'notified' })).toBe(1);
    expect(valueOf(text, 'holdfast_notification_delay_seconds_count', { handler })).toBe(1);
    expect(valueOf(text, 'holdfast_notification_delay_seconds_sum', { handler })).toBeGreaterThan(0);
    expect(valueOf(text, 'holdfast_breaker_open', { of: 'service' })).toBe(0);
    expect(text).toMatch(/^holdfast_hold_nearest_end_seconds(\{.*\})? \+Inf$/m);
    expect(valueOf(text, 'holdfast_sweep_age_seconds')).toBeLessThan(60);
  });

  it('count what the door refuses, and what polls find', async () => {
    host = await start();
    const webhook = `${host.url}/webhooks/payments`;
    await post(webhook, notification('payment.succeeded', { id: 'some' }), unlistedSender);
    await post(webhook, '{}', listedSender);
    bench.sandbox.setNotifyUrl(null);
    const { serviceId } = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await bench.sandbox.clock.advance(60_000);
    const text = await scrapedUntil('holdfast_changes_total', { found: 'polled' }, 1);
    expect(valueOf(text, 'holdfast_notifications_refused_total', { setting: 'notificationSenders' })).toBe(1);
    expect(valueOf(text, 'holdfast_notifications_total', { result: 'unreadable' })).toBe(1);
    expect(valueOf(text, 'holdfast_notification_delay_seconds_count')).toBeUndefined();
  });

  it('tell what was not answered, and that the circuit breaker is open', async () => {
    host = await start({ ...hasty, circuit: { failures: 2, openMs: 600_000 } });
    const operation = 'createPayment';
    bench.sandbox.faults.order({ on: 'create', fault: 'reset_before_commit', times: 100 });
    await expect(host.payments.create(orderInput())).rejects.toBeInstanceOf(PaymentOutcomeUnknownError);
    const text = await scrapedUntil('holdfast_breaker_open', { of: 'service' }, 1);
    expect(valueOf(text, 'holdfast_requests_total', { operation, outcome: 'unknown' })).toBeGreaterThan(1);
    await scrapedUntil('holdfast_requests_total', { outcome: 'not_sent' }, (sent) => sent > 0);
  });

  it('tell of what waits in all processes, from any of them', async () => {
    const sweeping = await start();
    await paidPayment(bench, sweeping, { capture: false });
    await scrapedUntil('holdfast_deliveries_total', { result: 'parked' }, 1);
    await sweeping.close();
    await monitor.close();
    monitor = startMonitor();
    await start({ sweeps: false });
    const text = await monitor.scrape();
    const condition = 'deliveries_parked';
    expect(valueOf(text, 'holdfast_backlog_size', { queue: 'parked_deliveries' })).toBe(1);
    expect(valueOf(text, 'holdfast_backlog_age_seconds', { queue: 'parked_deliveries' })).toBeGreaterThan(0);
    expect(valueOf(text, 'holdfast_conditions', { condition })).toBe(1);
    expect(valueOf(text, 'holdfast_conditions', { condition: 'holds_flagged' })).toBe(0);
    expect(valueOf(text, 'holdfast_hold_nearest_end_seconds')).toBeGreaterThan(5 * 86_400);
    expect(valueOf(text, 'holdfast_figures_age_seconds')).toBeLessThan(60);
    expect(valueOf(text, 'holdfast_receipts', { state: 'pending' })).toBe(0);
    expect(valueOf(text, 'holdfast_sweep_age_seconds')).toBeUndefined();
  });

  it('ask the database once for all that ask at once, and are quiet while it is away', async () => {
    const proxy = await startDatabaseProxy(bench.database.moduleUrl);
    host = await start({ databaseUrl: proxy.url });
    const transactions = jest.spyOn(host.app.get(Database), 'transaction');
    await proxy.close();
    const [one, other] = await Promise.all([monitor.scrape(), monitor.scrape()]);
    for (const text of [one, other]) {
      expect(valueOf(text, 'holdfast_breaker_open', { of: 'service' })).toBe(0);
      expect(text).not.toContain('holdfast_backlog_size');
      expect(valueOf(text, 'holdfast_figures_age_seconds')).toBeGreaterThan(0);
    }
    expect(await monitor.scrape()).not.toContain('holdfast_backlog_size');
    // With the deadline of a monitor.
    const readings = transactions.mock.calls.filter(([, bounds]) => bounds?.deadlineMs === 5_000);
    expect(readings).toHaveLength(1);
  });
});
