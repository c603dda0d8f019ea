import type { ServicePayment } from '../api/service-payment.js';
import type { Cause } from '../common/cause.js';
import { formatAmount } from '../common/money.js';
import type { HeldPayments } from '../operations/held-payments.js';
import type { Draft } from '../payment/draft.js';
import type { MarkedObject } from '../payment/marked-payments.js';
import { raiseAnomaly } from './anomaly.js';

type FoundObject = Pick<ServicePayment, 'id' | 'status' | 'amountMinor' | 'currency'>;

/** Raises those among the objects of a list. */
export async function raiseWronglyRejectedAmong(
  held: HeldPayments,
  found: readonly MarkedObject<FoundObject>[],
  cause: Cause,
): Promise<void> {
  for (const { object, rows } of found)
    for (const row of rows) {
      if (row.status !== 'rejected' || row.serviceId !== null || row.isKeyReused) continue;
      await held.changeAlone(row, cause, (before) => ({
        draft: raiseWronglyRejected(before, object, cause),
      }));
    }
}

/**
 * With the report of a payment of ours that was closed as rejected although the service has it. Final states never change (G9), and its
 * order may have been paid again by now: a person reads the sum, and refunds the money.
 */
export function raiseWronglyRejected(before: Draft, object: FoundObject, cause: Cause): Draft {
  const { id, status, amountMinor, currency: said } = object;
  const { value, currency } = formatAmount(amountMinor, said);
  const reason = `it is rejected, but the service has it as ${id}, ${status}, ${value} ${currency}`;
  return raiseAnomaly(before, reason, { cause, object });
}
