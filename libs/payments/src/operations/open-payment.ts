import type { StoredConfirmation } from '../api/objects/confirmation.js';
import type { ServiceProfile } from '../api/service-profile.js';
import { newId } from '../common/uuid.js';
import { AS_WRITTEN, type Change } from '../payment/change.js';
import { changeTo, draftOf, type Draft } from '../payment/draft.js';
import type { CreateIntent } from '../payment/inputs/create-intent.js';
import { intentKeyOf, nextTry } from '../payment/intent-key.js';
import { sumsOf, type KnownOrder } from '../payment/order-totals.js';
import { paymentMark, type MarkedPayment } from '../payment/payment-mark.js';
import { openReceipt } from '../payment/receipts/receipt-change.js';
import { aboutPayment } from '../payment/record-event.js';
import { NOTHING_READ, type OrderPayments } from '../payment/state.js';
import { owedBody } from '../receipts/owed-body.js';
import { owedKeys } from '../receipts/owed-keys.js';
import { receiptDigest } from '../receipts/receipt-digest.js';
import { prepaidMinor } from '../receipts/unsettled.js';
import type { OperationRow, PaymentRow } from '../schema/rows.js';
import { newOperation, recordOperation, type CallTimes } from './new-operation.js';
import { recordedBody } from './personal-data.js';
import { createBody } from './request-body.js';

export interface OpenTerms extends CallTimes {
  readonly profile: ServiceProfile;
  /** Of the call that opens it. */
  readonly traceparent: string | null;
}

/** A payment that is opened, and its create, which its caller sends. */
export interface Opening {
  readonly order: KnownOrder;
  readonly payment: PaymentRow;
  readonly operation: OperationRow;
  readonly change: Change;
}

/** The first payment of an order that is not known: it is recorded with it. */
export function openFirst(storeId: string, intent: CreateIntent, terms: OpenTerms): Opening {
  const { orderReference: reference, currency, totalDueMinor } = intent;
  const order = { id: newId(), storeId, reference, currency, totalDueMinor };
  const past = { version: 0, state: 'unpaid', waivedMinor: 0, wasPaid: false, ...sumsOf([]) } as const;
  const known = { now: AS_WRITTEN, databaseNow: AS_WRITTEN, order: { ...order, ...past }, tries: [] };
  const opening = openPayment(known, intent, terms);
  return { ...opening, change: { ...opening.change, opened: { payment: opening.payment, order } } };
}

/** The next one of an order that is known, which then owes what this create says. */
export function openPayment(
  { order, tries, now, databaseNow }: Omit<OrderPayments, 'payments' | 'creates'>,
  intent: CreateIntent,
  terms: OpenTerms,
): Opening {
  const said = saidOf(order.storeId, intent, nextTry(intent.part, tries));
  const { traceparent } = terms;
  const payment = newPayment(order, said, { createdAt: now, traceparent });
  const state = { ...NOTHING_READ, now, databaseNow, order, payment };
  const request = createBody(intent, paymentMark(order.storeId, said), terms.profile);
  const create = { kind: 'create', request, resendable: !intent.cardData } as const;
  const operation = newOperation(state, create, terms);
  const event = {
    ...aboutPayment(payment),
    name: 'payment.submitting',
    to: 'submitting',
    cause: 'create',
    evidence: { amountMinor: intent.amountMinor, capture: intent.capture },
  } as const;
  const recorded = recordOperation(draftOf(state), operation, terms);
  const owed = withOwed(recorded, intent);
  const draft = { ...owed, order: { ...order, totalDueMinor: intent.totalDueMinor }, events: [event] };
  return {
    order,
    payment,
    operation,
    change: { ...changeTo(draft, state, 'create'), opened: { payment, order: null } },
  };
}

/** What a payment is made of: what its mark says, and the rest of what was asked for. */
interface SaidPayment extends MarkedPayment, Pick<PaymentRow, 'currency' | 'description' | 'metadata'> {
  /** Its type alone: where the buyer returns to is in the request. null: there is nothing for the buyer to confirm. */
  readonly confirmation: Pick<StoredConfirmation, 'type'> | null;
}

/** A payment as it is recorded, before any request to the service. */
export function newPayment(
  order: Pick<KnownOrder, 'id' | 'storeId'>,
  said: SaidPayment,
  { createdAt, traceparent = null }: Pick<PaymentRow, 'createdAt'> & Partial<Pick<PaymentRow, 'traceparent'>>,
): PaymentRow {
  const { storeId } = order;
  const { part, tryNumber, orderReference: reference } = said;
  return {
    id: newId(),
    storeId,
    orderId: order.id,
    serviceId: null,
    status: 'submitting',
    currency: said.currency,
    amountMinor: said.amountMinor,
    authorizedMinor: 0,
    capturedMinor: 0,
    refundedMinor: 0,
    refundReservedMinor: 0,
    capture: said.capture,
    method: said.method,
    paymentMethodId: said.paymentMethodId,
    cardData: said.cardData,
    savePaymentMethod: said.savePaymentMethod,
    description: said.description,
    metadata: { ...said.metadata },
    part,
    tryNumber,
    intentKey: intentKeyOf(storeId, { reference }, { part, tryNumber }),
    supersededAt: null,
    confirmation: said.confirmation && { type: said.confirmation.type },
    test: null,
    holdExpiresAt: null,
    holdPolicy: said.holdPolicy,
    holdDueAt: null,
    holdTries: 0,
    keepsDue: false,
    cancellation: null,
    cardLast4: null,
    receiptStatus: null,
    receiptsAfter: said.receiptsAfter,
    receiptDigest: said.receiptDigest,
    prepaidMinor: said.prepaidMinor,
    unsettledMinor: 0,
    unsettledSince: null,
    unsettledDueAt: null,
    object: null,
    traceparent,
    createdAt,
    updatedAt: createdAt,
  };
}

/** What a create says of the payment that it opens. */
function saidOf(storeId: string, intent: CreateIntent, tryNumber: number) {
  const { receipt, part, orderReference: reference } = intent;
  const salt = intentKeyOf(storeId, { reference }, { part, tryNumber });
  const said = {
    receiptDigest: receipt && receiptDigest(receipt, salt),
    prepaidMinor: receipt ? prepaidMinor(receipt) : 0,
  };
  return { ...intent, ...said, tryNumber };
}

/** With the receipt that is kept until the money has moved. */
function withOwed(draft: Draft, { receiptsAfter, receipt, amountMinor }: CreateIntent): Draft {
  if (!receiptsAfter || receipt === null) return draft;
  const { body, personal } = recordedBody(owedBody('payment', receipt));
  const said = { refundId: null, receiptKey: owedKeys.payment, type: 'payment', amountMinor } as const;
  return openReceipt(draft, { ...said, status: 'owed', body, personal });
}
