import { Injectable } from '@nestjs/common';
import { isOpen } from '../common/payment-status.js';
import type { StoreScope } from '../common/store.scope.js';
import { PaymentReader } from '../payment/payment.reader.js';
import { Reconciler } from '../reconcile/reconciler.js';
import { paymentView, type Payment } from '../views/payment.view.js';
import { Shutdown } from '../work/shutdown.js';

/** What a caller of refresh waits for: the payment as the service has it now. */
@Injectable()
export class RefreshCalls {
  constructor(
    private readonly reader: PaymentReader,
    private readonly reconciler: Reconciler,
    private readonly shutdown: Shutdown,
  ) {}

  /** As {@link PaymentsService.refresh} says. */
  async refresh(paymentId: string, scope: StoreScope): Promise<Payment> {
    const { payment, order } = await this.reader.find(paymentId, scope);
    if (payment.supersededAt !== null && isOpen(payment.status)) return paymentView(payment, order);
    await this.shutdown.waitFor(this.reconciler.refresh(paymentId));
    return this.reader.get(paymentId, scope);
  }
}
