import { parseAmount, receiptTotal, type ReceiptInput, type Refund } from '@holdfast/payments';

import type { PaymentRecord } from '../../examples/shared/pages/payment-panel.js';
import { receiptOfPieces } from '../orders/order-receipt.js';
import type { ShopOrder } from '../orders/shop-order.entity.js';
import type { RefundRequest } from './refund-form.js';

/** What a request comes to: a sum, or pieces at what earlier refunds have left of them. */
export interface PlannedRefund {
  /** null: not so many pieces are left. */
  readonly amountMinor: number | null;
  /** Of pieces. */
  readonly receipt: ReceiptInput | null;
}

/** A request that was sent before means what it meant then. */
export function plannedRefund(
  order: ShopOrder,
  { payment, refunds }: Pick<PaymentRecord, 'payment' | 'refunds'>,
  { refundKey, part }: RefundRequest,
): PlannedRefund {
  if (!('pieces' in part)) return { amountMinor: part.amountMinor, receipt: null };
  const own = refunds.findIndex((refund) => refund.refundKey === refundKey);
  const earlier = own === -1 ? refunds : refunds.slice(0, own);
  const receipt = receiptOfPieces(order, part.pieces, { paid: payment.capturedAmount, earlier });
  return { amountMinor: receipt && parseAmount(receiptTotal(receipt)), receipt };
}

export function isSentAgain(refunds: readonly Refund[], { refundKey }: RefundRequest): boolean {
  return refunds.some((refund) => refund.refundKey === refundKey);
}
