import { lost, type Finding } from './finding.js';
import type { ServicePaymentRecord, ServiceRecords, ShopRecords } from './records.js';

/** No hold runs out without an event to a handler that it would, or that it has. */
export function checkHolds({ effects }: ShopRecords, service: ServiceRecords): Finding[] {
  const announced = new Set(
    effects.filter(({ event }) => event.startsWith('hold.')).map(({ paymentId }) => paymentId),
  );
  return expiredHolds(service)
    .filter(({ ourId }) => !announced.has(ourId ?? ''))
    .map(({ id, ourId }) => lost(`the hold of payment ${ourId} (${id}) ran out, and nobody was notified`));
}

/** Holds that the service released because nobody captured or canceled them. */
export function expiredHolds({ payments }: ServiceRecords): ServicePaymentRecord[] {
  return payments.filter(({ cancellationReason }) => cancellationReason === 'expired_on_capture');
}
