import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../common/durations.js';
import type { Amount } from '../../common/money.js';
import { paidWith, type PaymentMethod } from '../../views/paid-with.js';
import type { Payment } from '../../views/payment.view.js';
import { BUILT_AT, CURRENCY } from './moments.js';

/** What its buyer has paid or may pay. */
const AMOUNT: Amount = { value: '100.00', currency: CURRENCY };
/** Cards are held for seven days. */
const HELD_MS = 7 * DAY_MS;

/**
 * A payment as handlers and callers get it: 100.00 roubles, `succeeded`, unless `fields` say otherwise. What follows from the
 * status, the amount and `capture` follows from yours: a pending one has its `confirmation`, a hold its end, a canceled one its
 * reason.
 * @example const held = aPayment({ status: 'waiting_for_capture', orderReference: 'A-1042' });
 */
export function aPayment(fields: Partial<Payment> = {}): Payment {
  const { id = randomUUID(), status = 'succeeded', amount = AMOUNT } = fields;
  const isPaid = status === 'succeeded';
  const isHeld = status === 'waiting_for_capture';
  const isAnswered = status !== 'submitting' && status !== 'rejected';
  const url = status === 'pending' ? `https://service.example/checkout/${id}` : null;
  const { confirmation = url === null ? null : { type: 'redirect', url } } = fields;
  const payment: Payment = {
    id,
    store: randomUUID(),
    orderReference: `order-${id}`,
    serviceId: isAnswered ? randomUUID() : null,
    status,
    amount,
    capturedAmount: isPaid ? amount : nothing(amount),
    refundedAmount: nothing(amount),
    capture: !isHeld,
    method: null,
    description: null,
    metadata: {},
    confirmation,
    confirmationUrl: confirmation !== null && 'url' in confirmation ? confirmation.url : null,
    holdExpiresAt: isHeld ? after(HELD_MS) : null,
    holdPolicy: null,
    holdDueAt: isHeld ? after(HELD_MS - DAY_MS) : null,
    cancellation: status === 'canceled' ? { party: 'payment_network', reason: 'general_decline' } : null,
    receiptStatus: null,
    test: isAnswered ? true : null,
    superseded: false,
    createdAt: BUILT_AT,
    updatedAt: BUILT_AT,
    ...paidWith(null),
    paymentMethod: isPaid || isHeld ? card() : null,
    incomeAmount: isPaid ? amount : null,
    authorization:
      isPaid || isHeld ? { rrn: '603668680243', authCode: '062467', threeDSecureApplied: true } : null,
    capturedAt: isPaid ? BUILT_AT : null,
    recipient: isAnswered ? { accountId: 'test_shop', gatewayId: '1' } : null,
    refundable: isPaid,
  };
  return { ...payment, ...fields };
}

function nothing({ currency }: Amount): Amount {
  return { value: '0.00', currency };
}

function after(ms: number): Date {
  return new Date(BUILT_AT.getTime() + ms);
}

function card(): PaymentMethod {
  return {
    type: 'bank_card',
    id: randomUUID(),
    saved: false,
    title: 'Bank card *4477',
    card: {
      first6: '555555',
      last4: '4477',
      expiryMonth: '12',
      expiryYear: '2099',
      cardType: 'MasterCard',
      productCode: null,
      productName: null,
      issuerCountry: 'RU',
      issuerName: null,
      source: null,
    },
    phone: null,
    accountNumber: null,
    sbp: null,
    payer: null,
    loan: null,
    certificateAmount: null,
    articles: [],
  };
}
