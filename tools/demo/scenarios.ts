import type { ReceiptTime } from './flags.js';
import type { ForgottenPurchase } from './forgotten-purchase.js';
import { emptyCard, goodCard, type Purchase } from './purchase.js';

interface Scenario {
  title: string;
  /** What the shop logs as errors here, on purpose. */
  errors?: RegExp;
  run(purchase: ForgottenPurchase): Promise<void>;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const receiptRefused = /^The receipt of .* was not registered/;

/** One order each, in this order. Where there are no receipts, at the documented service, there is no SBP either. */
export function scenariosOf(receipts: ReceiptTime | null): readonly Scenario[] {
  if (receipts === null) return [...plain, ...inParts, forgotten, refundElsewhere];
  if (receipts === 'with')
    return [...inParts, forgotten, refundElsewhere, ...withReceipts, ...byProgram, madeByHand, ...unusual];
  return [
    ...inParts,
    forgotten,
    refundElsewhereMissing,
    ...withReceipts,
    ...byProgram,
    sentAgain,
    ...unusual,
  ];
}

/** What goes the same way at every service and with every receipt, so that it is shown once, by the demo without flags. */
const plain: readonly Scenario[] = [
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
    title: 'Held and never shipped: the hold is released a day before its end',
    async run(purchase) {
      await purchase.order('first-flush-darjeeling');
      await purchase.payBy(goodCard);
      await purchase.goBack();
      await purchase.becomes('held');
      await purchase.wait(6 * dayMs + 60 * minuteMs, '6 days 1 h');
      await purchase.becomes('canceled');
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
  {
    title: 'E-wallet instead of a card',
    async run(purchase) {
      await purchase.order('fireweed');
      await purchase.payByWallet();
      await purchase.goBack();
      await purchase.becomes('paid');
    },
  },
  {
    title: 'Refund form sent twice at once: one refund',
    async run(purchase) {
      await purchase.order('smoky-lapsang');
      await purchase.payBy(goodCard);
      await purchase.goBack();
      await purchase.becomes('paid');
      await purchase.refund('100.50', { clicks: 2 });
      await purchase.becomes('partially_refunded');
    },
  },
];

/** Whose money does not all move at once, and receipts with it. */
const inParts: readonly Scenario[] = [
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
    title: 'Refund of a part, then of the rest',
    async run(purchase) {
      await purchase.order('milk-oolong');
      await purchase.payBy(goodCard);
      await purchase.goBack();
      await purchase.becomes('paid');
      await purchase.refund('234,50');
      await purchase.becomes('partially_refunded');
      await purchase.refund('1000');
      await purchase.becomes('refunded');
    },
  },
  {
    title: 'Answer to a refund lost: requested again under the same key, one refund',
    async run(purchase) {
      await purchase.order('gunpowder-green');
      await purchase.payBy(goodCard);
      await purchase.goBack();
      await purchase.becomes('paid');
      const lost = { on: 'refund', fault: 'reset_after_commit' } as const;
      purchase.orderFault(lost, 'cut the connection once the next refund is made');
      await purchase.refund('620');
      await purchase.becomes('refunded');
    },
  },
];

/** Whoever asks again gets what there is already. */
const forgotten: Scenario = {
  title:
    'The database forgets its last minutes: the buyer clicks again, and so do the staff: one charge, one refund',
  // Whoever asks the database as a copy is taken, or takes its place, loses the connection.
  errors: /^The database (?:is another one|has forgotten commits)|^The sweep was interrupted/,
  async run(purchase) {
    await purchase.orderByPhone('milk-oolong');
    await purchase.databaseIsCopied();
    await purchase.goToPay();
    await purchase.payBy(goodCard);
    await purchase.goBack();
    await purchase.becomes('paid');
    await purchase.refund('234,50');
    await purchase.becomes('partially_refunded');
    await purchase.receiptsAreSettled();
    await purchase.wait(minuteMs, '1 min');
    await purchase.databaseForgets();
    await purchase.databaseGoesOn();
    await purchase.clicksAgain();
    await purchase.isFoundAgain();
    await purchase.becomes('partially_refunded');
    await purchase.refundAgain();
    await purchase.becomes('partially_refunded');
    await purchase.lostTimeIsOver();
    purchase.movedMoneyOnce();
  },
};

const refundElsewhere: Scenario = {
  title: 'Refund made in the Merchant Profile, its notification lost: found by listing',
  run: refundBehindTheShopsBack,
};

/** With that money the service is sent no receipt, and nobody else knows what was given back. */
const refundElsewhereMissing: Scenario = {
  title:
    'Refund made in the Merchant Profile, its notification lost: found by listing, its receipt made by hand',
  errors: /^The receipt of refund .* is missing/,
  async run(purchase) {
    await refundBehindTheShopsBack(purchase);
    await purchase.receiptIsListed();
    await purchase.resolveReceipt('Made by hand in the register, number 4711');
  },
};

async function refundBehindTheShopsBack(purchase: Purchase): Promise<void> {
  await purchase.order('milk-oolong');
  await purchase.payBy(goodCard);
  await purchase.goBack();
  await purchase.becomes('paid');
  await purchase.receiptsAreSettled();
  purchase.orderFault({ on: 'notification', fault: 'drop' }, 'drop the next notification');
  purchase.refundInMerchantProfile('34.50');
  await purchase.wait(dayMs, '1 day');
  await purchase.becomes('partially_refunded');
}

const withReceipts: readonly Scenario[] = [
  {
    title: 'SBP: chosen in the shop, confirmed in the bank’s application',
    async run(purchase) {
      await purchase.order('fireweed', { wayToPay: 'sbp' });
      await purchase.payBySbp();
      await purchase.goBack();
      await purchase.becomes('paid');
    },
  },
  {
    title: 'SberPay: a code on the order’s own page, scanned by the phone',
    async run(purchase) {
      await purchase.order('milk-oolong', { wayToPay: 'bank_app_pay' });
      await purchase.payByCode();
      await purchase.becomes('paid');
    },
  },
  {
    title: 'Refund of one piece of three: its receipt has that piece',
    async run(purchase) {
      await purchase.order('gunpowder-green', { quantity: 3 });
      await purchase.payBy(goodCard);
      await purchase.goBack();
      await purchase.becomes('paid');
      await purchase.refundPieces(1);
      await purchase.becomes('partially_refunded');
    },
  },
  {
    title:
      'Paid in advance, a piece given back, the rest handed over: a second receipt settles the prepayment',
    async run(purchase) {
      await purchase.order('stoneware-cup', { quantity: 3 });
      await purchase.payBy(goodCard);
      await purchase.goBack();
      await purchase.becomes('paid');
      await purchase.refundPieces(1);
      await purchase.becomes('partially_refunded');
      await purchase.receiptsAreSettled();
      const lost = { on: 'receipt', fault: 'reset_after_commit' } as const;
      purchase.orderFault(lost, 'cut the connection once the next receipt is there');
      await purchase.handOver({ clicks: 2 });
      await purchase.wait(5 * minuteMs, '5 min');
      await purchase.prepaymentIsSettled();
    },
  },
];

/** What the shop's pages do not sell, but its programs may. */
const byProgram: readonly Scenario[] = [
  {
    title: 'Paid in advance, handed over in two parcels: each has a receipt that settles its part',
    async run(purchase) {
      await purchase.order('stoneware-cup', { quantity: 3 });
      await purchase.payBy(goodCard);
      await purchase.goBack();
      await purchase.becomes('paid');
      await purchase.receiptsAreSettled();
      await purchase.sendParcel('settlement-parcel-1', [{ description: 'Stoneware Cup', quantity: 2 }]);
      await purchase.handOver();
      await purchase.prepaymentIsSettled(2);
    },
  },
  {
    title: 'Marked goods: one of two comes back, and its receipt says which',
    async run(purchase) {
      await purchase.orderByProgram('fireweed', 2, { piece: marked });
      await purchase.payBy(goodCard);
      await purchase.becomes('paid');
      await purchase.receiptsAreSettled();
      await purchase.refundByProgram('piece-2');
      await purchase.becomes('partially_refunded');
    },
  },
  {
    title: 'Credit by instalments, a discount taken off by the service: a piece comes back for its part',
    async run(purchase) {
      await purchase.orderByProgram('milk-oolong', 3, { payment: { method: 'sber_loan' } });
      const credit = { outcome: 'succeed', loan: 'installments_6', discount: '203.51' } as const;
      purchase.payAtBank(credit, 'takes a credit by instalments, 203,51 ₽ less');
      await purchase.becomes('paid');
      await purchase.receiptsAreSettled();
      await purchase.refundPieces(1);
      await purchase.becomes('partially_refunded');
    },
  },
];

/** A mark code of its own for each piece. */
function marked(piece: number) {
  return {
    paymentSubject: 'marked',
    markMode: '0',
    markQuantity: { numerator: 1, denominator: 1 },
    markCodeInfo: { gs1m: `010463003407001221SxMGorvNuq6W${piece}` },
    plannedStatus: 1,
  } as const;
}

const madeByHand: Scenario = {
  title: 'Receipt failed: the staff make it by hand, and say who and how',
  errors: receiptRefused,
  async run(purchase) {
    await receiptFails(purchase);
    await purchase.resolveReceipt('Made by hand in the register, number 4711');
  },
};

const sentAgain: Scenario = {
  title: 'Receipt failed: the staff send it again, and say who and why',
  errors: receiptRefused,
  async run(purchase) {
    await receiptFails(purchase);
    await purchase.sendReceiptAgain('The register works again');
  },
};

async function receiptFails(purchase: Purchase): Promise<void> {
  purchase.orderReceipt({ status: 'canceled' }, 'have the next receipt refused by the register');
  await purchase.order('smoky-lapsang');
  await purchase.payBy(goodCard);
  await purchase.goBack();
  await purchase.becomes('paid');
  await purchase.wait(5 * minuteMs, '5 min');
  await purchase.receiptIsListed();
}

const unusual: readonly Scenario[] = [
  {
    title: 'Handed over, and its receipt failed: the staff send it again',
    errors: receiptRefused,
    async run(purchase) {
      await purchase.order('stoneware-cup');
      await purchase.payBy(goodCard);
      await purchase.goBack();
      await purchase.becomes('paid');
      await purchase.receiptsAreSettled();
      purchase.orderReceipt({ status: 'canceled' }, 'have the next receipt refused by the register');
      await purchase.handOver();
      await purchase.wait(5 * minuteMs, '5 min');
      await purchase.receiptIsListed();
      await purchase.sendReceiptAgain('The register works again');
      await purchase.wait(5 * minuteMs, '5 min');
      await purchase.prepaymentIsSettled();
    },
  },
  {
    title: 'Receipt late: followed on until it is registered',
    async run(purchase) {
      purchase.orderReceipt({ status: 'pending' }, 'leave the next receipt without an answer');
      await purchase.order('milk-oolong');
      await purchase.payBy(goodCard);
      await purchase.goBack();
      await purchase.becomes('paid');
      await purchase.receiptIsSent();
      await purchase.wait(dayMs + 60 * minuteMs, '1 day 1 h');
      await purchase.receiptIsListed();
      purchase.registerReceipt();
      await purchase.wait(6 * 60 * minuteMs, '6 h');
      await purchase.receiptIsRegistered();
    },
  },
];
