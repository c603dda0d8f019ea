import { isRecord } from '../../common/is-record.js';
import { parseAmount, type Amount } from '../../common/money.js';
import { PaymentInputError } from '../../common/payments.errors.js';

/**
 * What is due for an order that has this currency, in minor units.
 * @throws PaymentInputError
 */
export function parseTotalDue(totalDue: Amount, currency: string): number {
  if (!isRecord(totalDue)) throw new PaymentInputError('totalDue', 'must be { value, currency }');
  const totalDueMinor = parseAmount(totalDue, 'totalDue');
  if (totalDue.currency !== currency) throw new PaymentInputError('totalDue.currency', `must be ${currency}`);
  if (totalDueMinor === 0) throw new PaymentInputError('totalDue.value', 'must be above zero');
  return totalDueMinor;
}
