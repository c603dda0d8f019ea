import { parseAmount, type Amount, type AuditDifference, type AuditedSide } from '@holdfast/payments';

import { printTable, styled } from '../demo/print.js';
import { roubles } from '../pages/format.js';

const headings = ['', 'service id', 'our payment', 'here', 'there', 'what'];

const kinds = {
  missing_here: 'missing here',
  missing_there: 'missing there',
  different: 'different',
} as const satisfies Record<AuditDifference['kind'], string>;

/** The differences, a line for each, and the verdict. */
export function printAudit(
  differences: readonly AuditDifference[],
  counted: { readonly payments: number; readonly refunds: number },
): void {
  if (differences.length > 0) printTable(headings, differences.map(cells));
  const compared = `${counted.payments} payments and ${counted.refunds} refunds compared`;
  const verdict =
    differences.length === 0
      ? styled('green', 'the books agree')
      : styled('red', `${differences.length} DIFFERENT`);
  console.log(`\n${compared}: ${verdict}`);
}

function cells({ kind, object, serviceId, paymentId, here, there, fields }: AuditDifference): string[] {
  const what = fields.length > 0 ? fields.join(', ') : kinds[kind];
  return [object, serviceId, paymentId ?? '—', side(here), side(there), styled('red', what)];
}

function side(audited: AuditedSide | null): string {
  if (audited === null) return '—';
  const { status, amount, refunded } = audited;
  const minus = refunded.value === '0.00' ? '' : ` − ${shown(refunded)}`;
  return `${status} ${shown(amount)}${minus}`;
}

function shown(amount: Amount): string {
  return roubles(parseAmount(amount));
}
