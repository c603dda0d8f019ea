import type { ShopRecords } from './records.js';
import { find, registered, shop } from './sound-books.js';

describe('the audit of a soak whose receipts follow the money', () => {
  const row = (receiptKey: string, serviceId: string | null, status = 'succeeded', byHandMinor = 0) => ({
    id: `our ${receiptKey}`,
    paymentId: 'ours',
    servicePaymentId: 'theirs',
    receiptKey,
    serviceId,
    status,
    byHandMinor,
  });
  const rows = [
    row('auto:payment', 'r1'),
    row('auto:return', 'r2'),
    row('auto:capture', 'r3', 'canceled'),
    row('auto:capture~2', 'r4'),
    row('auto:refund:our-refund', 'r5'),
  ];
  const sent = [
    registered({ id: 'r5', refundId: 'their-refund', amountMinor: -30_00 }),
    registered({ id: 'r4', amountMinor: 80_00 }),
    registered({ id: 'r3', amountMinor: 80_00, status: 'canceled' }),
    registered({ id: 'r2', amountMinor: -100_00 }),
    registered({ id: 'r1', amountMinor: 100_00 }),
  ];
  const toldOf = ({ id, status }: { readonly id: string; readonly status: string }) => ({
    name: status === 'canceled' ? 'receipt.failed' : 'receipt.succeeded',
    paymentId: 'ours',
    refundId: null,
    receiptId: id,
  });
  const quiet = shop.receipts.map((receipt) => ({ ...receipt, status: null }));
  const found = (own: ShopRecords['ownReceipts'], theirs = sent, changed: Partial<ShopRecords> = {}) =>
    find({
      shop: { receipts: quiet, ownReceipts: own, receiptEvents: own.flatMap(told), ...changed },
      service: { receipts: theirs },
    });
  const told = (own: ShopRecords['ownReceipts'][number]) => (own.serviceId === null ? [] : [toldOf(own)]);

  it('finds nothing in those that were sent, one of them again', () => {
    expect(found(rows)).toEqual([]);
  });

  it('takes one that failed for registered once somebody made it by hand', () => {
    const failed = row('auto:capture', 'r3', 'canceled', 80_00);
    const byHand = rows.flatMap((own) =>
      own.receiptKey === 'auto:capture' ? failed : own.receiptKey === 'auto:capture~2' ? [] : own,
    );
    const theirs = sent.filter(({ id }) => id !== 'r4');
    expect(found(byHand, theirs)).toEqual([]);
    expect(
      found(
        byHand.map((own) => ({ ...own, byHandMinor: 0 })),
        theirs,
      ),
    ).toEqual(['lost: receipts of payment theirs of the service are 8000 short of its money']);
  });

  it('needs nobody to be told of one that failed where its hold was let go, or a part of it captured', () => {
    const failed = (key: string, serviceId: string) => [
      ...rows.filter(({ receiptKey }) => receiptKey !== key && receiptKey !== 'auto:return'),
      row(key, serviceId, 'canceled'),
    ];
    const refuse = (refusedId: string) =>
      sent
        .filter(({ id }) => id !== 'r2')
        .map((one) => (one.id === refusedId ? { ...one, status: 'canceled' } : one));
    const untold = (own: ShopRecords['ownReceipts'], id: string) =>
      own.flatMap(told).filter(({ receiptId }) => receiptId !== id);
    const ofHold = failed('auto:payment', 'r1');
    expect(found(ofHold, refuse('r1'), { receiptEvents: untold(ofHold, 'our auto:payment') })).toEqual([]);
    const ofPart = failed('auto:capture~2', 'r4');
    expect(found(ofPart, refuse('r4'), { receiptEvents: untold(ofPart, 'our auto:capture~2') })).toContain(
      'lost: the receipt auto:capture~2 our auto:capture~2 has 0 events receipt.failed',
    );
  });

  it('finds one that is owed for ever, one that was sent though it is void, and one of no row', () => {
    const last = rows.slice(0, -1);
    const key = 'auto:refund:our-refund';
    expect(found([...last, row(key, null, 'owed')], sent.slice(1))).toEqual([
      'doubled: receipts of payment theirs of the service are -3000 short of its money',
      `unsettled: the receipt ${key} our ${key} is owed`,
    ]);
    expect(found([...rows, row('auto:capture~3', null, 'void')])).toEqual([]);
    expect(found([...last, row(key, 'r5', 'void')])).toEqual([
      `wrong: the receipt ${key} our ${key} is void here, and succeeded at the service`,
    ]);
    expect(found(last)).toEqual([
      'lost: the receipt of refund our-refund is null here, and succeeded at the service',
    ]);
  });

  it('takes a refund in the Merchant Profile for told once somebody was', () => {
    const [ofPayment, ofRefund] = quiet;
    if (!ofPayment || !ofRefund) throw new Error('The books are empty.');
    const rowsOfMoney = [ofPayment, { ...ofRefund, missing: true }];
    const failed = { name: 'receipt.failed', paymentId: 'ours', refundId: 'our-refund', receiptId: null };
    const own = [...rows.slice(0, -1), row('found-our-refund', 'r5')];
    const events = own.flatMap(told);
    expect(found(own, sent, { receipts: rowsOfMoney, receiptEvents: [...events, failed] })).toEqual([]);
    expect(found(own, sent, { receipts: rowsOfMoney, receiptEvents: events })).toEqual([
      'wrong: the receipt of refund our-refund is missing, and has 0 events receipt.failed',
    ]);
  });
});
