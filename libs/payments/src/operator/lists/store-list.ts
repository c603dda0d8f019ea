import type { Database } from '../../database/database.js';
import { PaymentsStoreEntity, type StoreKind, type StoreStatus } from '../../schema/store.entity.js';
import type { StoreRegistry } from '../../stores/store.registry.js';

/** A store that this module takes payments for: the shop's own, or a connected one. Without its token. */
export interface StoreState {
  readonly id: string;
  readonly kind: StoreKind;
  /** Its identifier at the service. */
  readonly accountId: string;
  readonly name: string | null;
  /** Of its owner, as the host calls them; null: the shop's own, or one that the database has forgotten. */
  readonly ownerRef: string | null;
  readonly status: StoreStatus;
  /** No money moves, as its id or the service's first answer says. */
  readonly test: boolean;
  /** When its token ends; null: it has none. */
  readonly tokenExpiresAt: Date | null;
  /** When its token, settings and webhooks are checked next; null: there is nothing to check. */
  readonly maintenanceAt: Date | null;
  /** Consecutive changes that polls found without a notification: with three or more, notifications do not arrive. */
  readonly unannouncedChanges: number;
  /** Since when; null: the last change was notified. */
  readonly unannouncedSince: Date | null;
}

/** A page of them. */
export interface StorePage {
  /** At most 100, in the order of their ids. */
  readonly items: readonly StoreState[];
  /** The `cursor` of the next page; null: there is none. */
  readonly nextCursor: string | null;
}

const PAGE = 100;

/** Reads the stores, by their ids. */
export async function storePage(
  database: Database,
  stores: StoreRegistry,
  cursor = '00000000-0000-0000-0000-000000000000',
): Promise<StorePage> {
  const rows = await database.read((from) =>
    from
      .createQueryBuilder(PaymentsStoreEntity, 'store')
      .where(`store.id > :cursor AND ${stores.isManaged('store')}`, { cursor })
      .orderBy('store.id')
      .limit(PAGE + 1)
      .getMany(),
  );
  const items = rows.slice(0, PAGE).map((store) => storeStateOf(stores, store));
  return { items, nextCursor: rows.length > PAGE ? (items.at(-1)?.id ?? null) : null };
}

export function storeStateOf(stores: StoreRegistry, store: PaymentsStoreEntity): StoreState {
  return {
    id: store.id,
    kind: store.kind,
    accountId: store.accountId,
    name: store.name,
    ownerRef: store.ownerRef,
    status: store.status,
    test: stores.isTest(store) ?? false,
    tokenExpiresAt: store.tokenExpiresAt,
    maintenanceAt: store.maintenanceAt,
    unannouncedChanges: store.unannouncedChanges,
    unannouncedSince: store.unannouncedSince,
  };
}
