import type { ListedReceipt } from './listed-receipt.js';
import type { ReceiptAccount } from './receipt-account.js';
import { imbalanceOf, owesReceipts } from './receipt-balance.js';

const paid: ReceiptAccount = {
  paymentId: 'ours',
  serviceId: 'theirs',
  status: 'succeeded',
  currency: 'RUB',
  authorizedMinor: 10_000,
  capturedMinor: 10_000,
  refundedMinor: 0,
  receiptStatus: 'succeeded',
  method: 'bank_card',
  wasSent: false,
  refunds: [],
  own: [],
  problems: [],
};
const refund = {
  id: 'r-ours',
  serviceId: 'r-theirs',
  status: 'succeeded',
  receiptStatus: null,
  amountMinor: 4_000,
} as const;
const refunded: ReceiptAccount = { ...paid, refundedMinor: 4_000, refunds: [refund] };

const ownOne = { id: 'own', refundId: null, serviceId: null, type: 'payment' } as const;

let receipts = 0;

/** Below zero: of income returned. */
function receipt(minor: number, more: Partial<ListedReceipt> = {}): ListedReceipt {
  return {
    id: `receipt-${(receipts += 1)}`,
    type: minor < 0 ? 'refund' : 'payment',
    status: 'succeeded',
    paymentId: 'theirs',
    refundId: null,
    totalMinor: Math.abs(minor),
    paidMinor: Math.abs(minor),
    ...more,
  };
}

const ofRefund = { refundId: 'r-theirs' } as const;
const failed = { status: 'canceled' } as const;

type Resolved = ReceiptAccount['problems'][number];
const resolution = {};

describe('the receipts of a payment', () => {
  it.each<[string, ReceiptAccount, ListedReceipt[]]>([
    ['of all of it', paid, [receipt(10_000)]],
    ['that is on its way', paid, [receipt(10_000, { status: 'pending' })]],
    ['less what was refunded', refunded, [receipt(10_000), receipt(-4_000, ofRefund)]],
    ['whose refund is told as one of the payment', refunded, [receipt(10_000), receipt(-4_000)]],
    ['that was made anew after a failure', paid, [receipt(10_000, failed), receipt(10_000)]],
    [
      'and of its settlement, which is no money',
      paid,
      [receipt(10_000), receipt(6_000, { type: 'payment', paidMinor: 0 })],
    ],
    [
      'of a part that was captured',
      { ...paid, capturedMinor: 4_000 },
      [receipt(10_000), receipt(-10_000), receipt(4_000)],
    ],
    ['of a hold', { ...paid, status: 'waiting_for_capture', capturedMinor: 0 }, [receipt(10_000)]],
    [
      'of a hold that was let go',
      { ...paid, status: 'canceled', capturedMinor: 0 },
      [receipt(10_000), receipt(-10_000)],
    ],
    ['of which there is none, since nothing was paid', { ...paid, status: 'canceled', capturedMinor: 0 }, []],
    ['that come before the money', { ...paid, status: 'pending', capturedMinor: 0 }, [receipt(10_000)]],
    [
      'and of a refund that has still to end',
      { ...paid, refunds: [{ ...refund, status: 'pending' }] },
      [receipt(10_000), receipt(-4_000, ofRefund)],
    ],
  ])('%s are its money', (_what, account, listed) => {
    expect(imbalanceOf(account, listed)).toBeNull();
  });

  const side = (status: string, amountMinor: number, refundedMinor = 0) => ({
    status,
    amountMinor,
    refundedMinor,
    currency: 'RUB',
  });

  it('that are not there at all differ from its money', () => {
    expect(imbalanceOf(paid, [])).toEqual({ here: side('succeeded', 10_000), there: null, fields: [] });
  });

  it.each<[string, ReceiptAccount, ListedReceipt[], ReturnType<typeof side>, string[]]>([
    ['failed', paid, [receipt(10_000, failed)], side('canceled', 0), ['amount']],
    ['are there twice', paid, [receipt(10_000), receipt(10_000)], side('succeeded', 20_000), ['amount']],
    [
      'lack the one of a refund',
      refunded,
      [receipt(10_000, { status: 'pending' })],
      side('pending', 10_000),
      ['refunded'],
    ],
    [
      'lack the part that was captured',
      { ...paid, capturedMinor: 4_000 },
      [receipt(10_000), receipt(-10_000), receipt(4_000, failed)],
      side('canceled', 10_000, 10_000),
      ['amount'],
    ],
    [
      'are of a hold that was let go',
      { ...paid, status: 'canceled', capturedMinor: 0 },
      [receipt(10_000)],
      side('succeeded', 10_000),
      ['amount'],
    ],
    [
      'are of money that was given back twice',
      refunded,
      [receipt(10_000), receipt(-4_000, ofRefund), receipt(-4_000)],
      side('succeeded', 10_000, 8_000),
      ['amount'],
    ],
  ])('that %s differ from its money, and it is said where', (_what, account, listed, there, fields) => {
    expect(imbalanceOf(account, listed)).toMatchObject({ there, fields });
  });

  describe('one of which failed', () => {
    const listed = [receipt(10_000, failed)];
    const failedOne = { refundId: null, receiptId: null, status: 'canceled', resolution } as const;
    const own = {
      id: 'own',
      refundId: null,
      serviceId: 'rt-own',
      type: 'payment',
      status: 'canceled',
      amountMinor: 10_000,
    } as const;

    it.each<[string, Partial<ReceiptAccount>, ListedReceipt[], boolean]>([
      ['and was made by hand are its money', {}, listed, true],
      ['and was sent anew are its money', {}, [...listed, receipt(10_000)], true],
      ['and was sent anew twice are not', {}, [...listed, receipt(10_000), receipt(10_000)], false],
      ['and that of a refund, which nobody looked after, are not', refunded, [receipt(10_000)], false],
    ])('%s, once a person says that it is resolved', (_what, more, all, isMoney) => {
      const account = { ...paid, ...more, problems: [failedOne] };
      expect(imbalanceOf(account, all) === null).toBe(isMoney);
    });

    it('of a refund is resolved by its own problem alone', () => {
      const all = [receipt(10_000), receipt(-4_000, { ...ofRefund, ...failed })];
      const resolvedFor = (refundId: string | null) =>
        imbalanceOf({ ...refunded, problems: [{ ...failedOne, refundId }] }, all);
      expect(resolvedFor('r-ours')).toBeNull();
      expect(resolvedFor(null)).not.toBeNull();
    });

    it('and that the service refused is listed nowhere, and made by hand once a person says so', () => {
      const refusedOne = {
        id: 'own',
        refundId: null,
        serviceId: null,
        type: 'payment',
        status: 'rejected',
        amountMinor: 10_000,
      } as const;
      const resolvedFor = (receiptId: string) =>
        imbalanceOf({ ...paid, own: [refusedOne], problems: [{ ...failedOne, receiptId }] }, []);
      expect(resolvedFor('own')).toBeNull();
      expect(resolvedFor('other')).not.toBeNull();
    });

    it('and was sent by itself is resolved by its own problem alone', () => {
      const all = [receipt(10_000, { ...failed, id: 'rt-own' })];
      const resolvedFor = (receiptId: string | null) =>
        imbalanceOf({ ...paid, own: [own], problems: [{ ...failedOne, receiptId }] }, all);
      expect(resolvedFor('own')).toBeNull();
      expect(resolvedFor(null)).not.toBeNull();
    });

    it.each([
      ['that is open', null],
      ['of which another attempt was sent', { sentAgainAs: 'another' }],
    ])('and was sent by itself is not resolved by a problem %s', (_what, how) => {
      const problem = { ...failedOne, receiptId: 'own', resolution: how };
      const all = [receipt(10_000, { ...failed, id: 'rt-own' })];
      expect(imbalanceOf({ ...paid, own: [own], problems: [problem] }, all)).not.toBeNull();
    });
  });

  describe('one of which was missing', () => {
    const missing = { refundId: null, receiptId: null, status: 'missing', resolution } as const;
    const ofTheRefund = { ...missing, refundId: 'r-ours' } as const;
    const part: ReceiptAccount = { ...paid, capturedMinor: 4_000 };
    const letGo: ReceiptAccount = { ...paid, status: 'canceled', capturedMinor: 0 };
    const [income, returned] = [receipt(10_000), receipt(-10_000)];

    it.each<[string, ReceiptAccount, Resolved, ListedReceipt[]]>([
      ['of a refund', refunded, ofTheRefund, [income]],
      ['of a refund, which another system sent', refunded, ofTheRefund, [income, receipt(-4_000, ofRefund)]],
      ['of the part that was captured', part, missing, [income, returned]],
      ['of that part, and with it the return of the whole', part, missing, [income]],
      ['of a hold that was let go', letGo, missing, [income]],
      ['of a payment that has none', paid, missing, []],
    ])('%s, are its money once a person has made it by hand', (_what, account, problem, listed) => {
      expect(imbalanceOf({ ...account, problems: [problem] }, listed)).toBeNull();
    });

    it.each<[string, ReceiptAccount, Resolved, ListedReceipt[]]>([
      ['and that of a refund too', refunded, missing, [income]],
      [
        'and came twice',
        refunded,
        ofTheRefund,
        [income, receipt(-4_000, ofRefund), receipt(-4_000, ofRefund)],
      ],
      ['and never, while that of the payment came twice', paid, missing, [income, receipt(10_000)]],
      [
        'and that failed at another system, while another was never sent',
        { ...refunded, refundedMinor: 8_000, refunds: [refund, { ...refund, id: 'r2', serviceId: 'r2' }] },
        ofTheRefund,
        [income, receipt(-4_000, { ...ofRefund, ...failed })],
      ],
    ])(
      '%s, are not its money, even if a person says that it is resolved',
      (_what, account, problem, listed) => {
        expect(imbalanceOf({ ...account, problems: [problem] }, listed)).not.toBeNull();
      },
    );

    it('and was sent by itself then, is resolved by its own problem alone', () => {
      const sent = { ...ownOne, id: 'own', refundId: 'r-ours', type: 'refund', amountMinor: 4_000 } as const;
      const resolvedFor = (status: 'rejected' | 'void', ...resolved: Resolved[]) =>
        imbalanceOf({ ...refunded, own: [{ ...sent, status }], problems: [ofTheRefund, ...resolved] }, [
          income,
        ]);
      expect(resolvedFor('rejected')).not.toBeNull();
      expect(resolvedFor('rejected', { ...missing, receiptId: 'own', status: 'canceled' })).toBeNull();
      expect(resolvedFor('void')).toBeNull();
    });
  });

  it.each([
    ['has not arrived', []],
    ['has arrived', [receipt(10_000)]],
  ])('one of which is being sent are its money, also if it %s', (_what, listed) => {
    const sending = { ...ownOne, status: 'submitting' } as const;
    const account = { ...paid, own: [{ ...sending, amountMinor: 10_000 }] };
    expect(imbalanceOf(account, listed)).toBeNull();
    expect(imbalanceOf({ ...account, own: [{ ...sending, amountMinor: 9_000 }] }, [])).not.toBeNull();
  });
});

describe('a payment', () => {
  const none: ReceiptAccount = { ...paid, receiptStatus: null };

  it.each<[string, ReceiptAccount]>([
    ['has one already', paid],
    ['was created with one', { ...none, wasSent: true }],
    ['has one for a refund', { ...none, refunds: [{ ...refund, receiptStatus: 'pending' }] }],
    [
      'has one that was sent by itself',
      { ...none, own: [{ ...ownOne, status: 'rejected', amountMinor: 1 }] },
    ],
  ])('that %s needs receipts', (_what, account) => {
    expect(owesReceipts(account, false)).toBe(true);
  });

  it('needs receipts where all do, except when a company paid by its bank', () => {
    expect(owesReceipts(none, false)).toBe(false);
    expect(owesReceipts(none, true)).toBe(true);
    expect(owesReceipts({ ...none, method: null }, true)).toBe(true);
    expect(owesReceipts({ ...none, method: 'b2b_sberbank' }, true)).toBe(false);
  });
});
