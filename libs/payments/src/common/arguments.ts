import { isRecord } from './is-record.js';
import { PaymentInputError } from './payments.errors.js';
import { isText } from './text.js';

/**
 * What names a row must be a text that is not empty. A JavaScript caller's undefined or null would otherwise mean what the
 * host's data source makes of it: some ignore the condition, and then the row of anybody comes back.
 * @throws PaymentInputError
 */
export function mustBeName(field: string, value: unknown): asserts value is string {
  if (!isText(value, 1, Infinity)) throw new PaymentInputError(field, 'must be a string that is not empty');
}

/**
 * Options may be left out and are an object otherwise: a store's id in their place would mean the shop's own store.
 * @throws PaymentInputError
 */
export function mustBeOptions(options: unknown): void {
  if (!isRecord(options)) throw new PaymentInputError('options', 'must be an object');
}
