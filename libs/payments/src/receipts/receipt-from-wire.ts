import { isRecord } from '../common/is-record.js';
import { inputName } from './receipt-to-wire.js';

/** The service's fields under the names that inputs have. */
export function fromWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromWire);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [inputName(name), fromWire(field)]));
}
