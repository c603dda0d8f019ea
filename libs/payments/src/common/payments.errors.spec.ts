import { RefundWindowClosedError } from './payments.errors.js';

const DAY_MS = 86_400_000;

describe('a refund that comes too late', () => {
  it.each([
    [null, 1098, 'Payment p was made more than 3 years ago and can'],
    ['SberPay', 366, 'Payment p was made more than a year ago by SberPay and can'],
    ['Alfa Pay', 500, 'Payment p was made more than 500 days ago by Alfa Pay and can'],
    ['SberBank credit', 180, 'Payment p was made more than 180 days ago by SberBank credit and can'],
  ])('is refused with the window of its method: %s', (method, days, message) => {
    expect(new RefundWindowClosedError('p', { method, windowMs: days * DAY_MS }).message).toContain(message);
  });
});
