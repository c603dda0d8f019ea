import type { ServicePayment } from '../api/service-payment.js';
import type { Cause } from '../common/cause.js';
import { formatAmount } from '../common/money.js';
import type { Draft } from '../payment/draft.js';
import { aboutPayment } from '../payment/record-event.js';

interface Circumstances {
  readonly cause: Cause;
  /** The object that does not fit. */
  readonly object?: Pick<ServicePayment, 'id' | 'status' | 'amountMinor' | 'currency'>;
  /** Nobody has to resolve it: it is no incident. */
  readonly endsByItself?: true;
}

/** With an anomaly of the payment, once per reason, which a person reads; it changes nothing else. */
export function raiseAnomaly(
  draft: Draft,
  reason: string,
  { cause, object, endsByItself }: Circumstances,
): Draft {
  const { payment, order, anomalies, events } = draft;
  if (anomalies.includes(reason)) return draft;
  const event = {
    ...aboutPayment(payment),
    name: 'payment.anomaly',
    cause,
    evidence: {
      reason,
      ...(endsByItself && { endsByItself }),
      ...(object && {
        serviceStatus: object.status,
        serviceId: object.id,
        serviceAmount: formatAmount(object.amountMinor, object.currency),
      }),
    },
    alarm: `Payment ${payment.id} of order ${JSON.stringify(order.reference)} needs a person: ${reason}.`,
  } as const;
  return { ...draft, anomalies: [...anomalies, reason], events: [...events, event] };
}
