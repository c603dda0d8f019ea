/** An amount on the wire. */
export interface WireAmount {
  readonly value: string;
  readonly currency: 'RUB';
}

/** Reads `"1234.50"` as 123450 minor units; undefined unless it has exactly two fractional digits. */
export function parseMinor(value: unknown): number | undefined {
  // Thirteen whole digits and two fractional ones stay below Number.MAX_SAFE_INTEGER.
  const match = typeof value === 'string' ? /^(\d{1,13})\.(\d{2})$/.exec(value) : null;
  return match ? Number(`${match[1]}${match[2]}`) : undefined;
}

/** Writes 123450 minor units as `"1234.50"`. */
export function formatMinor(minor: number): string {
  const digits = String(minor).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function wireAmount(minor: number): WireAmount {
  return { value: formatMinor(minor), currency: 'RUB' };
}

export function sumMinor(parts: readonly { readonly amountMinor: number }[]): number {
  return parts.reduce((totalMinor, { amountMinor }) => totalMinor + amountMinor, 0);
}
