import type { AuditRecord } from '../audit-difference.js';
import type { ListedReceipt } from './listed-receipt.js';
import { suspectsOf } from './receipt-suspects.js';

const record = (serviceId: string, status: string, amountMinor: number): [string, AuditRecord] => [
  serviceId,
  {
    serviceId,
    paymentId: `payment of ${serviceId}`,
    audited: { status, amountMinor, refundedMinor: 0, currency: 'RUB' },
  },
];
const moved = {
  payments: new Map([
    record('paid', 'succeeded', 10_000),
    record('held', 'waiting_for_capture', 5_000),
    record('pending', 'pending', 7_000),
    record('declined', 'canceled', 7_000),
  ]),
  refunds: new Map([record('refund', 'succeeded', 4_000), record('open refund', 'pending', 3_000)]),
};

function receipt(of: Partial<ListedReceipt>, minor: number): ListedReceipt {
  const paidMinor = Math.abs(minor);
  return {
    id: 'receipt',
    type: minor < 0 ? 'refund' : 'payment',
    status: 'succeeded',
    paymentId: null,
    refundId: null,
    totalMinor: paidMinor,
    paidMinor,
    ...of,
  };
}

const agreed = [
  receipt({ paymentId: 'paid' }, 10_000),
  receipt({ paymentId: 'held', status: 'pending' }, 5_000),
  receipt({ paymentId: 'paid', refundId: 'refund' }, -4_000),
];
const none = { paymentIds: [], earlierPayments: [], earlierRefunds: [] };

describe('the receipts of a slice', () => {
  it('that are the money of each of its payments and refunds leave nothing open', () => {
    expect(suspectsOf(moved, agreed)).toEqual(none);
  });

  it.each<[string, ListedReceipt[], string[]]>([
    ['are missing', agreed.slice(1), ['payment of paid']],
    [
      'failed',
      [receipt({ paymentId: 'paid', status: 'canceled' }, 10_000), ...agreed.slice(1)],
      ['payment of paid'],
    ],
    ['are one too many', [...agreed, receipt({ paymentId: 'held' }, 5_000)], ['payment of held']],
    ['are missing for a refund', agreed.slice(0, 2), ['payment of refund']],
    [
      'are there for what was never paid',
      [...agreed, receipt({ paymentId: 'declined' }, 1)],
      ['payment of declined'],
    ],
  ])('that %s make it suspect', (_what, listed, paymentIds) => {
    expect(suspectsOf(moved, listed)).toEqual({ ...none, paymentIds });
  });

  it('make what is from before it suspect, unless they move no money', () => {
    const settlement = { ...receipt({ paymentId: 'settled' }, 10_000), paidMinor: 0 };
    const listed = [
      ...agreed,
      receipt({ paymentId: 'earlier' }, 10_000),
      receipt({ paymentId: 'earlier', refundId: 'earlier refund' }, -1),
      receipt({ paymentId: 'failed', status: 'canceled' }, 10_000),
      settlement,
    ];
    expect(suspectsOf(moved, listed)).toEqual({
      ...none,
      earlierPayments: ['earlier'],
      earlierRefunds: ['earlier refund'],
    });
  });
});
