import { Injectable } from '@nestjs/common';
import { isFinal, isOpen } from '../common/payment-status.js';
import type { StoreScope } from '../common/store.scope.js';
import { Database } from '../database/database.js';
import { openWork } from '../payment/open-work.js';
import { PaymentReader } from '../payment/payment.reader.js';
import { Reconciler } from '../reconcile/reconciler.js';
import { RecoveryGate } from '../rollback/recovery-gate.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { ConfirmationSeal } from '../stores/confirmation-seal.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { paymentView, type Payment } from '../views/payment.view.js';
import { Shutdown } from '../work/shutdown.js';

/** Reads payments for a caller: from the database, or as the service has them now. */
@Injectable()
export class RefreshCalls extends PaymentReader {
  constructor(
    database: Database,
    stores: StoreRegistry,
    seal: ConfirmationSeal,
    private readonly reconciler: Reconciler,
    private readonly gate: RecoveryGate,
    private readonly shutdown: Shutdown,
  ) {
    super(database, stores, seal);
  }

  /** As {@link PaymentsService.refresh} says. */
  async refresh(paymentId: string, scope: StoreScope): Promise<Payment> {
    const { payment, order } = await this.find(paymentId, scope);
    const isReplaced = payment.supersededAt !== null && isOpen(payment.status);
    if (isReplaced) return paymentView(payment, order);
    // Anyone may load a buyer's page as often as they like: no request of theirs is about what has ended. Read again, since a refund
    // that was under way when it was found may have ended between the two looks.
    if (await this.#isOver(payment)) {
      // A database that may be a copy may have forgotten what was refunded since.
      await this.gate.mustBeConfirmed();
      return this.get(paymentId, scope);
    }
    return this.#reread(paymentId, scope);
  }

  /** As {@link PaymentsOperator.reread} says. */
  async reread(paymentId: string, scope: StoreScope): Promise<Payment> {
    await this.find(paymentId, scope);
    return this.#reread(paymentId, scope);
  }

  async #reread(paymentId: string, scope: StoreScope): Promise<Payment> {
    await this.shutdown.waitFor(this.reconciler.refresh(paymentId));
    return this.get(paymentId, scope);
  }

  /** Whether nothing of it is under way: its status never changes, and no request, refund or receipt of it waits for its end. */
  async #isOver({ id, status, receiptStatus }: PaymentsPaymentEntity): Promise<boolean> {
    if (!isFinal(status) || receiptStatus === 'pending') return false;
    const open = await this.database.read((from) =>
      from.query<object[]>(`${openWork(this.database, 'ARRAY[$1::uuid]')} LIMIT 1`, [id]),
    );
    return open.length === 0;
  }
}
