import { In, type FindOptionsWhere } from 'typeorm';
import { isRefundUnsettled, unsettledRefundStatuses } from '../../common/refund-status.js';
import type { PaymentsRefundEntity } from '../../schema/refund.entity.js';

/** A payment's refunds of which not all is known: whether the money leaves, or whether the receipt is registered. */
export function openRefunds(paymentId: string): FindOptionsWhere<PaymentsRefundEntity>[] {
  return [
    { paymentId, status: In([...unsettledRefundStatuses]) },
    { paymentId, receiptStatus: 'pending' },
  ];
}

/** Whether a refund is one of them. */
export function isOpenRefund({
  status,
  receiptStatus,
}: Pick<PaymentsRefundEntity, 'status' | 'receiptStatus'>): boolean {
  return isRefundUnsettled(status) || receiptStatus === 'pending';
}
