import { randomUUID } from 'node:crypto';
import type { Store } from '../../views/store.view.js';
import { BUILT_AT } from './moments.js';

/** Five years. */
const TOKEN_MS = 157_680_000_000;

/**
 * A store that its owner has connected, unless `fields` say otherwise.
 * @example const store = aStore({ status: 'needs_reconnect', ownerRef: 'owner-7' });
 */
export function aStore(fields: Partial<Store> = {}): Store {
  const { id = randomUUID(), status = 'connected' } = fields;
  const store: Store = {
    id,
    accountId: '4711',
    ownerRef: `owner-${id}`,
    name: null,
    status,
    test: true,
    enabled: true,
    paymentMethods: ['bank_card'],
    fiscalizationEnabled: false,
    fiscalizationProvider: null,
    connectedAt: BUILT_AT,
    tokenExpiresAt: status === 'disconnected' ? null : new Date(BUILT_AT.getTime() + TOKEN_MS),
  };
  return { ...store, ...fields };
}
