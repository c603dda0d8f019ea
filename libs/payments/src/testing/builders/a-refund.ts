import { randomUUID } from 'node:crypto';
import type { Refund } from '../../views/refund.view.js';
import { BUILT_AT, CURRENCY } from './moments.js';

/**
 * A refund as handlers and callers get it: 100.00 roubles, `succeeded`, unless `fields` say otherwise.
 * @example const refund = aRefund({ paymentId: payment.id, amount: { value: '40.00', currency: 'RUB' } });
 */
export function aRefund(fields: Partial<Refund> = {}): Refund {
  const { id = randomUUID(), status = 'succeeded' } = fields;
  const isAnswered = status !== 'submitting' && status !== 'rejected';
  const refund: Refund = {
    id,
    paymentId: randomUUID(),
    refundKey: `refund-${id}`,
    serviceId: isAnswered ? randomUUID() : null,
    status,
    amount: { value: '100.00', currency: CURRENCY },
    description: null,
    metadata: {},
    cancellation: status === 'canceled' ? { party: 'refund_network', reason: 'general_decline' } : null,
    receiptStatus: null,
    method: null,
    rrn: null,
    sources: [],
    deal: null,
    createdAt: BUILT_AT,
    updatedAt: BUILT_AT,
  };
  return { ...refund, ...fields };
}
