import { formatAmount, parseAmount, type Amount } from '../common/money.js';
import type { AuditDifference, AuditedSide } from './audit-difference.js';

const kinds = {
  missing_here: 'missing here',
  missing_there: 'missing there',
  different: 'different',
} as const satisfies Record<AuditDifference['kind'], string>;

/**
 * What differs between the two sides: `refunded`, `missing here`, `40,00 ₽ without a receipt`.
 * @param amountText how the reader is used to see an amount: `1 234,50 ₽`
 */
export function differenceText(
  { object, kind, fields, here, there }: AuditDifference,
  amountText: (amount: Amount<string>) => string,
): string {
  if (object !== 'receipts') return fields.length > 0 ? fields.join(', ') : kinds[kind];
  // The shop's money, less what its receipts say.
  const shortMinor = netMinor(here) - netMinor(there);
  const sum = amountText(formatAmount(Math.abs(shortMinor), (here ?? there)?.amount.currency ?? 'RUB'));
  return shortMinor > 0 ? `${sum} without a receipt` : `${sum} too much in receipts`;
}

/**
 * One side's account: `succeeded 1 234,50 ₽ − 234,50 ₽`; `—`: this side has none.
 * @param amountText how the reader is used to see an amount: `1 234,50 ₽`
 */
export function auditedSideText(
  audited: AuditedSide | null,
  amountText: (amount: Amount<string>) => string,
): string {
  if (audited === null) return '—';
  const { status, amount, refunded } = audited;
  const minus = parseAmount(refunded) === 0 ? '' : ` − ${amountText(refunded)}`;
  return `${status} ${amountText(amount)}${minus}`;
}

function netMinor(audited: AuditedSide | null): number {
  return audited === null ? 0 : parseAmount(audited.amount) - parseAmount(audited.refunded);
}
