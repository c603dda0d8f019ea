/** Which store a call is for. An id of one store is unknown in every other. */
export interface StoreScope {
  /** The id of a connected store. Default: the shop's own. */
  readonly store?: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Of the property that names a store; `hasShop`: there is a store of our own too. */
export function storeRule(hasShop: boolean): string {
  const otherwise = hasShop
    ? "; left out, it is the shop's own"
    : ', and is required: there is no shop of our own';
  return `must be the id of a connected store, a UUID${otherwise}`;
}

/** Anything else would be an error of the database, not of the caller. */
export function isStoreId(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** A scope with the property left out where there is nothing to say. */
export function scopeOf(store: string | undefined): StoreScope {
  return store === undefined ? {} : { store };
}
