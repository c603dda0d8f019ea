import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { want } from './due.js';
import type { PaymentEntity } from '../schema/payment.entity.js';

/** Asks for a payment's refunds to be listed; whatever is at the payment already then looks once more. */
@Injectable()
export class RefundHints {
  constructor(private readonly database: Database) {}

  /** Resolves once the hint is committed. One payment each: locks on several could meet another transaction's halfway. */
  async ask(payment: Pick<PaymentEntity, 'id' | 'storeId'>): Promise<void> {
    await this.database.transaction((manager) =>
      want(manager, this.database, payment, this.database.now, { refundSignals: 1 }),
    );
  }
}
