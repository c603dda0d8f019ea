import { auditVerdict, type AuditReport } from '../../operator/audit-report.js';
import type { AuditSlice } from '../../operator/audit.js';

/** Orders of one line. */
const NAMED = 5;

/** `up to …: 2 payments, 1 refunds, 3 receipts, equal`: what one day has shown. */
export function progressText({ to, payments, refunds, receipts, differences }: AuditSlice): string {
  const ofReceipts = receipts === null ? 'receipts not compared' : `${receipts} receipts`;
  const found = differences.length === 0 ? 'equal' : `${differences.length} different`;
  return `up to ${to.toISOString()}: ${payments} payments, ${refunds} refunds, ${ofReceipts}, ${found}`;
}

/** `2 payments, 1 refunds and 3 receipts`: what was compared. */
export function comparedText({ payments, refunds, receipts }: AuditReport): string {
  if (receipts === null) return `${payments} payments and ${refunds} refunds`;
  return `${payments} payments, ${refunds} refunds and ${receipts} receipts`;
}

/** `the books agree`, but never where receipts were not compared. */
export function verdictText(found: AuditReport): string {
  const { receipts, differences } = found;
  const text = {
    agree: 'the books agree',
    differ: `${differences.length} DIFFERENT`,
    agree_but_receipts: 'these agree',
  }[auditVerdict(found)];
  return receipts === null ? `${text}; receipts NOT COMPARED: the key may not list them` : text;
}

/** `2 prepayments were not settled in time: orders A-1, A-2`; null: none. */
export function unsettledText({ unsettled }: Pick<AuditReport, 'unsettled'>): string | null {
  const { length } = unsettled;
  if (length === 0) return null;
  const orders = unsettled.slice(0, NAMED).map(({ orderReference }) => orderReference);
  const named = `${orders.join(', ')}${length > NAMED ? ', …' : ''}`;
  return length === 1
    ? `1 prepayment was not settled in time: order ${named}`
    : `${length} prepayments were not settled in time: orders ${named}`;
}
