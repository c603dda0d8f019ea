import { earlier, NOW } from '../../../../../test/support/state.js';
import { paymentStatuses } from '../../common/payment-status.js';
import { isReceiptLate, isReceiptNews, receiptNeed } from './receipt-news.js';

const lateMs = 1_000;
const at = { now: NOW, lateMs };

describe('the receipt of a payment', () => {
  it.each([
    [null, null, 0, false],
    [null, 'pending', 999, false],
    [null, 'pending', 1_000, true],
    ['pending', null, 999, false],
    ['pending', null, 1_000, true],
    ['pending', 'succeeded', 0, true],
    ['pending', 'canceled', 0, true],
    ['succeeded', 'succeeded', 5_000, false],
    ['succeeded', null, 5_000, false],
    ['canceled', 'succeeded', 0, true],
  ] as const)('that was %s and is %s after %d ms is news: %s', (receiptStatus, after, ms, isNews) => {
    expect(isReceiptNews({ receiptStatus, updatedAt: earlier(ms) }, { receiptStatus: after }, at)).toBe(
      isNews,
    );
  });

  it('is late once its time is up', () => {
    expect([999, 1_000, 1_001].map((ms) => isReceiptLate({ updatedAt: earlier(ms) }, at))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it.each(paymentStatuses)('is needed as the money of a payment that is %s needs it', (status) => {
    const need: Partial<Record<typeof status, string>> = {
      submitting: 'not-yet',
      pending: 'not-yet',
      canceled: 'none',
      rejected: 'none',
    };
    const free = need[status] ?? 'needed';
    expect(receiptNeed({ status, authorizedMinor: 0 })).toBe(free);
    expect(receiptNeed({ status, authorizedMinor: 1 })).toBe(free === 'not-yet' ? free : 'needed');
  });
});
