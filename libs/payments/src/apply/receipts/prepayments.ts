import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Cause } from '../../common/cause.js';
import { isRefundUnsettled } from '../../common/refund-status.js';
import { Database } from '../../database/database.js';
import { recordedPrepayment } from '../../operations/receipts/recorded-prepayment.js';
import { receiptsOf } from '../../operations/receipts/recorded-receipts.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import type { ChangeEvent } from '../../payment/change.js';
import { Ledger } from '../../payment/ledger.js';
import type { LockedPayment } from '../../payment/locks.js';
import { aboutPayment } from '../../payment/record-event.js';
import { openReceiptStatuses } from '../../receipts/own-receipt.js';
import { leftToSettle, tellingOf, unsettledNow } from '../../receipts/unsettled.js';
import { withFields } from '../../schema/ledger-fields.js';
import type { PaymentsOrderEntity } from '../../schema/order.entity.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';

/**
 * What of a prepayment is left to settle: recorded anew whenever a receipt of its payment was registered or money given back, and
 * told once the term is over. Until its first receipt or refund the payment's row says so by itself.
 */
@Injectable()
export class Prepayments {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  async follow(manager: EntityManager, { payment, order }: LockedPayment, cause: Cause): Promise<void> {
    const { id: paymentId, status, prepaidMinor, capturedMinor, authorizedMinor } = payment;
    if (!this.options.profile.receipts || status !== 'succeeded') return;
    const receipts = await receiptsOf(manager, paymentId);
    // A part that was captured may have been said to be prepaid, as may what a receipt of its own is of.
    if (prepaidMinor === 0 && capturedMinor === authorizedMinor && receipts.length === 0) return;
    const refunds = await manager.findBy(PaymentsRefundEntity, { paymentId });
    const { said, unsaidMinor } = await recordedPrepayment(manager, { payment, refunds, receipts });
    const kept = capturedMinor - payment.refundedMinor;
    const now = await this.database.businessTime(manager);
    const { unsettledAfterMs } = this.options;
    const minor = Math.min(leftToSettle(said, unsaidMinor), kept);
    const unsettled = unsettledNow(payment, minor, { now, unsettledAfterMs });
    const isAtRest =
      !receipts.some((one) => openReceiptStatuses.some((open) => open === one.status)) &&
      !refunds.some((one) => isRefundUnsettled(one.status));
    const { isTold, dueAt } = tellingOf(unsettled, isAtRest, { now, unsettledAfterMs });
    const isPostponed = dueAt?.getTime() !== payment.unsettledDueAt?.getTime();
    if (!isTold && !isPostponed && unsettled.unsettledMinor === payment.unsettledMinor) return;
    const after = withFields(payment, { ...unsettled, unsettledDueAt: dueAt });
    const events = isTold ? [notSettled(after, order, cause)] : [];
    await this.ledger.write(manager, { payment, order, after, totals: null, events });
  }
}

function notSettled(
  payment: PaymentsPaymentEntity,
  { reference }: Pick<PaymentsOrderEntity, 'reference'>,
  cause: Cause,
): ChangeEvent {
  const { unsettledSince: since, unsettledMinor: leftMinor } = payment;
  return {
    ...aboutPayment(payment),
    name: 'receipt.unsettled',
    cause,
    evidence: { since, leftMinor },
    notice: `The prepayment of payment ${payment.id} of order ${JSON.stringify(reference)} is still not settled.`,
  };
}
