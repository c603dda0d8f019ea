import type { Payment, PaymentStatus } from '../payments/payment.js';
import { methodTypeFromWire, type WireNames } from '../wire/names.js';
import { invalidRequest } from '../wire/service-error.js';
import { equals, timeBounds, type Query, type Test } from './list-page.js';

const statuses: readonly PaymentStatus[] = ['pending', 'waiting_for_capture', 'succeeded', 'canceled'];

/** The filters of a list of payments. */
export function paymentFilters(query: Query, names: WireNames): Test<Payment>[] {
  return [
    ...equals<Payment, PaymentStatus>(query, 'status', statuses, ({ status }) => status),
    ...byMethod(query['payment_method'], names),
    ...timeBounds<Payment>(query, 'created_at', ({ createdAt }) => createdAt),
    ...timeBounds<Payment>(query, 'captured_at', ({ capturedAt }) => capturedAt),
  ];
}

function byMethod(name: unknown, names: WireNames): Test<Payment>[] {
  if (name === undefined) return [];
  const type = methodTypeFromWire(names, name);
  if (!type) throw invalidRequest('Unknown payment method', 'payment_method');
  return [({ method }) => method?.type === type];
}
