import { Injectable } from '@nestjs/common';
import { PaymentsApi } from '../api/payments-api.js';
import { parseServiceRefund } from '../api/service-refund.js';
import { Database } from '../database/database.js';
import { askForRefunds } from '../payment/due.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';

/** Handles notifications about refunds: hints for the payment the refund belongs to. */
@Injectable()
export class RefundNotices {
  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
  ) {}

  /**
   * Re-reads the refund and, if it is news about a payment of ours, makes that payment due. A refund of an unknown payment is
   * left alone: should the payment become known, its own re-read finds the refund.
   * @throws ServiceError if the service gives no answer
   */
  async handle(storeId: string, refundServiceId: string, signal: AbortSignal): Promise<void> {
    const options = this.stores.callOnce(storeId, signal);
    const {
      id: serviceId,
      paymentId,
      status,
    } = parseServiceRefund(await this.api.fetchRefund(refundServiceId, options));
    const payment = await this.database.read(async (from) => {
      const known = await from.findOneBy(PaymentsRefundEntity, { storeId, serviceId });
      return known?.status === status
        ? null
        : from.findOneBy(PaymentsPaymentEntity, { storeId, serviceId: paymentId });
    });
    if (payment) await this.database.transaction((manager) => askForRefunds(manager, this.database, payment));
  }
}
