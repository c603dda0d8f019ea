import type { Fields } from '../common/fields.js';
import { parseMinor } from '../common/money.js';
import { invalidRequest } from './service-error.js';

const LONGEST = { metadataKeys: 16, metadataKey: 32, metadataValue: 512 };

/**
 * Reads an object; `parameter` is the path of the field it came from, undefined for the body itself. Unknown fields are
 * tolerated, as the service does: clients send more.
 */
export function fields(value: unknown, parameter?: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest(
      parameter === undefined ? 'Needs a JSON object as its body' : 'Needs an object',
      parameter,
    );
  }
  return { ...value };
}

/** Reads an amount above zero. */
export function amountMinor(amount: unknown, parameter = 'amount'): number {
  const { value, currency } = fields(amount, parameter);
  const minor = parseMinor(value);
  if (minor === undefined || minor === 0) {
    throw invalidRequest(
      'Needs a decimal string above zero with two fractional digits',
      `${parameter}.value`,
    );
  }
  if (currency !== 'RUB') throw invalidRequest('Needs RUB', `${parameter}.currency`);
  return minor;
}

export function optionalBoolean(value: unknown, parameter: string): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  throw invalidRequest('Needs true or false', parameter);
}

/** Reads a text of at least one character. */
export function text(value: unknown, longest: number, parameter: string): string {
  if (typeof value !== 'string' || value === '') throw invalidRequest('Needs a text', parameter);
  return within(value, longest, parameter);
}

/** Reads a text that may be missing or empty. */
export function optionalText(value: unknown, longest: number, parameter: string): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string') throw invalidRequest('Needs a string', parameter);
  return within(value, longest, parameter);
}

/** Reads a text of the given form. */
export function matching(value: unknown, form: RegExp, description: string, parameter: string): string {
  if (typeof value === 'string' && form.test(value)) return value;
  throw invalidRequest(description, parameter);
}

/** Reads a list that may be missing; each item gets its own path. */
export function optionalList<Item>(
  value: unknown,
  most: number,
  parameter: string,
  read: (item: unknown, parameter: string) => Item,
): readonly Item[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw invalidRequest('Needs a list', parameter);
  if (value.length > most) throw invalidRequest(`Takes at most ${most} items`, parameter);
  return value.map((item, index) => read(item, `${parameter}[${index}]`));
}

/** Reads the merchant's own notes on an object (assumed: the interface shows them in answers only). */
export function metadata(value: unknown, parameter = 'metadata'): Readonly<Record<string, string>> {
  const entries = Object.entries(value === undefined ? {} : fields(value, parameter));
  if (entries.length > LONGEST.metadataKeys) {
    throw invalidRequest(`Takes at most ${LONGEST.metadataKeys} keys`, parameter);
  }
  return Object.fromEntries(
    entries.map(([key, note]) => {
      if (typeof note !== 'string') throw invalidRequest(`The value of ${key} must be a string`, parameter);
      return [within(key, LONGEST.metadataKey, parameter), within(note, LONGEST.metadataValue, parameter)];
    }),
  );
}

/** Counts a character beyond the 16-bit range once. */
function within(value: string, longest: number, parameter: string): string {
  if (Array.from(value).length > longest)
    throw invalidRequest(`Takes at most ${longest} characters`, parameter);
  return value;
}

export function integer(value: unknown, least: number, most: number, parameter: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalidRequest(`Needs a whole number from ${least} to ${most}`, parameter);
}

/** Reads one of these names. */
export function knownName<Name extends string>(
  value: unknown,
  names: readonly Name[],
  parameter: string,
): Name {
  const name = names.find((known) => known === value);
  if (name === undefined) throw invalidRequest(`Needs one of ${names.join(', ')}`, parameter);
  return name;
}

/** Reads how much of something there is, in thousandths of it. */
export function thousandths(quantity: unknown, parameter: string): number {
  const [, whole = '', decimals = ''] = /^(\d{1,5})(?:\.(\d{1,3})0*)?$/.exec(String(quantity)) ?? [];
  const count = Number(`${whole}${decimals.padEnd(3, '0')}`);
  if (whole !== '' && count > 0) return count;
  throw invalidRequest('Needs a number above zero with at most three decimals', parameter);
}
