import { OnPaymentEvent, yookassaProfile, type Payment } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { eventually } from '../../support/eventually.js';
import { cups } from '../../support/receipts.js';
import type { WatchedShop } from '../../support/watched-shop.js';
import { moved, type Fault } from './fault.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

@Injectable()
class Poisoned {
  @OnPaymentEvent('payment.succeeded', { id: 'shop.mark-paid' })
  markPaid(): void {
    throw new Error('no such column: shelf');
  }
}

const reached = async (shop: WatchedShop, { id }: Payment, wanted: Payment['status']): Promise<void> => {
  await eventually(
    () => shop.host.payments.get(id),
    ({ status }) => status === wanted,
  );
};

/** Pays three orders, whose notifications get lost: polls find the money. */
async function payUnheard(shop: WatchedShop): Promise<void> {
  for (const reference of ['A-1', 'A-2', 'A-3']) {
    const payment = await shop.create(reference);
    shop.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await shop.sandbox.clock.advance(5 * MINUTE_MS);
    await reached(shop, payment, 'succeeded');
  }
}

export const faults: readonly Fault[] = [
  {
    name: 'The notification URL leads nowhere',
    setting: {},
    notifiedPath: '/webhooks/payment',
    async bring(shop) {
      shop.sandbox.setNotifyUrl(`${shop.host.url}/webhooks/payment`);
      await payUnheard(shop);
    },
    shows: {
      log: 'Polling found the last … changes',
      health: 'notifications_missing',
      board: { path: '', says: 'Notifications do not arrive' },
      metric: moved('holdfast.changes', { found: 'polled' }),
      alerts: ['HoldfastNotificationsMissing'],
      doctor: { check: 'webhook', found: 'answers 404' },
    },
  },
  {
    name: 'A proxy in front is missing from `trustedProxies`',
    setting: { payments: () => ({ trustedProxies: [] }) },
    bring: payUnheard,
    shows: {
      log: 'Refused … notification(s)',
      health: 'notifications_missing',
      board: { path: 'notifications?tab=refused', says: 'Refused senders … 127.0.0.1' },
      metric: moved('holdfast.notifications.refused', { setting: 'trustedProxies' }),
      alerts: ['HoldfastNotificationsMissing', 'HoldfastProxyUntrusted'],
      doctor: { check: 'proxies', found: 'trustedProxies is empty' },
    },
  },
  {
    name: 'The service is down',
    // Nobody has to wait until ten requests have failed, and the breaker stays as it is.
    setting: { payments: () => ({ circuit: { failures: 3, openMs: 600_000 } }) },
    async bring(shop) {
      const { faults: orders, clock } = shop.sandbox;
      await shop.create('A-1');
      for (const on of ['create', 'read', 'list'] as const)
        orders.order({ on, fault: 'error_500_before_commit', times: 10_000 });
      await Promise.allSettled([shop.create('A-2')]);
      await eventually(
        async () => {
          await clock.advance(5 * MINUTE_MS);
          return shop.operator.backlog();
        },
        ({ operations: { oldestMs } }) => (oldestMs ?? 0) > 15 * MINUTE_MS,
      );
      await eventually(
        async () => shop.log,
        (log) => log.some((line) => line.includes('could not be re-read')),
      );
    },
    shows: {
      log: 'Payment … could not be re-read and will be tried again',
      health: 'operations_stuck',
      board: { path: '', says: '1 request without an answer for too long' },
      metric: moved('holdfast.requests', { outcome: 'unknown' }),
      // After a quarter of an hour the list is looked through for the payment, which cannot be done either.
      alerts: ['HoldfastOperationsStuck', 'HoldfastServiceFails', 'HoldfastBreakerOpen'],
      doctor: { check: 'credentials', found: 'HTTP 500' },
    },
  },
  {
    name: 'A handler fails whenever it runs',
    setting: { providers: [Poisoned] },
    async bring(shop) {
      const payment = await shop.create('A-1');
      shop.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
      await eventually(
        () => shop.operator.parkedDeliveries(),
        ({ length }) => length === 1,
      );
    },
    shows: {
      log: 'Handler … failed',
      health: 'deliveries_parked',
      board: { path: '', says: '1 delivery given up' },
      metric: moved('holdfast.deliveries', { result: 'parked' }),
      alerts: ['HoldfastDeliveriesParked'],
      doctor: null,
    },
  },
  {
    name: 'The policy of a hold fails',
    setting: {
      payments: () => ({
        holds: {
          policy: () => {
            throw new Error('no such order');
          },
        },
      }),
    },
    async bring(shop) {
      const payment = await shop.create('A-1', { capture: false });
      shop.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
      await reached(shop, payment, 'waiting_for_capture');
      await shop.sandbox.clock.advance(6 * DAY_MS);
      await eventually(
        () => shop.operator.backlog(),
        ({ flaggedHolds: { count } }) => count === 1,
      );
    },
    shows: {
      log: 'holds.policy failed for payment …, which is flagged instead',
      health: 'holds_flagged',
      board: { path: '', says: '1 hold to decide about' },
      metric: moved('holdfast.backlog.size', { queue: 'flagged_holds' }),
      alerts: ['HoldfastHoldsFlagged'],
      doctor: null,
    },
  },
  {
    name: 'The register refuses a receipt',
    setting: {
      sandbox: { profile: 'yookassa', receipts: { scenario: 'with_payment', provider: 'atol' } },
      payments: () => ({ profile: yookassaProfile, fiscalization: { register: 'third_party' } }),
    },
    async bring(shop) {
      shop.sandbox.receipts.next({ status: 'canceled' });
      const payment = await shop.create('A-1', {
        amount: { value: '100.00', currency: 'RUB' },
        receipt: cups,
      });
      shop.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
      await eventually(
        async () => {
          await shop.sandbox.clock.advance(MINUTE_MS);
          return shop.operator.receiptProblems();
        },
        ({ length }) => length === 1,
      );
    },
    shows: {
      log: 'The receipt of … was not registered',
      health: 'receipts_open',
      board: { path: '', says: '1 receipt that failed, is late or is missing' },
      metric: moved('holdfast.receipts', { state: 'failed' }),
      alerts: ['HoldfastReceiptsOpen'],
      doctor: null,
    },
  },
  {
    name: 'The database answers slowly',
    setting: {},
    stalls: true,
    async bring(shop) {
      shop.proxy.delay(3_000);
      await eventually(
        async () => shop.log,
        (log) => log.some((line) => line.startsWith('The sweep was interrupted')),
      );
    },
    shows: {
      log: 'The sweep was interrupted and continues at its next tick',
      health: 'payments_database',
      board: { path: '', says: 'The database did not tell what waits' },
      metric: moved('holdfast.figures.age.seconds', {}, 4),
      alerts: ['HoldfastDatabaseSilent'],
      doctor: { check: null, found: 'The database did not finish' },
    },
  },
  {
    name: 'The clocks of the process and the service are apart',
    setting: { payments: () => ({ clock: { offsetMs: () => 0 } }) },
    async bring(shop) {
      await shop.sandbox.clock.advance(20 * MINUTE_MS);
    },
    shows: {
      log: null,
      health: null,
      board: null,
      metric: null,
      alerts: [],
      doctor: { check: 'clocks', found: "the service's is … ahead of this process's" },
    },
  },
];
