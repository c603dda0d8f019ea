/** The store of a call. An id of one store is unknown in every other. */
export interface StoreScope {
  /** The id of a connected store. Default: the shop's own. */
  readonly store?: string;
}

/** Of the property that names a store; `hasShop`: there is a store of our own too. */
export function storeRule(hasShop: boolean): string {
  const otherwise = hasShop
    ? "; if omitted, it is the shop's own"
    : ', and is required: there is no shop of our own';
  return `must be the id of a connected store, a UUID${otherwise}`;
}

/** A scope without the property if it is undefined. */
export function scopeOf(store: string | undefined): StoreScope {
  return store === undefined ? {} : { store };
}
