import { emptyAuditReport, type AuditReport } from '@holdfast/payments';
import { booksPage } from './books-page.js';

const period = { from: new Date('2030-01-30T00:00:00Z'), to: new Date('2030-01-31T00:00:00Z') };
const shown = (changes: Partial<AuditReport>) =>
  booksPage({ ...period, found: { ...emptyAuditReport, ...changes } });

describe('the page of the books', () => {
  it('says how many receipts were compared', () => {
    const page = shown({ receipts: 3 });
    expect(page).toContain('The books agree');
    expect(page).toContain('Receipts compared: 3.');
  });

  it('does not say that the books agree where receipts were not compared', () => {
    const page = shown({ receipts: null });
    expect(page).toContain('Payments and refunds agree');
    expect(page).toContain('Receipts were not compared: the shop’s key may not list them.');
    expect(page).not.toContain('The books agree');
  });
});
