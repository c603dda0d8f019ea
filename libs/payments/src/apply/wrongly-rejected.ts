import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ServicePayment } from '../api/service-payment.js';
import type { Cause } from '../common/cause.js';
import { formatAmount } from '../common/money.js';
import { Database } from '../database/database.js';
import { lockPayment } from '../payment/locks.js';
import type { MarkedObject } from '../payment/marked-payments.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { raiseAnomaly } from './anomaly.js';

type FoundObject = Pick<ServicePayment, 'id' | 'status' | 'amountMinor' | 'currency'>;

/**
 * A payment of ours that was closed as rejected although the service has it. Final states never change (G9), and its order may
 * have been paid again by now: it is reported with the sum to a person, who refunds the money.
 */
@Injectable()
export class WronglyRejected {
  constructor(private readonly database: Database) {}

  /** Raises those among the objects of a list. */
  async raiseAmong(found: readonly MarkedObject<FoundObject>[], cause: Cause): Promise<void> {
    for (const { object, rows } of found)
      for (const { id, status, serviceId, isKeyReused } of rows) {
        if (status !== 'rejected' || serviceId !== null || isKeyReused) continue;
        await this.database.transaction(async (manager) => {
          const { payment } = await lockPayment(manager, this.database, id);
          await this.raise(manager, payment, object, cause);
        });
      }
  }

  /** `payment`: locked. */
  raise(
    manager: EntityManager,
    payment: PaymentsPaymentEntity,
    object: FoundObject,
    cause: Cause,
  ): Promise<void> {
    const { value, currency } = formatAmount(object.amountMinor, object.currency);
    const reason = `it is rejected, but the service has it as ${object.id}, ${object.status}, ${value} ${currency}`;
    return raiseAnomaly(manager, this.database, payment, reason, { cause, object });
  }
}
