import { OnPaymentEvent, type PaymentEvent } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { eventually } from '../../support/eventually.js';
import type { Setting, WatchedShop } from '../../support/watched-shop.js';

const MINUTE_MS = 60_000;

/** Something that is wrong, of which alerts tell besides the conditions. */
export interface MeasuredFault {
  readonly name: string;
  readonly setting: Setting;
  bring(shop: WatchedShop): Promise<void>;
  /** What goes on while it lasts. */
  meanwhile?(shop: WatchedShop, step: number): Promise<void>;
  readonly alerts: readonly string[];
  /** What is due cannot be done while the fault lasts. */
  readonly stalls?: true;
}

/** Fails for the orders that nobody has put right. */
@Injectable()
class Late {
  static readonly right = new Set<string>();

  @OnPaymentEvent('payment.succeeded', { id: 'shop.late' })
  paid({ orderReference }: PaymentEvent): void {
    if (!Late.right.has(orderReference)) throw new Error('no stock');
  }
}

async function pay(shop: WatchedShop, reference: string): Promise<void> {
  const { serviceId } = await shop.create(reference);
  shop.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
}

export const measuredFaults: readonly MeasuredFault[] = [
  {
    name: 'No process sweeps',
    setting: { payments: () => ({ sweeps: false }) },
    async bring(shop) {
      await shop.create('A-1');
      await shop.sandbox.clock.advance(20 * MINUTE_MS);
    },
    alerts: ['HoldfastPaymentsStuck', 'HoldfastNoSweep'],
    stalls: true,
  },
  {
    name: 'A hold ends soon, and nobody decides',
    setting: {},
    async bring(shop) {
      const { id, serviceId } = await shop.create('A-1', { capture: false });
      shop.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      const { holdExpiresAt } = await eventually(
        () => shop.host.payments.get(id),
        ({ status }) => status === 'waiting_for_capture',
      );
      const now = Date.now() + shop.sandbox.clock.offsetMs();
      await shop.sandbox.clock.advance((holdExpiresAt?.getTime() ?? 0) - now - 40 * MINUTE_MS);
      await eventually(
        () => shop.operator.backlog(),
        ({ flaggedHolds: { count } }) => count === 1,
      );
    },
    alerts: ['HoldfastHoldsFlagged', 'HoldfastHoldEnds'],
  },
  {
    name: 'Handlers commit late',
    setting: { providers: [Late], payments: () => ({ handlerAttempts: 100 }) },
    async bring(shop) {
      Late.right.clear();
      for (const reference of ['A-1', 'A-2', 'never']) await pay(shop, reference);
      await eventually(
        () => shop.operator.backlog(),
        ({ failingDeliveries: { count } }) => count === 3,
      );
      await shop.sandbox.clock.advance(20 * MINUTE_MS);
      Late.right.add('A-1');
      await eventually(
        async () => {
          await shop.sandbox.clock.advance(MINUTE_MS);
          return shop.operator.backlog();
        },
        ({ failingDeliveries: { count } }) => count === 2,
      );
    },
    async meanwhile(_shop, step) {
      // Rates are of a quarter of an hour.
      if (step === 4) Late.right.add('A-2');
    },
    alerts: ['HoldfastDeliveriesFailing', 'HoldfastHandlersLate'],
  },
  {
    name: 'The service asks for pauses',
    setting: {},
    async bring(shop) {
      await shop.create('A-1');
      shop.sandbox.faults.order({
        on: 'read',
        fault: 'too_many_requests',
        times: 10_000,
        retry_after: 300_000,
      });
      await shop.sandbox.clock.advance(MINUTE_MS);
      await eventually(
        async () => shop.log,
        (log) => log.some((line) => line.startsWith('The service asks for no requests')),
      );
    },
    alerts: ['HoldfastServiceAsksForPauses'],
  },
  {
    name: 'More is due than the rate limit lets through',
    setting: { payments: () => ({ rereads: { perSecond: 1, burst: 2 } }) },
    async bring(shop) {
      for (const reference of ['A-1', 'A-2', 'A-3']) await shop.create(reference);
    },
    alerts: ['HoldfastBudgetExhausted'],
  },
];
