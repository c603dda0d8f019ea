import type { PaymentsOperationEntity } from './operation.entity.js';
import type { PaymentsOrderEntity } from './order.entity.js';
import type { PaymentsPaymentEntity } from './payment.entity.js';
import type { PaymentsReceiptProblemEntity } from './receipt-problem.entity.js';
import type { PaymentsReceiptEntity } from './receipt.entity.js';
import type { PaymentsRefundEntity } from './refund.entity.js';

/** The rows of an order as values: a changed one is another object. */
export type OrderRow = Readonly<Omit<PaymentsOrderEntity, 'store'>>;
export type PaymentRow = Readonly<Omit<PaymentsPaymentEntity, 'store' | 'order'>>;
export type OperationRow = Readonly<
  Omit<PaymentsOperationEntity, 'store' | 'payment' | 'refund' | 'receipt'>
>;
export type RefundRow = Readonly<Omit<PaymentsRefundEntity, 'store' | 'payment'>>;
export type ReceiptRow = Readonly<Omit<PaymentsReceiptEntity, 'store' | 'payment' | 'refund'>>;
export type ProblemRow = Readonly<
  Omit<PaymentsReceiptProblemEntity, 'store' | 'payment' | 'refund' | 'receipt'>
>;
