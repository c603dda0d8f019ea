import { isRecord } from '../../common/is-record.js';
import { minorFromValue } from '../../common/money.js';
import { shownJson } from '../../common/shown.js';

/** One document, with every amount as whole minor units: `{ "minor": 123450, "currency": "RUB" }`. */
export function jsonText(document: object): string {
  return shownJson(JSON.stringify(document, (_name, value: unknown) => minorOf(value) ?? value, 2));
}

function minorOf(value: unknown): { minor: number; currency: string } | null {
  if (!isRecord(value) || Object.keys(value).length !== 2) return null;
  const { value: text, currency } = value;
  if (typeof text !== 'string' || typeof currency !== 'string') return null;
  const minor = minorFromValue(text);
  return minor === null ? null : { minor, currency };
}
