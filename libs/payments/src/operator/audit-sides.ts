import type { PaymentObject } from '../api/objects/payment.js';
import type { PaymentsApi } from '../api/payments-api.js';
import type { CallOptions } from '../api/payments-api.options.js';
import { ServiceNotFoundError } from '../api/service-errors.js';
import { parseServicePayment, type ServicePayment } from '../api/service-payment.js';
import { parseServiceRefund, type ServiceRefund } from '../api/service-refund.js';
import type { Span } from '../reconcile/search-window.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { PaymentsRefundEntity } from '../schema/refund.entity.js';
import type { AuditRecord } from './audit-difference.js';

interface Window {
  readonly 'created_at.gte': string;
  readonly 'created_at.lt': string;
}

/** The filter of the service's lists. */
export function createdIn({ from, to }: Span): Window {
  return { 'created_at.gte': from.toISOString(), 'created_at.lt': to.toISOString() };
}

/** The service's side of one kind of object. */
export interface TheirSide {
  readonly list: (window: Window) => AsyncIterable<AuditRecord>;
  readonly read: (serviceId: string) => Promise<AuditRecord>;
}

export function theirPayments(
  api: PaymentsApi,
  options: CallOptions,
  markOf: (payment: ServicePayment) => unknown,
): TheirSide {
  const recordOf = (object: PaymentObject): AuditRecord => {
    const payment = parseServicePayment(object);
    const { id: serviceId, metadata } = payment;
    return { serviceId, paymentId: null, audited: payment, metadata, mark: markOf(payment) };
  };
  return {
    async *list(window) {
      for await (const object of api.listPayments(window, options)) yield recordOf(object);
    },
    read: async (id) => recordOf(await api.fetchPayment(id, options)),
  };
}

export function theirRefunds(api: PaymentsApi, options: CallOptions): TheirSide {
  return {
    async *list(window) {
      for await (const object of api.listRefunds(window, options))
        yield refundRecord(parseServiceRefund(object));
    },
    read: async (id) => refundRecord(parseServiceRefund(await api.fetchRefund(id, options))),
  };
}

/** What is read; undefined: the service does not know it. */
export async function undefinedIfUnknown<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ServiceNotFoundError) return undefined;
    throw error;
  }
}

function refundRecord(refund: ServiceRefund): AuditRecord {
  return { serviceId: refund.id, paymentId: null, audited: { ...refund, refundedMinor: 0 } };
}

export function ourPayment(row: PaymentsPaymentEntity): Omit<AuditRecord, 'serviceId'> {
  const { id, status, currency, refundedMinor } = row;
  // A credit's discount lowers what is held, and what is canceled after that.
  const wasHeld = (status === 'waiting_for_capture' || status === 'canceled') && row.authorizedMinor > 0;
  const wholeMinor = wasHeld ? row.authorizedMinor : row.amountMinor;
  const amountMinor = status === 'succeeded' ? row.capturedMinor : wholeMinor;
  const { storeId, intentKey } = row;
  const audited = { status, amountMinor, refundedMinor, currency };
  return { paymentId: id, audited, marked: { storeId, intentKey } };
}

export function ourRefund(row: PaymentsRefundEntity): Omit<AuditRecord, 'serviceId'> {
  const { paymentId, status, amountMinor, currency } = row;
  return { paymentId, audited: { status, amountMinor, refundedMinor: 0, currency } };
}
