import { lost, type Finding } from './finding.js';
import type { ServicePaymentRecord, ServiceRecords, ShopRecords } from './records.js';

/** No hold runs out without a handler having been told that it would, or that it has. */
export function checkHolds({ effects }: ShopRecords, service: ServiceRecords): Finding[] {
  const told = new Set(
    effects.filter(({ event }) => event.startsWith('hold.')).map(({ paymentId }) => paymentId),
  );
  return expiredHolds(service)
    .filter(({ ourId }) => !told.has(ourId ?? ''))
    .map(({ id, ourId }) => lost(`the hold of payment ${ourId} (${id}) ran out, and nobody was told`));
}

/** Holds that the service let go because nobody took them. */
export function expiredHolds({ payments }: ServiceRecords): ServicePaymentRecord[] {
  return payments.filter(({ cancellationReason }) => cancellationReason === 'expired_on_capture');
}
