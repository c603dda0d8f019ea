import { Injectable } from '@nestjs/common';
import type { StoreScope } from '../common/store.scope.js';
import { Database } from '../database/database.js';
import { Ledger } from '../payment/ledger.js';
import { withPayment } from '../payment/locks.js';
import { PaymentReader } from '../payment/payment.reader.js';
import { aboutPayment } from '../payment/record-event.js';
import { withFields } from '../schema/ledger-fields.js';
import type { Note } from './notes.js';

/** Takes holds out of the module's hands. */
@Injectable()
export class HoldLeaving {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly payments: PaymentReader,
  ) {}

  /**
   * From then on the hold is as one whose policy is `flag`, once it is due. False: it is left to a person already, or nothing is held;
   * the hold of a payment that was replaced is always let go.
   * @throws PaymentNotFoundError
   */
  async leave(paymentId: string, { by, note }: Note, scope: StoreScope): Promise<boolean> {
    const found = await this.payments.find(paymentId, scope);
    return withPayment(this.database, found.payment, async (manager, { payment, order }) => {
      const { status, holdDueAt, holdTries, supersededAt } = payment;
      if (status !== 'waiting_for_capture' || supersededAt !== null || holdDueAt === null) return false;
      await this.ledger.write(manager, {
        payment,
        order,
        after: withFields(payment, { holdDueAt: null, holdTries: Math.max(1, holdTries) }),
        // From here on it waits for a person, and the operator's backlog counts from it.
        isDated: true,
        totals: null,
        events: [
          {
            ...aboutPayment(payment),
            name: 'payment.noted',
            cause: 'operator',
            evidence: { by, note: `Leaves the hold to a person: ${note}` },
          },
        ],
      });
      return true;
    });
  }
}
