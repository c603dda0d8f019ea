import type { Wishes } from '../workload/wishes.js';
import { checkCharges } from './check-charges.js';
import { checkEffects } from './check-effects.js';
import { checkEvents } from './check-events.js';
import { checkHandlers } from './check-handlers.js';
import { checkHolds } from './check-holds.js';
import { checkMoney } from './check-money.js';
import { checkNotifications } from './check-notifications.js';
import { checkObjects } from './check-objects.js';
import { checkOffsets } from './check-offsets.js';
import { checkOperations } from './check-operations.js';
import { checkOutside } from './check-outside.js';
import { checkQueue } from './check-queue.js';
import { checkReceipts } from './check-receipts.js';
import { checkWishes } from './check-wishes.js';
import type { Finding } from './finding.js';
import type { ServiceRecords, ShopRecords } from './records.js';

/** Compares the shops with the service, which never forgets, and both with what was wanted. Empty if nothing was lost or doubled. */
export function audit(shop: ShopRecords, service: ServiceRecords, wishes: readonly Wishes[]): Finding[] {
  return [
    ...checkObjects(shop, service),
    ...checkMoney(shop, service),
    ...checkCharges(service),
    ...checkWishes(wishes, service, shop),
    ...checkEvents(shop, service, wishes),
    ...checkEffects(shop),
    ...checkOutside(shop, service),
    ...checkOperations(shop, service),
    ...checkNotifications(shop, service),
    ...checkHolds(shop, service),
    ...checkReceipts(shop, service),
    ...checkOffsets(shop, service),
    ...checkHandlers(shop),
    ...checkQueue(shop),
  ];
}
