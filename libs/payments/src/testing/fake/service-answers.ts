import { randomUUID } from 'node:crypto';
import type { ConfirmationType, MethodRules } from '../../api/method-rules.js';
import type { Cancellation } from '../../api/objects/fields.js';
import type { PaymentMethodObject } from '../../api/objects/payment-method.js';
import type { PaymentObject } from '../../api/objects/payment.js';
import type { RefundObject } from '../../api/objects/refund.js';
import { formatAmount } from '../../common/money.js';
import type { CreateIntent } from '../../payment/inputs/create-intent.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import type { PaymentsRefundEntity } from '../../schema/refund.entity.js';

/** What the service would answer, in the interface's words. The module reads it as it reads the service's own answers. */

/** Of a demo store, so that all money is test money. */
export const ACCOUNT_ID = 'test_shop';

/** The answer to a create: the buyer has something to do, or nothing. */
export function pendingPayment(
  { amountMinor, currency, createdAt }: PaymentsPaymentEntity,
  { confirmation, description, merchantCustomerId }: CreateIntent,
): PaymentObject {
  const id = randomUUID();
  return {
    id,
    status: 'pending',
    paid: false,
    amount: formatAmount(amountMinor, currency),
    ...(confirmation !== null && { confirmation: confirmationOf(id, confirmation.type) }),
    created_at: createdAt.toISOString(),
    ...(description !== null && { description }),
    ...(merchantCustomerId !== null && { merchant_customer_id: merchantCustomerId }),
    recipient: { account_id: ACCOUNT_ID, gateway_id: '1' },
    refundable: false,
    test: true,
  };
}

/** Of the method that the payment is made by. */
interface UsedMethod {
  readonly type: string;
  /** Its own, if it was saved before. */
  readonly id: string | null;
  readonly saved: boolean;
  /** How long it holds money; null: it holds none. */
  readonly hold: MethodRules['hold'];
}

/** The buyer has paid, or a saved method was charged: the money is received, or held. */
export function paidPayment(
  { confirmation: _done, ...before }: PaymentObject,
  { capture, receipt, receiptsAfter }: Pick<CreateIntent, 'capture' | 'receipt' | 'receiptsAfter'>,
  { type, id, saved, hold }: UsedMethod,
  at: Date,
): PaymentObject {
  const method: PaymentMethodObject = {
    type,
    id: id ?? before.id,
    saved,
    ...(type === 'bank_card' && aCard),
  };
  const used: PaymentObject = {
    ...before,
    paid: true,
    payment_method: method,
    authorization_details: {
      rrn: '603668680243',
      auth_code: '062467',
      three_d_secure: { applied: type === 'bank_card' },
    },
    ...(receipt !== null && !receiptsAfter && { receipt_registration: 'succeeded' }),
  };
  if (capture) return capturedPayment(used, before.amount, at);
  const expires_at = new Date(at.getTime() + (hold?.lengthMs ?? 0)).toISOString();
  return { ...used, status: 'waiting_for_capture', expires_at };
}

/** All of a hold was captured, or a part of it. */
export function capturedPayment(
  { expires_at: _over, ...before }: PaymentObject,
  amount: PaymentObject['amount'],
  at: Date,
): PaymentObject {
  return {
    ...before,
    status: 'succeeded',
    amount,
    income_amount: amount,
    captured_at: at.toISOString(),
    refundable: true,
  };
}

/** It came to nothing. */
export function canceledPayment(
  { confirmation: _done, expires_at: _over, ...before }: PaymentObject,
  cancellation: Cancellation,
): PaymentObject {
  return { ...before, status: 'canceled', paid: false, cancellation_details: { ...cancellation } };
}

/** The answer to a refund, or its end. */
export function refundAnswer(
  { serviceId: paymentId }: Pick<PaymentsPaymentEntity, 'serviceId'>,
  refund: Pick<PaymentsRefundEntity, 'serviceId' | 'amountMinor' | 'currency' | 'description' | 'createdAt'>,
  status: 'pending' | 'succeeded' | 'canceled',
  reason: string,
): RefundObject {
  const { serviceId, amountMinor, currency, description, createdAt } = refund;
  return {
    id: serviceId ?? randomUUID(),
    payment_id: paymentId ?? '',
    status,
    amount: formatAmount(amountMinor, currency),
    created_at: createdAt.toISOString(),
    ...(description !== null && { description }),
    ...(status === 'canceled' && { cancellation_details: { party: 'refund_network', reason } }),
    ...(status === 'succeeded' && { refund_authorization_details: { rrn: '603668680244' } }),
  };
}

function confirmationOf(id: string, type: ConfirmationType): NonNullable<PaymentObject['confirmation']> {
  const url = `https://service.example/checkout/${id}`;
  if (type === 'embedded') return { type, confirmation_token: `ct-${id}` };
  if (type === 'external') return { type };
  return { type, ...(type === 'qr' ? { confirmation_data: url } : { confirmation_url: url }) };
}

const aCard = {
  title: 'Bank card *4477',
  card: {
    first6: '555555',
    last4: '4477',
    expiry_month: '12',
    expiry_year: '2099',
    card_type: 'MasterCard',
    issuer_country: 'RU',
  },
} as const;
