import type { PaymentsApi } from '../api/payments-api.js';
import type { CallOptions } from '../api/payments-api.options.js';
import { parseServicePayment, type ServicePayment } from '../api/service-payment.js';
import { parseServiceRefund, type ServiceRefund } from '../api/service-refund.js';
import type { PaymentEntity } from '../schema/payment.entity.js';
import type { RefundEntity } from '../schema/refund.entity.js';
import type { Audited } from './compare.js';

/** One side's view of one of the service's ids. */
export interface AuditRecord {
  readonly serviceId: string;
  /** Our payment; null if none is named. */
  readonly paymentId: string | null;
  readonly audited: Audited;
}

interface Window {
  readonly 'created_at.gte': string;
  readonly 'created_at.lt': string;
}

/** The service's side of one kind of object. */
export interface TheirSide {
  readonly list: (window: Window) => AsyncIterable<AuditRecord>;
  readonly read: (serviceId: string) => Promise<AuditRecord>;
}

export function theirPayments(api: PaymentsApi, options: CallOptions, metadataKey: string | null): TheirSide {
  const record = (payment: ServicePayment): AuditRecord => {
    const mark = metadataKey === null ? null : payment.metadata[metadataKey];
    return {
      serviceId: payment.id,
      paymentId: typeof mark === 'string' ? mark : null,
      audited: payment,
    };
  };
  return {
    async *list(window) {
      for await (const object of api.listPayments(window, options)) yield record(parseServicePayment(object));
    },
    read: async (id) => record(parseServicePayment(await api.fetchPayment(id, options))),
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

function refundRecord(refund: ServiceRefund): AuditRecord {
  return { serviceId: refund.id, paymentId: null, audited: { ...refund, refundedMinor: 0 } };
}

export function ourPayment(row: PaymentEntity): Omit<AuditRecord, 'serviceId'> {
  const { id, status, currency, refundedMinor } = row;
  // A credit's discount lowers what is held, and what is canceled after that.
  const wasHeld = (status === 'waiting_for_capture' || status === 'canceled') && row.authorizedMinor > 0;
  const wholeMinor = wasHeld ? row.authorizedMinor : row.amountMinor;
  const amountMinor = status === 'succeeded' ? row.capturedMinor : wholeMinor;
  return { paymentId: id, audited: { status, amountMinor, refundedMinor, currency } };
}

export function ourRefund(row: RefundEntity): Omit<AuditRecord, 'serviceId'> {
  const { paymentId, status, amountMinor, currency } = row;
  return { paymentId, audited: { status, amountMinor, refundedMinor: 0, currency } };
}
