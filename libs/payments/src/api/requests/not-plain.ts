import { PaymentInputError } from '../../common/payments.errors.js';
import { pathOf } from './path-of.js';

const MAX_DEPTH = 100;

/**
 * Looks for what keeps an object from being copied as JSON. That takes longer than the copy, so it is done only once that has failed.
 * @throws PaymentInputError naming the first such field; nothing is thrown if it is none of these
 */
export function mustBePlain(value: unknown, path = '', above: readonly object[] = []): void {
  if (!isSendable(value)) throw new PaymentInputError(path, `must not be a ${typeof value}`);
  if (typeof value !== 'object' || value === null || above.length > MAX_DEPTH) return;
  if (above.includes(value)) throw new PaymentInputError(path, 'must not contain itself');
  // What is sent in its place is not known here.
  if (typeof read(value, 'toJSON', path) === 'function') return;
  for (const name of Object.keys(value)) {
    const within = pathOf(path, name);
    mustBePlain(read(value, name, within), within, [...above, value]);
  }
}

/** Whether JSON neither leaves it out nor fails at it. */
export function isSendable(value: unknown): boolean {
  return typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint';
}

/** Whether the object at the end of this path has the last name from its class or prototype alone, which JSON leaves out. */
export function isInherited(input: object, path: readonly string[]): boolean {
  const name = path.at(-1) ?? '';
  let at: unknown = input;
  for (const step of path.slice(0, -1)) {
    if (typeof at !== 'object' || at === null) return false;
    at = read(at, step, path.reduce(pathOf, ''));
  }
  return typeof at === 'object' && at !== null && !Object.hasOwn(at, name) && name in at;
}

function read(object: object, name: string, path: string): unknown {
  try {
    return Reflect.get(object, name);
  } catch {
    throw new PaymentInputError(path === '' ? 'the input' : path, 'could not be read: reading it throws');
  }
}
