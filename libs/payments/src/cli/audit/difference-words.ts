import { formatAmount, parseAmount } from '../../common/money.js';
import type { AuditDifference, AuditedSide } from '../../operator/audit-difference.js';
import { amountText } from '../screen/texts.js';

const kinds = {
  missing_here: 'missing here',
  missing_there: 'missing there',
  different: 'different',
} as const satisfies Record<AuditDifference['kind'], string>;

/** `refunded`, `missing here`, `40,00 ₽ without a receipt`: what differs between the two sides. */
export function whatDiffers({ object, kind, fields, here, there }: AuditDifference): string {
  if (object === 'receipts') return receiptsText(netMinor(here) - netMinor(there));
  return fields.length > 0 ? fields.join(', ') : kinds[kind];
}

/** One side's account: `succeeded 1 234,50 ₽ − 234,50 ₽`. */
export function sideText(audited: AuditedSide | null): string {
  if (audited === null) return '—';
  const { status, amount, refunded } = audited;
  const minus = refunded.value === '0.00' ? '' : ` − ${amountText(refunded)}`;
  return `${status} ${amountText(amount)}${minus}`;
}

/** The shop's money, less what its receipts say. */
function receiptsText(shortMinor: number): string {
  const sum = amountText(formatAmount(Math.abs(shortMinor)));
  return shortMinor > 0 ? `${sum} without a receipt` : `${sum} too much in receipts`;
}

function netMinor(audited: AuditedSide | null): number {
  return audited === null ? 0 : parseAmount(audited.amount) - parseAmount(audited.refunded);
}
