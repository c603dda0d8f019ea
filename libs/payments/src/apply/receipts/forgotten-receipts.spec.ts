import { parseServiceReceipt } from '../../api/service-receipt.js';
import type { OwnReceiptStatus } from '../../receipts/own-receipt.js';
import { forgottenReceipts, isSentByItself } from './forgotten-receipts.js';

const listed = (id: string, settled: string, value = '100.00', more: object = {}) =>
  parseServiceReceipt({
    id,
    type: 'payment',
    status: 'succeeded',
    payment_id: 'theirs',
    settlements: [{ type: settled, amount: { value, currency: 'RUB' } }],
    ...more,
  });
const payment = { receiptsAfter: false, amountMinor: 100_00, authorizedMinor: 100_00 };
const after = { ...payment, receiptsAfter: true };
const refunds = [
  { id: 'unanswered', serviceId: null },
  { id: 'our-refund', serviceId: 'their-refund' },
];
const row = (
  receiptKey: string,
  status: OwnReceiptStatus,
  serviceId: string | null,
  unsentTypes: string[] | null = null,
) => ({
  receiptKey,
  status,
  serviceId,
  unsentTypes,
  type: 'payment' as const,
  refundId: null,
  amountMinor: 100_00,
});
const keys = (
  ...[money, known, objects]: [typeof payment, ReturnType<typeof row>[], ReturnType<typeof listed>[]]
) =>
  forgottenReceipts(money, refunds, known, objects).map(({ receiptKey, isSentAgain, row: itsRow }) =>
    [receiptKey, isSentAgain && 'sent again', itsRow && 'has a row'].filter(Boolean).join(', '),
  );

describe('of what the service lists of a payment', () => {
  it('what went with the money was not sent by itself, and an offset was', () => {
    expect(keys(payment, [], [listed('1', 'cashless'), listed('2', 'prepayment')])).toEqual(['found:2']);
  });

  it('what follows the money has the key that it had', () => {
    const back = listed('3', 'cashless', '30.00', { type: 'refund', refund_id: 'their-refund' });
    const all = [
      listed('1', 'cashless'),
      listed('2', 'cashless', '60.00'),
      listed('4', 'cashless', '100.00', { type: 'refund' }),
      back,
      listed('5', 'prepayment'),
    ];
    expect(keys(after, [], all)).toEqual([
      'auto:payment',
      'auto:capture',
      'auto:return',
      'auto:refund:our-refund',
      'found:5',
    ]);
  });

  it('what has a row, or waits for its answer, is not forgotten', () => {
    const both = [listed('1', 'cashless'), listed('2', 'prepayment')];
    expect(keys(after, [row('auto:payment', 'succeeded', '1'), row('one', 'succeeded', '2')], both)).toEqual(
      [],
    );
    expect(keys(after, [row('auto:payment', 'submitting', null)], both)).toEqual([]);
  });

  it('what was never sent as far as its row knows is the one that is settled alike', () => {
    const both = [listed('1', 'prepayment'), listed('2', 'cashless')];
    for (const status of ['owed', 'submitting'] as const)
      expect(keys(after, [row('auto:payment', status, null, ['cashless'])], both)).toEqual([
        'found:1',
        'auto:payment, has a row',
      ]);
    const alike = [listed('1', 'prepayment'), listed('2', 'prepayment')];
    expect(keys(after, [row('one', 'submitting', null, ['prepayment'])], alike)).toEqual([
      'one, has a row',
      'found:2',
    ]);
  });

  it('what failed and was sent again are two attempts', () => {
    const attempts = [listed('1', 'cashless', '100.00', { status: 'canceled' }), listed('2', 'cashless')];
    expect(keys(after, [], attempts)).toEqual(['auto:payment, sent again', 'auto:payment~2']);
    expect(keys(after, [row('auto:payment', 'canceled', '1')], attempts)).toEqual(['auto:payment~2']);
    expect(keys(after, [row('auto:payment', 'owed', null, ['cashless'])], attempts)).toEqual([
      'auto:payment, sent again, has a row',
      'auto:payment~2',
    ]);
  });

  it.each([{ type: 'refund' }, { refundId: 'our-refund' }, { amountMinor: 1 }] as const)(
    'what waits for its answer and differs by %j is another one',
    (fields) => {
      const other = { ...row('other', 'submitting', null), ...fields };
      const found = forgottenReceipts(after, refunds, [other], [listed('1', 'cashless')]);
      expect(found.map(({ receiptKey }) => receiptKey)).toEqual(['auto:payment']);
    },
  );

  it('what is of the whole payment is so by what was paid, or else by what was asked for', () => {
    const all = [listed('1', 'cashless', '90.00')];
    expect(keys({ ...after, authorizedMinor: 90_00 }, [], all)).toEqual(['auto:payment']);
    expect(keys({ ...after, authorizedMinor: 0 }, [], all)).toEqual(['auto:capture']);
    expect(keys({ ...after, authorizedMinor: 0 }, [], [listed('1', 'cashless')])).toEqual(['auto:payment']);
  });

  it.each([
    [null, 100, false],
    [0, null, false],
    [100, 100, false],
    [99, 100, true],
  ])('what is paid by %p of %p went beside the money: %p', (paidMinor, settledMinor, isBeside) => {
    expect(isSentByItself({ receiptsAfter: false }, { paidMinor, settledMinor })).toBe(isBeside);
    expect(isSentByItself({ receiptsAfter: true }, { paidMinor, settledMinor })).toBe(true);
  });

  it('what failed and was not sent again is one attempt, whatever else was sent', () => {
    const failed = listed('1', 'cashless', '100.00', { status: 'canceled' });
    expect(keys(after, [], [failed])).toEqual(['auto:payment']);
    expect(keys(after, [], [listed('0', 'prepayment', '1.00'), failed])).toEqual(['found:0', 'auto:payment']);
    const all = [failed, listed('2', 'cashless', '60.00'), listed('3', 'cashless')];
    expect(keys(after, [], all)).toEqual(['auto:payment, sent again', 'auto:capture', 'auto:payment~2']);
  });

  it('what says too little, or is of a refund that is not known yet, is left out', () => {
    const unknown = listed('1', 'cashless', '30.00', { type: 'refund', refund_id: 'another' });
    const odd = listed('3', 'cashless', '30.00', { type: 'correction' });
    expect(keys(after, [], [unknown, listed('2', 'cashless', 'much'), odd])).toEqual([]);
  });
});
