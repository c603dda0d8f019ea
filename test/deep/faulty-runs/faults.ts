import { OnPaymentEvent, yookassaProfile, type Payment } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { eventually } from '../../support/eventually.js';
import { cups } from '../../support/receipts.js';
import type { Setting, WatchedShop } from '../../support/watched-shop.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

@Injectable()
class Poisoned {
  @OnPaymentEvent('payment.succeeded', { id: 'shop.mark-paid' })
  markPaid(): void {
    throw new Error('no such column: shelf');
  }
}

/** Something that is wrong in a shop, and where it shows. */
export interface Fault {
  /** As the documents call it. */
  readonly name: string;
  readonly setting: Setting;
  /** Has it happen, and waits until the shop has met it. */
  bring(shop: WatchedShop): Promise<void>;
  /** What is due cannot be done while the fault lasts. */
  readonly stalls?: true;
  /** What points at it, as the text or pattern that each must contain; null: nothing does. */
  readonly shows: {
    readonly log: RegExp | null;
    readonly health: RegExp | null;
    /** The page of the board, and what it says. */
    readonly board: readonly [path: string, says: RegExp] | null;
    /** The alerts that fire. */
    readonly alerts: readonly string[];
  };
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
    async bring(shop) {
      shop.sandbox.setNotifyUrl(`${shop.host.url}/webhooks/payment`);
      await payUnheard(shop);
    },
    shows: {
      log: /^Polling found the last 3 changes; there was no notification of them/,
      health: /notifications_missing/,
      board: ['', /Notifications do not arrive: polls found the last 3 changes/],
      alerts: ['HoldfastNotificationsMissing'],
    },
  },
  {
    name: 'A proxy in front is missing from `trustedProxies`',
    setting: { payments: () => ({ trustedProxies: [] }) },
    bring: payUnheard,
    shows: {
      log: /^Refused \d+ notification\(s\), the last from "127\.0\.0\.1".* add '127\.0\.0\.1' to trustedProxies/,
      health: /notifications_missing/,
      board: ['notifications?tab=refused', /127\.0\.0\.1\n/],
      alerts: ['HoldfastNotificationsMissing', 'HoldfastProxyUntrusted'],
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
        ({ length }) => length > 0,
      );
    },
    shows: {
      log: /^Payment .* of order "A-\d" could not be re-read and will be tried again/,
      health: /operations_stuck/,
      board: ['', /1 request without an answer for too long/],
      // After a quarter of an hour the list is looked through for the payment, which cannot be done either.
      alerts: [
        'HoldfastIncidentsOpen',
        'HoldfastOperationsStuck',
        'HoldfastServiceFails',
        'HoldfastBreakerOpen',
      ],
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
      log: /^Handler shop\.mark-paid failed .* order "A-1" .*parked now and waits for a person.* no such column: shelf/,
      health: /deliveries_parked/,
      board: ['', /1 delivery given up/],
      alerts: ['HoldfastDeliveriesParked'],
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
      log: /^holds\.policy failed for payment .* of order "A-1", which is flagged instead: no such order/,
      health: /holds_flagged/,
      board: ['', /1 hold to decide about/],
      alerts: ['HoldfastHoldsFlagged'],
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
      log: /^The receipt of payment .* of order "A-1" was not registered: it needs a person/,
      health: /receipts_open/,
      board: ['', /1 receipt that failed, is late or is missing/],
      alerts: ['HoldfastReceiptsOpen'],
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
      log: /^The sweep was interrupted and continues at its next tick/,
      health: /payments_database.*no answer/,
      board: ['', /Not known\nThe database did not tell what waits/],
      alerts: ['HoldfastDatabaseSilent'],
    },
  },
  {
    name: 'The clocks of the process and the service are apart',
    setting: { payments: () => ({ clock: { offsetMs: () => 0 } }) },
    async bring(shop) {
      await shop.sandbox.clock.advance(20 * MINUTE_MS);
    },
    shows: { log: null, health: null, board: null, alerts: [] },
  },
];
