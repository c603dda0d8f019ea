/** A payment or refund as either side has it, as far as an audit compares. */
export interface Audited {
  readonly status: string;
  /** The captured sum of a payment that succeeded, else its amount; for a refund its amount. In minor units. */
  readonly amountMinor: number;
  /** The refunded sum of a payment; zero for a refund. */
  readonly refundedMinor: number;
  readonly currency: string;
}

const compared = ['status', 'amountMinor', 'refundedMinor', 'currency'] as const;

/** The differences; empty if both sides agree. */
export function fieldsThatDiffer(here: Audited, there: Audited): (typeof compared)[number][] {
  return compared.filter((field) => here[field] !== there[field]);
}

/** Days of business time, the last one perhaps shorter: the slices of an audit. */
export function slices(from: Date, to: Date, lengthMs: number): { from: Date; to: Date }[] {
  const found: { from: Date; to: Date }[] = [];
  for (let start = from.getTime(); start < to.getTime(); start += lengthMs)
    found.push({ from: new Date(start), to: new Date(Math.min(start + lengthMs, to.getTime())) });
  return found;
}
