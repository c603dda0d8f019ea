/** A register counts to the thousandth, so a quantity is a whole number of thousandths here: 1.5 kg is 1500. */
export const THOUSANDTHS = 1000;

/** What a register takes: at most 99999.999. */
const QUANTITY = /^(\d{1,5})(?:\.(\d{1,3}))?$/;

/** `2`, `'2'`, `1.5` or `'0.750'` → thousandths; null for what is no quantity above zero with at most three decimals. */
export function parseQuantity(quantity: unknown): number | null {
  if (typeof quantity !== 'number' && typeof quantity !== 'string') return null;
  const [, whole = '', decimals = ''] = QUANTITY.exec(String(quantity)) ?? [];
  const thousandths = Number(`${whole}${decimals.padEnd(3, '0')}`);
  return whole !== '' && thousandths > 0 ? thousandths : null;
}

/** `1500` → `1.5`: what stands on the wire is a JSON number. */
export function quantityOf(thousandths: number): number {
  return thousandths / THOUSANDTHS;
}
