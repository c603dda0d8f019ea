import type { StoreScope } from '../../common/store.scope.js';
import type { Database } from '../../database/database.js';
import { recoveries, type Recovery } from '../../rollback/recovery-windows.js';
import { PaymentsStoreEntity } from '../../schema/store.entity.js';
import type { RateLimiter } from '../../stores/rate-limiter.js';
import type { StoreRegistry } from '../../stores/store.registry.js';
import type { WorkSignal } from '../../work/work-signal.js';
import { storeStateOf, type StoreState } from './store-list.js';

/** All that is known of one store, but for its token. */
export interface StoreInFull extends StoreState {
  /** Whether the service lets it take payments; null: it did not say. */
  readonly enabled: boolean | null;
  /** Methods it can take, in the interface's words; null: the service did not say. */
  readonly paymentMethods: readonly string[] | null;
  /** Who registers its receipts, in the service's words; null: nobody, or it did not say. */
  readonly fiscalizationProvider: string | null;
  /** When its owner connected it last; null: the shop's own. */
  readonly connectedAt: Date | null;
  /** Up to when its refunds have been listed, so that those made outside are known; null: not yet. */
  readonly refundsSeenTo: Date | null;
  /** How many requests the sweeps of all processes may make for it at once, now: for what was notified, and for polls. */
  readonly requestsLeft: { readonly notified: number; readonly polls: number };
  /** Times of which commits may be missing, the newest first, at most 100. */
  readonly recoveries: readonly Recovery[];
}

/** @throws StoreNotFoundError */
export async function storeInFull(
  database: Database,
  stores: StoreRegistry,
  limiter: RateLimiter,
  scope: StoreScope,
): Promise<StoreInFull> {
  const { id } = await stores.find(scope);
  // The shop's own is kept since the start: its row knows more.
  const store = await database.read((from) => from.findOneByOrFail(PaymentsStoreEntity, { id }));
  const { enabled, paymentMethods, fiscalizationProvider, connectedAt, refundsSeenTo } = store;
  return {
    ...storeStateOf(stores, store),
    enabled,
    paymentMethods,
    fiscalizationProvider,
    connectedAt,
    refundsSeenTo,
    requestsLeft: await limiter.leftNow(id),
    recoveries: await recoveries(database, id),
  };
}

/**
 * False: it is not connected by an owner, so there is nothing to check.
 * @throws StoreNotFoundError
 */
export async function checkStore(
  database: Database,
  stores: StoreRegistry,
  signal: WorkSignal,
  scope: StoreScope,
): Promise<boolean> {
  const { id } = await stores.find(scope);
  const { affected } = await database.transaction((manager) =>
    manager.update(
      PaymentsStoreEntity,
      { id, kind: 'connected', status: 'connected' },
      { maintenanceAt: () => database.now },
    ),
  );
  signal.wake();
  return affected === 1;
}
