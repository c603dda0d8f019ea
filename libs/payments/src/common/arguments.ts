import { isRecord } from './is-record.js';
import { PaymentInputError } from './payments.errors.js';
import { isStorableTime, isText } from './text.js';

/**
 * An argument that identifies a row must be a non-empty text. What undefined or null of a JavaScript caller means would depend on
 * the host's data source: some ignore the condition, and then return anybody's row.
 * @throws PaymentInputError
 */
export function mustBeName(field: string, value: unknown): asserts value is string {
  if (!isText(value, 1, Infinity)) throw new PaymentInputError(field, 'must be a string that is not empty');
}

/**
 * From one moment to a later one.
 * @throws PaymentInputError
 */
export function mustBePeriod(from: unknown, to: unknown): void {
  for (const [name, date] of Object.entries({ from, to }))
    if (!(date instanceof Date) || !isStorableTime(date))
      throw new PaymentInputError(name, 'must be a valid Date');
  if (!(from instanceof Date && to instanceof Date && from < to))
    throw new PaymentInputError('from', 'must be before to');
}

/** What a `manager` is told that is none of an open transaction of the module's own. */
export function managerRefused(): PaymentInputError {
  return new PaymentInputError(
    'options.manager',
    "must be the EntityManager of an open transaction of the module's own data source, as a handler gets it",
  );
}

/**
 * A create records nothing in its caller's transaction: its request would leave before that is committed.
 * @throws PaymentInputError
 */
export function mustTakeNoManager(input: unknown): void {
  if (isRecord(input) && input['manager'] !== undefined)
    throw new PaymentInputError(
      'manager',
      'is not taken by a create, whose request leaves before your transaction could commit: create before the transaction or after it',
    );
}

/**
 * Options may be omitted and must be an object otherwise: a store's id in their place would mean the shop's own store.
 * @throws PaymentInputError
 */
export function mustBeOptions(options: unknown): void {
  if (!isRecord(options)) throw new PaymentInputError('options', 'must be an object');
}
