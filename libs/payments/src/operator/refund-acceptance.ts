import { Inject, Injectable } from '@nestjs/common';
import { PaymentsApi } from '../api/payments-api.js';
import { parseServiceRefund, type ServiceRefund } from '../api/service-refund.js';
import { acceptRefund } from '../apply/refunds/accept-refund.js';
import { listedRefund } from '../apply/refunds/judge-refunds.js';
import { RefundNotAcceptableError } from '../common/payments.errors.js';
import { isRefundUnsettled } from '../common/refund-status.js';
import { Database } from '../database/database.js';
import { HeldPayments } from '../operations/held-payments.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { lockPayment } from '../payment/locks.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { refundView, type Refund } from '../views/refund.view.js';
import { WorkSignal } from '../work/work-signal.js';

/** Ends refunds that the service has made with another sum than was requested: a person decides, the service's list says what is booked. */
@Injectable()
export class RefundAcceptance {
  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly held: HeldPayments,
    private readonly signal: WorkSignal,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Null: there is no such refund, or it is over. */
  async accept(id: string, doing: { readonly by: string; readonly note: string }): Promise<Refund | null> {
    const refund = await this.database.read((from) => from.findOneBy(PaymentsRefundEntity, { id }));
    if (refund === null || !isRefundUnsettled(refund.status)) return null;
    // No lock is held during the request to the service.
    const object = await this.#listed(refund);
    const accepted = await this.database.transaction(async (manager) => {
      const locked = await lockPayment(manager, this.database, refund.paymentId);
      const { status, amountMinor: requestedMinor } = await manager.findOneByOrFail(PaymentsRefundEntity, {
        id,
      });
      // Ended meanwhile: by its answer, or by another click.
      if (!isRefundUnsettled(status)) return null;
      const decided = { cause: 'operator', evidence: { requestedMinor, ...doing } } as const;
      await this.held.change(manager, locked, 'operator', (before) => ({
        draft: acceptRefund(before, id, object, decided, this.options),
      }));
      return manager.findOneByOrFail(PaymentsRefundEntity, { id });
    });
    if (accepted === null) return null;
    for (const work of ['payments', 'deliveries'] as const) this.signal.wake(work);
    return refundView(accepted);
  }

  /** The last one that fits, in a list of the newest first: of several that name it the oldest, of one shown twice as read last. */
  async #listed({ id, paymentId, serviceId, storeId }: PaymentsRefundEntity): Promise<ServiceRefund> {
    const payment = await this.database.read((from) =>
      from.findOneByOrFail(PaymentsPaymentEntity, { id: paymentId }),
    );
    let found: ServiceRefund | null = null;
    const list = this.api.listRefunds({ payment_id: payment.serviceId ?? '' }, this.stores.call(storeId));
    for await (const item of list) {
      const { object, ourId } = listedRefund(payment, parseServiceRefund(item), this.options.profile);
      if (serviceId === null ? ourId === id : object.id === serviceId) found = object;
    }
    if (found === null)
      throw new RefundNotAcceptableError(paymentId, id, 'the service lists no refund that names it');
    return found;
  }
}
