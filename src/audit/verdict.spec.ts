import type { AuditDifference, AuditSlice } from '@holdfast/payments';

import { nothingFound, verdictOf, withSlice } from './found.js';
import { comparedText, progressText, verdictText } from './verdict-words.js';

const difference: AuditDifference = {
  kind: 'missing_here',
  object: 'payment',
  serviceId: 'theirs',
  paymentId: null,
  here: null,
  there: null,
  fields: [],
};
const day: AuditSlice = {
  from: new Date('2030-01-30T00:00:00Z'),
  to: new Date('2030-01-31T00:00:00Z'),
  payments: 2,
  refunds: 1,
  receipts: 3,
  differences: [],
  unsettled: [],
};
const withoutReceipts: AuditSlice = { ...day, receipts: null };
const different: AuditSlice = { ...day, differences: [difference] };

describe('an audit of several days', () => {
  it.each<[string, AuditSlice[], string, string]>([
    ['agree', [day, day], '4 payments, 2 refunds and 6 receipts', 'the books agree'],
    ['differ', [day, different], '4 payments, 2 refunds and 6 receipts', '1 DIFFERENT'],
    [
      'agree_but_receipts',
      [day, withoutReceipts, day],
      '6 payments and 3 refunds',
      'these agree; receipts NOT COMPARED: the key may not list them',
    ],
    [
      'differ',
      [withoutReceipts, different],
      '4 payments and 2 refunds',
      '1 DIFFERENT; receipts NOT COMPARED: the key may not list them',
    ],
  ])('is told as %j', (verdict, slices, compared, text) => {
    const found = slices.reduce(withSlice, nothingFound);
    expect(verdictOf(found)).toBe(verdict);
    expect(comparedText(found)).toBe(compared);
    expect(verdictText(found)).toBe(text);
  });

  it('shows each day, and whether its receipts were compared', () => {
    expect(progressText(different)).toBe(
      'up to 2030-01-31T00:00:00.000Z: 2 payments, 1 refunds, 3 receipts, 1 different',
    );
    expect(progressText(withoutReceipts)).toMatch(/1 refunds, receipts not compared, equal$/);
  });
});
