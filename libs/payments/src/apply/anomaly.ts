import type { EntityManager } from 'typeorm';
import type { ServicePayment } from '../api/service-payment.js';
import type { Cause } from '../common/cause.js';
import { formatAmount } from '../common/money.js';
import { PaymentsLog } from '../common/payments-log.js';
import type { Database } from '../database/database.js';
import { nameInLogs } from '../payment/name-in-logs.js';
import { aboutPayment, recordEvent } from '../payment/record-event.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';

const logger = new PaymentsLog();

/** Records an anomaly of a payment once per reason and logs it for the operator; it changes nothing else. */
export async function raiseAnomaly(
  manager: EntityManager,
  database: Database,
  payment: PaymentsPaymentEntity,
  reason: string,
  {
    cause,
    object,
    endsByItself,
  }: {
    readonly cause: Cause;
    readonly object?: Pick<ServicePayment, 'id' | 'status' | 'amountMinor' | 'currency'>;
    /** Nobody has to resolve it: it is no incident. */
    readonly endsByItself?: true;
  },
): Promise<void> {
  const known = await manager
    .createQueryBuilder(PaymentsEventEntity, 'event')
    .where(
      `event.paymentId = :paymentId AND event.name = 'payment.anomaly' AND event.evidence ->> 'reason' = :reason`,
      { paymentId: payment.id, reason },
    )
    .getExists();
  if (known) return;
  await recordEvent(manager, database, aboutPayment(payment), {
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
  });
  const { name, about } = await nameInLogs(manager, payment);
  logger.error(`Payment ${name} needs a person: ${reason}.`, about);
}
