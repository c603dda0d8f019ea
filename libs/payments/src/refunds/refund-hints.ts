import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { PaymentEntity } from '../payment/payment.entity.js';

/** Asks for a payment's refunds to be listed; whatever is at the payment already then looks once more. */
@Injectable()
export class RefundHints {
  constructor(private readonly database: Database) {}

  /** Resolves once the hint is committed. One payment each: locks on several could meet another transaction's halfway. */
  async ask(paymentId: string): Promise<void> {
    await this.database.transaction((manager) =>
      manager.update(PaymentEntity, paymentId, {
        refundHints: () => 'refund_hints + 1',
        nextCheckAt: () => `LEAST(next_check_at, ${this.database.now})`,
      }),
    );
  }
}
