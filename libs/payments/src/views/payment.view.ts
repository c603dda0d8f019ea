import {
  knownConfirmation,
  type PaymentConfirmation,
  type StoredConfirmation,
} from '../api/objects/confirmation.js';
import type { ReceiptStatus } from '../api/objects/fields.js';
import type { HoldPolicy } from '../common/hold-policy.js';
import { formatAmount, type Amount } from '../common/money.js';
import type { PaymentStatus } from '../common/payment-status.js';
import type { PaymentsOrderEntity, OrderState } from '../schema/order.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { paidWith, type PaidWith } from './paid-with.js';

/** A payment as merchant code sees it: a snapshot, safe to show to staff and, but for `confirmation`, to log. */
export interface Payment extends PaidWith {
  /** Ours; pass it to every method. */
  readonly id: string;
  /** The store that is paid; pass it to every method unless it is the shop's own. */
  readonly store: string;
  readonly orderReference: string;
  /** The service's id; null until its first answer. */
  readonly serviceId: string | null;
  readonly status: PaymentStatus;
  /** The requested amount of the create. */
  readonly amount: Amount;
  readonly capturedAmount: Amount;
  readonly refundedAmount: Amount;
  /** true: one-stage; false: held, then captured. */
  readonly capture: boolean;
  /** The requested method; null if the buyer chooses it. */
  readonly method: string | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** What the buyer has to do now; null: nothing, and always in an event. Whoever has it can pay, so it belongs in no log. */
  readonly confirmation: PaymentConfirmation | null;
  /** Where to send the buyer: the address of `confirmation`, if it has one. */
  readonly confirmationUrl: string | null;
  /** The service's own end of the hold; null unless the payment is held. */
  readonly holdExpiresAt: Date | null;
  /** The policy that its own create requested for the hold; null: as the module's `holds` option says. */
  readonly holdPolicy: HoldPolicy | null;
  /** When the module carries out the policy of the hold; null: not held, or left to a person already. */
  readonly holdDueAt: Date | null;
  readonly cancellation: { readonly party: string; readonly reason: string } | null;
  /** How far the registration of its receipt is; null: the service names none. */
  readonly receiptStatus: ReceiptStatus | null;
  /** true for a demo store's payment; null until the service's first answer. */
  readonly test: boolean | null;
  /** A later create with `replace: true` took this payment's place. */
  readonly superseded: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An order's money, derived from its payments. */
export interface Order {
  readonly store: string;
  readonly reference: string;
  readonly state: OrderState;
  /** What the whole order costs, as `create()` or `changeTotalDue()` said last. */
  readonly totalDue: Amount;
  /** What of that need not be paid after all: a capture of less let it go, or the service took it off as a discount. */
  readonly waived: Amount;
  readonly paid: Amount;
  readonly held: Amount;
  readonly refunded: Amount;
}

/** `said`: what the buyer has to do, as the service said it; a row alone is not believed. */
export function paymentView(
  payment: PaymentsPaymentEntity,
  order: Pick<PaymentsOrderEntity, 'reference'>,
  said: StoredConfirmation | null = null,
): Payment {
  const confirmation = payment.status === 'pending' && said !== null ? knownConfirmation(said) : null;
  return {
    id: payment.id,
    store: payment.storeId,
    orderReference: order.reference,
    serviceId: payment.serviceId,
    status: payment.status,
    amount: formatAmount(payment.amountMinor, payment.currency),
    capturedAmount: formatAmount(payment.capturedMinor, payment.currency),
    refundedAmount: formatAmount(payment.refundedMinor, payment.currency),
    capture: payment.capture,
    method: payment.method,
    description: payment.description,
    metadata: payment.metadata,
    confirmation,
    confirmationUrl: confirmation && 'url' in confirmation ? confirmation.url : null,
    holdExpiresAt: payment.status === 'waiting_for_capture' ? payment.holdExpiresAt : null,
    holdPolicy: payment.holdPolicy,
    holdDueAt: payment.status === 'waiting_for_capture' ? payment.holdDueAt : null,
    cancellation: payment.cancellation,
    ...paidWith(payment.object),
    receiptStatus: payment.receiptStatus,
    test: payment.test,
    superseded: payment.supersededAt !== null,
    createdAt: payment.createdAt,
    updatedAt: payment.updatedAt,
  };
}

export function orderView(order: PaymentsOrderEntity): Order {
  return {
    store: order.storeId,
    reference: order.reference,
    state: order.state,
    totalDue: formatAmount(order.totalDueMinor, order.currency),
    waived: formatAmount(order.waivedMinor, order.currency),
    paid: formatAmount(order.paidMinor, order.currency),
    held: formatAmount(order.heldMinor, order.currency),
    refunded: formatAmount(order.refundedMinor, order.currency),
  };
}
