import type { Amount } from '@holdfast/payments';

/** No line is broken there, and it is narrower than a space. */
const THIN = '\u{202F}';

/** `1234.50` → `1 234,50 ₽`. The digits never pass through a float. */
export function amountText({ value, currency }: Amount<string>): string {
  const [whole = '0', fraction = '00'] = value.split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, THIN);
  return `${grouped},${fraction}${THIN}${currency === 'RUB' ? '₽' : currency}`;
}

/** Whole minor units, for comparing and adding: an amount has exactly two digits after its point. */
export function minorOf({ value }: Amount): number {
  return Number(value.replace('.', ''));
}

/** `1 000`. */
export function countText(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, THIN);
}
