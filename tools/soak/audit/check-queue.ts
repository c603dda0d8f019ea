import { wrong, type Finding } from './finding.js';
import type { ShopRecords } from './records.js';

/** Nothing in progress has ever left the queue. */
export function checkQueue({ putBack }: Pick<ShopRecords, 'putBack'>): Finding[] {
  return putBack.map(({ paymentId }) =>
    wrong(`payment ${paymentId} was in progress and out of the queue, until it was put back`),
  );
}
