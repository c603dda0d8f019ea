import { emptyCard, goodCard, type Purchase } from './purchase.js';

export interface Scenario {
  title: string;
  run(purchase: Purchase): Promise<void>;
}

const minuteMs = 60_000;

/** One order each, in this order. */
export const scenarios: readonly Scenario[] = [
  {
    title: 'One stage: bought and paid',
    async run(purchase) {
      await purchase.order('milk-oolong');
      await purchase.payBy(goodCard);
      await purchase.goBack();
      await purchase.becomes('paid');
    },
  },
  {
    title: 'Two stages: held, then charged when it ships',
    async run(purchase) {
      await purchase.order('stoneware-teapot');
      await purchase.payBy(goodCard);
      await purchase.goBack();
      await purchase.becomes('held');
      await purchase.ship();
      await purchase.becomes('paid');
    },
  },
  {
    title: 'Declined: the order stays unpaid',
    async run(purchase) {
      await purchase.order('gunpowder-green');
      await purchase.payBy(emptyCard);
      await purchase.refuseToPay();
      await purchase.goBack();
      await purchase.becomes('payment_failed');
    },
  },
  {
    title: 'Abandoned: the payment term runs out',
    async run(purchase) {
      await purchase.order('fireweed');
      purchase.closeTab();
      await purchase.wait(61 * minuteMs, '1 h 1 min');
      await purchase.becomes('payment_failed');
    },
  },
  {
    title: 'Notification lost: the sweep finds the payment by itself',
    async run(purchase) {
      await purchase.order('smoky-lapsang');
      purchase.orderFault({ on: 'notification', fault: 'drop' }, 'drop the next notification');
      await purchase.payBy(goodCard);
      purchase.closeTab();
      await purchase.wait(15_000, '15 s');
      await purchase.becomes('paid');
    },
  },
  {
    title: 'Notification delivered five times: one effect',
    async run(purchase) {
      await purchase.order('milk-oolong');
      const fiveTimes = { on: 'notification', fault: 'duplicate', copies: 4 } as const;
      purchase.orderFault(fiveTimes, 'send the next notification five times');
      await purchase.payBy(goodCard);
      purchase.closeTab();
      await purchase.becomes('paid');
    },
  },
];
