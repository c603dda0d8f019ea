import { Injectable } from '@nestjs/common';
import type { ServicePayment } from '../api/service-payment.js';
import type { SeenReceipt } from '../apply/receipts/apply-receipts.js';
import type { ListedRefunds } from '../apply/refunds/judge-refunds.js';
import { Database } from '../database/database.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { Claim, Look } from './claim.js';
import { HoldPolicies } from './hold-policies.js';
import type { HoldChoice } from './keep-hold.js';
import { ReceiptFetcher } from './receipts/receipt-fetcher.js';
import { RefundFetcher } from './refunds/refund-fetcher.js';

/** What a re-read has to find out besides the payment's own object. */
interface Rest {
  readonly refunds: ListedRefunds;
  readonly receipts: readonly SeenReceipt[];
  readonly hold: HoldChoice | null;
}

/** Finds out what is not in the payment's own object: its refunds, its own receipts, the policy of a hold that is due. */
@Injectable()
export class FullReader {
  constructor(
    private readonly database: Database,
    private readonly refunds: RefundFetcher,
    private readonly receipts: ReceiptFetcher,
    private readonly holds: HoldPolicies,
  ) {}

  async read(
    payment: PaymentsPaymentEntity,
    object: ServicePayment,
    { claim: { due }, lease, end }: Look,
  ): Promise<Rest> {
    const refunds = await this.refunds.fetch(payment, due.refundSignals, object, end, lease);
    const receipts = await this.receipts.fetch(payment, end, lease);
    const hold = await this.holds.choose(payment, object, lease);
    return { refunds, receipts, hold };
  }

  /** As it is now. */
  payment({ paymentId }: Claim): Promise<PaymentsPaymentEntity> {
    return this.database.read((from) => from.findOneByOrFail(PaymentsPaymentEntity, { id: paymentId }));
  }
}
