import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import type { ServicePayment } from '../api/service-payment.js';
import type { Cause } from '../common/cause.js';
import { formatAmount } from '../common/money.js';
import { isUuid } from '../common/uuid.js';
import { Database } from '../database/database.js';
import { lockPayment } from '../payment/locks.js';
import { PaymentEntity } from '../schema/payment.entity.js';
import { raiseAnomaly } from './anomaly.js';

/** A payment of the service, and the id of ours that it carries. */
export interface FoundPayment {
  readonly paymentId: unknown;
  readonly object: Pick<ServicePayment, 'id' | 'status' | 'amountMinor' | 'currency'>;
}

/**
 * A payment of ours that was closed as rejected although the service has it. Final states never change (G9), and its order may
 * have been paid again by now: it is reported with the sum to a person, who refunds the money.
 */
@Injectable()
export class WronglyRejected {
  constructor(private readonly database: Database) {}

  /** Raises those among the objects of a list. */
  async raiseAmong(storeId: string, found: readonly FoundPayment[], cause: Cause): Promise<void> {
    const ids = found.map(({ paymentId }) => paymentId).filter(isUuid);
    if (ids.length === 0) return;
    // Only by their ids: the rest is checked on what they find, so that no other index is chosen for it.
    const named = await this.database.read((from) =>
      from.find(PaymentEntity, {
        where: { id: In(ids), storeId },
        select: { id: true, status: true, serviceId: true },
      }),
    );
    const closed = named.filter(({ status, serviceId }) => status === 'rejected' && serviceId === null);
    for (const { id } of closed)
      for (const { object } of found.filter(({ paymentId }) => paymentId === id))
        await this.database.transaction(async (manager) => {
          const { payment } = await lockPayment(manager, this.database, id);
          await this.raise(manager, payment, object, cause);
        });
  }

  /** `payment`: locked. */
  raise(
    manager: EntityManager,
    payment: PaymentEntity,
    object: FoundPayment['object'],
    cause: Cause,
  ): Promise<void> {
    const { value, currency } = formatAmount(object.amountMinor, object.currency);
    const reason = `it is rejected, but the service has it as ${object.id}, ${object.status}, ${value} ${currency}`;
    return raiseAnomaly(manager, this.database, payment, reason, { cause, object });
  }
}
