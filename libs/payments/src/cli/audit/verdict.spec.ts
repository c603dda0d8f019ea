import type { AuditDifference } from '../../operator/audit-difference.js';
import { auditVerdict, emptyAuditReport, withAuditSlice } from '../../operator/audit-report.js';
import type { AuditSlice } from '../../operator/audit.js';
import type { UnsettledPrepayment } from '../../operator/receipts/unsettled-prepayments.js';
import { comparedText, progressText, unsettledText, verdictText } from './verdict-words.js';

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
    const found = slices.reduce(withAuditSlice, emptyAuditReport);
    expect(auditVerdict(found)).toBe(verdict);
    expect(comparedText(found)).toBe(compared);
    expect(verdictText(found)).toBe(text);
  });

  it('shows each day, and whether its receipts were compared', () => {
    expect(progressText(different)).toBe(
      'up to 2030-01-31T00:00:00.000Z: 2 payments, 1 refunds, 3 receipts, 1 different',
    );
    expect(progressText(withoutReceipts)).toMatch(/1 refunds, receipts not compared, equal$/);
  });

  it('names the orders whose prepayments were not settled in time, and agrees all the same', () => {
    const prepaid = (orderReference: string): UnsettledPrepayment => ({
      store: 'default',
      paymentId: orderReference,
      orderReference,
      since: day.from,
      left: { value: '900.00', currency: 'RUB' },
      isOverdue: true,
    });
    const found = [
      { ...day, unsettled: [prepaid('A-1')] },
      { ...day, unsettled: ['A-2', 'A-3', 'A-4', 'A-5', 'A-6'].map(prepaid) },
    ].reduce(withAuditSlice, emptyAuditReport);
    expect(auditVerdict(found)).toBe('agree');
    expect(unsettledText(found)).toBe(
      '6 prepayments were not settled in time: orders A-1, A-2, A-3, A-4, A-5, …',
    );
    expect(unsettledText({ unsettled: [prepaid('A-1')] })).toBe(
      '1 prepayment was not settled in time: order A-1',
    );
    expect(unsettledText(emptyAuditReport)).toBeNull();
  });
});
