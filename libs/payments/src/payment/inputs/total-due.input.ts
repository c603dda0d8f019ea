import { isRecord } from '../../common/is-record.js';
import { parseAmount, type Amount } from '../../common/money.js';
import { PaymentInputError } from '../../common/payments.errors.js';

/** What is due for an order, before the order is known. */
export interface TotalDue {
  readonly totalDueMinor: number;
  readonly currency: Amount['currency'];
}

/** @throws PaymentInputError */
export function parseTotalDue(totalDue: Amount): TotalDue {
  if (!isRecord(totalDue)) throw new PaymentInputError('totalDue', 'must be { value, currency }');
  const totalDueMinor = parseAmount(totalDue, 'totalDue');
  if (totalDueMinor === 0) throw new PaymentInputError('totalDue.value', 'must be above zero');
  return { totalDueMinor, currency: totalDue.currency };
}

/** @throws PaymentInputError for an order in another currency */
export function mustBeInCurrency(totalDue: TotalDue, order: { readonly currency: string }): void {
  if (totalDue.currency === order.currency) return;
  throw new PaymentInputError('totalDue.currency', `must be ${order.currency}`);
}
