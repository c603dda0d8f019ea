import type { Amount } from '../common/money.js';
import type { AuditDifference } from './audit-difference.js';
import { auditedSideText, differenceText } from './difference-text.js';

const amountText = ({ value, currency }: Amount<string>) => `${value} ${currency}`;

const side = (status: string, amount: string, refunded = '0.00') => ({
  status,
  amount: { value: amount, currency: 'RUB' },
  refunded: { value: refunded, currency: 'RUB' },
});
const base: AuditDifference = {
  kind: 'different',
  object: 'payment',
  serviceId: 'theirs',
  paymentId: 'ours',
  here: side('succeeded', '1234.50'),
  there: side('succeeded', '1234.50', '234.50'),
  fields: ['refunded'],
};
const receipts: AuditDifference = { ...base, object: 'receipts', here: side('succeeded', '100.00', '40.00') };

describe('a difference between the books', () => {
  it.each<[string, AuditDifference]>([
    ['refunded', base],
    ['missing here', { ...base, kind: 'missing_here', here: null, fields: [] }],
    ['status', { ...base, object: 'receipt', fields: ['status'] }],
    ['60.00 RUB without a receipt', { ...receipts, kind: 'missing_there', there: null, fields: [] }],
    ['60.00 RUB without a receipt', { ...receipts, there: side('canceled', '0.00'), fields: ['amount'] }],
    ['40.00 RUB too much in receipts', { ...receipts, there: side('succeeded', '100.00') }],
  ])('is told as %j', (words, difference) => {
    expect(differenceText(difference, amountText)).toBe(words);
  });

  it('shows each side', () => {
    expect(auditedSideText(base.there, amountText)).toBe('succeeded 1234.50 RUB − 234.50 RUB');
    expect(auditedSideText(base.here, amountText)).toBe('succeeded 1234.50 RUB');
    expect(auditedSideText(null, amountText)).toBe('—');
  });
});
