import type { LedgerTotals } from '@holdfast/sandbox';

import { compareBooks, type BookedPayment } from './books.js';

const oneStage: BookedPayment = {
  serviceId: 'one',
  status: 'succeeded',
  capture: true,
  amountMinor: 123_450,
  discountMinor: 0,
  capturedMinor: 123_450,
  refundedMinor: 0,
  refunds: 0,
  orderReference: 'ONE',
  orderState: 'paid',
  handedOver: false,
  orderTotalMinor: 123_450,
  orderPaidMinor: 123_450,
  orderRefundedMinor: 0,
  effects: ['paid'],
  effectsRefundedMinor: 0,
};
const held: BookedPayment = {
  ...oneStage,
  status: 'waiting_for_capture',
  capture: false,
  capturedMinor: 0,
  orderState: 'held',
  orderPaidMinor: 0,
  effects: ['held'],
};
const pending: BookedPayment = { ...held, status: 'pending', orderState: 'awaiting_payment', effects: [] };
const declined: BookedPayment = {
  ...pending,
  status: 'canceled',
  orderState: 'payment_failed',
  effects: ['payment_failed'],
};
const refundedPart: BookedPayment = {
  ...oneStage,
  refundedMinor: 23_450,
  refunds: 1,
  orderState: 'partially_refunded',
  orderRefundedMinor: 23_450,
  effects: ['paid', 'refunded'],
  effectsRefundedMinor: 23_450,
};
const refundedWhole: BookedPayment = {
  ...refundedPart,
  refundedMinor: 123_450,
  refunds: 2,
  orderState: 'refunded',
  orderRefundedMinor: 123_450,
  effects: ['paid', 'refunded', 'refunded'],
  effectsRefundedMinor: 123_450,
};

const nothing: LedgerTotals = {
  charges: 0,
  captures: 0,
  cancels: 0,
  refunds: 0,
  charged: '0.00',
  captured: '0.00',
  refunded: '0.00',
};
const hold: LedgerTotals = { ...nothing, charges: 1, charged: '1234.50' };
const taken: LedgerTotals = { ...hold, captures: 1, captured: '1234.50' };
const partBack: LedgerTotals = { ...taken, refunds: 1, refunded: '234.50' };
const allBack: LedgerTotals = { ...taken, refunds: 2, refunded: '1234.50' };

function differences(booked: BookedPayment, ledger: LedgerTotals): readonly string[] | undefined {
  return compareBooks([booked], { one: ledger })[0]?.differences.map((text) =>
    text.replaceAll('\u00a0', ' '),
  );
}

describe('the comparison of the books', () => {
  it.each<[string, BookedPayment, LedgerTotals]>([
    ['a one-stage payment', oneStage, taken],
    ['a captured hold', { ...oneStage, capture: false, effects: ['held', 'paid'] }, taken],
    [
      'a captured hold whose handlers ran late',
      { ...oneStage, capture: false, effects: ['paid', 'held'] },
      taken,
    ],
    ['a payment refunded in part', refundedPart, partBack],
    ['a payment refunded whole, in two parts', refundedWhole, allBack],
    [
      'a captured hold that was refunded',
      { ...refundedPart, capture: false, effects: ['refunded', 'held', 'paid'] },
      partBack,
    ],
    ['a hold', held, hold],
    ['a payment nobody made yet', pending, nothing],
    ['a declined payment', declined, { ...nothing, cancels: 1 }],
    [
      'a released hold',
      { ...declined, orderState: 'canceled', effects: ['held', 'canceled'] },
      { ...hold, cancels: 1 },
    ],
  ])('finds nothing wrong with %s', (_name, booked, ledger) => {
    expect(differences(booked, ledger)).toEqual([]);
  });

  it('names a capture that is missing', () => {
    expect(differences(oneStage, hold)).toEqual([
      'order ONE: the ledger has 0 captures, expected 1',
      'order ONE: the ledger captured 0,00 ₽, the module 1 234,50 ₽',
      'order ONE: the ledger captured 0,00 ₽, the module counts as paid 1 234,50 ₽',
      'order ONE: the ledger captured 0,00 ₽, the shop has as paid 1 234,50 ₽',
    ]);
  });

  it('names a capture that happened twice, although the sum is right', () => {
    expect(differences(oneStage, { ...taken, captures: 2 })).toEqual([
      'order ONE: the ledger has 2 captures, expected 1',
    ]);
  });

  it('names a buyer who was charged twice', () => {
    expect(differences(oneStage, { ...taken, charges: 2, charged: '2469.00' })).toEqual([
      'order ONE: the ledger has 2 charges, expected 1',
      'order ONE: the ledger charged 2 469,00 ₽, the payment is for 1 234,50 ₽',
    ]);
  });

  it('names a refund that the shop does not know', () => {
    expect(differences(oneStage, partBack)).toEqual([
      'order ONE: the ledger has 1 refunds, expected 0',
      'order ONE: the ledger refunded 234,50 ₽, the module 0,00 ₽',
      'order ONE: the ledger refunded 234,50 ₽, the module counts as refunded 0,00 ₽',
      'order ONE: the ledger refunded 234,50 ₽, handlers 0,00 ₽',
    ]);
  });

  it('names a buyer who got a refund twice', () => {
    expect(differences(refundedPart, { ...partBack, refunds: 2, refunded: '469.00' })).toEqual([
      'order ONE: the ledger has 2 refunds, expected 1',
      'order ONE: the ledger refunded 469,00 ₽, the module 234,50 ₽',
      'order ONE: the ledger refunded 469,00 ₽, the module counts as refunded 234,50 ₽',
      'order ONE: the ledger refunded 469,00 ₽, handlers 234,50 ₽',
    ]);
  });

  it('names a refund whose handler took effect twice, or not at all', () => {
    const twice = {
      ...refundedPart,
      effects: ['paid', 'refunded', 'refunded'],
      effectsRefundedMinor: 46_900,
    };
    expect(differences(twice, partBack)).toEqual([
      'order ONE: the ledger refunded 234,50 ₽, handlers 469,00 ₽',
      'order ONE: handlers took effect as paid + refunded + refunded, expected paid + refunded',
    ]);
    const never = { ...refundedPart, orderState: 'paid', effects: ['paid'], effectsRefundedMinor: 0 };
    expect(differences(never, partBack)).toEqual([
      'order ONE: the payment is succeeded, but the order is paid, not partially_refunded',
      'order ONE: the ledger refunded 234,50 ₽, handlers 0,00 ₽',
      'order ONE: handlers took effect as paid, expected paid + refunded',
    ]);
  });

  it('names an amount that differs by a kopeck on either side', () => {
    expect(differences({ ...oneStage, capturedMinor: 123_449 }, taken)).toEqual([
      'order ONE: the ledger captured 1 234,50 ₽, the module 1 234,49 ₽',
    ]);
    expect(differences({ ...oneStage, orderPaidMinor: 123_449 }, taken)).toEqual([
      'order ONE: the ledger captured 1 234,50 ₽, the module counts as paid 1 234,49 ₽',
    ]);
    expect(differences({ ...oneStage, orderTotalMinor: 123_451 }, taken)).toEqual([
      'order ONE: the ledger captured 1 234,50 ₽, the shop has as paid 1 234,51 ₽',
    ]);
    expect(differences(held, { ...hold, charged: '1234.49' })).toEqual([
      'order ONE: the ledger charged 1 234,49 ₽, the payment is for 1 234,50 ₽',
    ]);
  });

  it.each<[string, string[], string]>([
    ['twice', ['paid', 'paid'], 'paid + paid'],
    ['never', [], 'none'],
    ['as another', ['held'], 'held'],
  ])('names an effect that happened %s', (_name, effects, found) => {
    expect(differences({ ...oneStage, effects }, taken)).toEqual([
      `order ONE: handlers took effect as ${found}, expected paid`,
    ]);
  });

  it('names an order that does not follow its payment', () => {
    expect(differences({ ...held, orderState: 'awaiting_payment' }, hold)).toEqual([
      'order ONE: the payment is waiting_for_capture, but the order is awaiting_payment, not held',
    ]);
  });

  it('names an order that is wrongly paid', () => {
    expect(
      differences({ ...declined, orderState: 'paid', effects: ['paid'] }, { ...nothing, cancels: 1 }),
    ).toEqual([
      'order ONE: the payment is canceled, but the order is paid, not payment_failed or canceled',
      'order ONE: the ledger captured 0,00 ₽, the shop has as paid 1 234,50 ₽',
    ]);
  });

  it('names a buyer who was charged for a payment the shop takes as declined', () => {
    expect(differences(declined, taken)).toContain('order ONE: the ledger has 1 captures, expected 0');
  });

  it('names a payment that the ledger does not know, and one that the shop does not know', () => {
    const compared = compareBooks([oneStage], { other: taken });
    expect(compared.map((payment) => payment.booked?.orderReference)).toEqual(['ONE', undefined]);
    expect(compared[0]?.differences).toContain('order ONE: the ledger has 0 charges, expected 1');
    expect(compared[1]?.differences).toEqual(['the shop does not know payment other of the ledger']);
  });
});
