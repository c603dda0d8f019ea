import { PaymentInputError } from './base.errors.js';

/**
 * An amount as the service writes it, e.g. `{ value: '1234.50', currency: 'RUB' }`. `RUB` is the one currency of the service interface; what only
 * tells what was found may have another one.
 */
export interface Amount<Currency extends string = 'RUB'> {
  /** Digits, a point and exactly two digits. */
  readonly value: string;
  readonly currency: Currency;
}

const VALUE = /^(\d{1,13})\.(\d{2})$/;

/**
 * `'1234.50'` → `123450`, or null if the text is not a decimal amount with exactly two fractional digits. Thirteen whole digits
 * keep the result a safe integer. The text never passes through a float.
 */
export function minorFromValue(value: string): number | null {
  const match = VALUE.exec(value);
  return match ? Number(`${match[1]}${match[2]}`) : null;
}

/** `123450` → `'1234.50'`. */
export function valueFromMinor(amountMinor: number): string {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0) {
    throw new RangeError(`An amount in minor units is a whole number of at least 0, not ${amountMinor}.`);
  }
  const digits = String(amountMinor).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Minor units (kopecks) of an amount.
 * @throws PaymentInputError naming `field` if the value is not `<digits>.<two digits>`.
 */
export function parseAmount(amount: Amount<string>, field = 'amount'): number {
  const amountMinor = minorFromValue(amount.value);
  if (amountMinor === null) {
    throw new PaymentInputError(
      `${field}.value`,
      'must be a decimal string with exactly two fractional digits, e.g. "10.00"',
    );
  }
  return amountMinor;
}

/**
 * The amount of `amountMinor` minor units (kopecks), as the service writes it. Default currency: `RUB`.
 * @throws RangeError for anything but a whole number of at least 0
 */
export function formatAmount(amountMinor: number, currency?: Amount['currency']): Amount;
export function formatAmount<Currency extends string>(
  amountMinor: number,
  currency: Currency,
): Amount<Currency>;
export function formatAmount(amountMinor: number, currency = 'RUB'): Amount<string> {
  return { value: valueFromMinor(amountMinor), currency };
}
