import { parseAmount, type Amount, type AuditDifference, type AuditedSide } from '@holdfast/payments';

import { roubles } from '../../examples/shared/pages/format.js';

const kinds = {
  missing_here: 'missing here',
  missing_there: 'missing there',
  different: 'different',
} as const satisfies Record<AuditDifference['kind'], string>;

/** `refunded`, `missing here`: what differs between the two sides. */
export function whatDiffers({ kind, fields }: AuditDifference): string {
  return fields.length > 0 ? fields.join(', ') : kinds[kind];
}

/** One side's account: `succeeded 1 234,50 ₽ − 234,50 ₽`. */
export function sideText(audited: AuditedSide | null): string {
  if (audited === null) return '—';
  const { status, amount, refunded } = audited;
  const minus = refunded.value === '0.00' ? '' : ` − ${shown(refunded)}`;
  return `${status} ${shown(amount)}${minus}`;
}

function shown(amount: Amount): string {
  return roubles(parseAmount(amount));
}
