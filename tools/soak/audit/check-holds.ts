import { lost, type Finding } from './finding.js';
import type { ServicePaymentRecord, ServiceRecords, ShopRecords } from './records.js';

/** No hold runs out without an event to a handler that it would, or that it has. */
export function checkHolds(
  { effects, payments }: Pick<ShopRecords, 'effects' | 'payments'>,
  service: ServiceRecords,
): Finding[] {
  const announced = new Set(
    effects.filter(({ event }) => event.startsWith('hold.')).map(({ paymentId }) => paymentId),
  );
  const known = new Set(payments.filter(({ id }) => announced.has(id)).map(({ serviceId }) => serviceId));
  return expiredHolds(service)
    .filter(({ id }) => !known.has(id))
    .map(({ id, ourId }) => lost(`the hold of payment ${ourId} (${id}) ran out, and nobody was notified`));
}

/** Holds that the service released because nobody captured or canceled them. */
export function expiredHolds({ payments }: ServiceRecords): ServicePaymentRecord[] {
  return payments.filter(({ cancellationReason }) => cancellationReason === 'expired_on_capture');
}
