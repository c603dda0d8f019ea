import type { PaymentsStoreEntity, StoreStatus } from '../schema/store.entity.js';

/** A connected store, as merchant code sees it. It does not contain the token. */
export interface Store {
  /** The value of `store` in every call. */
  readonly id: string;
  /** Its identifier at the service. */
  readonly accountId: string;
  /** Your own reference of the owner who connected it; empty where the database has forgotten that. */
  readonly ownerRef: string;
  readonly name: string | null;
  /** `needs_reconnect`: the service no longer accepts its token, or the database has forgotten it; `disconnected`: its owner left. */
  readonly status: StoreStatus;
  /** A demo store: no money moves. */
  readonly test: boolean;
  /** Whether the service lets it take payments; null: it did not say. */
  readonly enabled: boolean | null;
  /** Methods it can take, in the interface's words; null: the service did not say. */
  readonly paymentMethods: readonly string[] | null;
  /** Whether it registers receipts through the service; null: the service did not say. */
  readonly fiscalizationEnabled: boolean | null;
  /** Who registers them, in the service's words (`yoo_receipt`, `atol` …); null: nobody, or it did not say. */
  readonly fiscalizationProvider: string | null;
  /** When its owner connected it last. */
  readonly connectedAt: Date;
  /** When its token ends, some five years after that; null: it has none. */
  readonly tokenExpiresAt: Date | null;
}

export function storeView(store: PaymentsStoreEntity): Store {
  return {
    id: store.id,
    accountId: store.accountId,
    ownerRef: store.ownerRef ?? '',
    name: store.name,
    status: store.status,
    test: store.test ?? false,
    enabled: store.enabled,
    paymentMethods: store.paymentMethods,
    fiscalizationEnabled: store.fiscalizationEnabled,
    fiscalizationProvider: store.fiscalizationProvider,
    connectedAt: store.connectedAt ?? store.createdAt,
    tokenExpiresAt: store.tokenExpiresAt,
  };
}
