import { pathOf } from '../api/requests/path-of.js';
import { isRecord } from '../common/is-record.js';
import { PaymentInputError } from '../common/payments.errors.js';
import { mustBeStorable } from '../payment/inputs/unstorable.js';

/** Of the JSON, in UTF-8: what its method needs to find the rest, and no more than PostgreSQL writes with a delivery without being felt. */
const MAX_BYTES = 16_384;
const MAX_DEPTH = 10;

/**
 * The JSON of an effect's data. What JSON would change on its way, a Date for example, is refused: the method would get something
 * else than was recorded.
 * @throws PaymentInputError naming the field by its path below `data`
 */
export function effectJson(data: unknown): string {
  if (!isRecord(data)) throw new PaymentInputError('data', 'must be an object');
  mustBeJson(data, 'data', 0);
  mustBeStorable(data, 'data');
  const json = JSON.stringify(data);
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_BYTES)
    throw new PaymentInputError(
      'data',
      `must be at most ${MAX_BYTES} bytes as JSON, and is ${bytes}: record by what the rest is found, such as the order's reference`,
    );
  return json;
}

function mustBeJson(value: unknown, path: string, depth: number): void {
  if (depth > MAX_DEPTH) throw new PaymentInputError(path, `is deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) mustBeJson(item, pathOf(path, String(index)), depth + 1);
    return;
  }
  if (isPlain(value)) {
    for (const [name, field] of Object.entries(value))
      // JSON leaves such a field out, which reads the same.
      if (field !== undefined) mustBeJson(field, pathOf(path, name), depth + 1);
    return;
  }
  const isJson =
    value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  if (!isJson)
    throw new PaymentInputError(
      path,
      'must be JSON: null, a boolean, a finite number, a text, an array or a plain object; of a Date, its toISOString()',
    );
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
