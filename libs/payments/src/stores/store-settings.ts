import type { StoreObject } from '../api/objects/store.js';
import { isRecord } from '../common/is-record.js';
import { storable } from '../common/text.js';

/** The settings of a store that we keep. Null: the service did not say; without `test` the first answer about a payment decides. */
export function settingsOf(store: StoreObject) {
  const { name, test, status, payment_methods: methods } = store;
  // The public service's own object (assumed: the interface does not show it).
  const { enabled, provider } = isRecord(store.fiscalization) ? store.fiscalization : {};
  return {
    name: typeof name === 'string' ? storable(name.slice(0, 500)) : null,
    ...(typeof test === 'boolean' && { test }),
    enabled: typeof status === 'string' ? status === 'enabled' : null,
    paymentMethods: Array.isArray(methods) ? methods.filter((method) => typeof method === 'string') : null,
    fiscalizationEnabled: flag(store.fiscalization_enabled) ?? flag(enabled),
    fiscalizationProvider: typeof provider === 'string' ? storable(provider.slice(0, 100)) : null,
  };
}

function flag(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}
