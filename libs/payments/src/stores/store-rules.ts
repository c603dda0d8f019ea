import type { PartnerAction } from '../api/service-profile.js';
import {
  PaymentInputError,
  StoreDisabledError,
  StoreNotConnectedError,
  StorePermissionError,
} from '../common/payments.errors.js';
import type { ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { PaymentsStoreEntity } from '../schema/store.entity.js';

/** All that can be tested in a demo store. */
const testMethods = ['bank_card', 'wallet'];

/**
 * A payment can be requested only while the store's owner lets us.
 * @throws StoreNotConnectedError
 * @throws StorePermissionError if the app was not registered with the permission
 * @throws StoreDisabledError if the service does not let the store take payments
 * @throws PaymentInputError for a method that the store does not offer
 */
export function checkCreate(
  options: ResolvedPaymentsOptions,
  store: PaymentsStoreEntity,
  { method, replace }: { readonly method: string | null; readonly replace: boolean },
): void {
  if (store.kind === 'own') return;
  if (store.status !== 'connected') throw new StoreNotConnectedError(store.id, store.status);
  checkPermission(options, store, 'create');
  // The replaced payment may be held later, and is canceled then.
  if (replace) checkPermission(options, store, 'cancel');
  if (store.enabled === false) throw new StoreDisabledError(store.id);
  if (method === null) return;
  const offered = store.paymentMethods?.filter((one) => !store.test || testMethods.includes(one));
  const methods = offered ?? (store.test ? testMethods : null);
  if (methods !== null && !methods.includes(method))
    throw new PaymentInputError(
      'method',
      `must be one that the store offers (${methods.join(', ')}); if that has changed, refreshStore() finds out`,
    );
}

/**
 * For a capture, cancel or refund. `recorded`: it is sent later, and waits for a reconnection.
 * @throws StoreNotConnectedError
 * @throws StorePermissionError
 */
export function checkAct(
  options: ResolvedPaymentsOptions,
  store: PaymentsStoreEntity,
  action: PartnerAction,
  { recorded }: { recorded: boolean },
): void {
  if (store.kind === 'own') return;
  checkPermission(options, store, action);
  if (store.status === 'disconnected' || (store.status === 'needs_reconnect' && !recorded))
    throw new StoreNotConnectedError(store.id, store.status);
}

/**
 * A store that was given up in a copy is the original's alone, whatever is done with it.
 * @throws StoreNotConnectedError
 */
export function checkOwn({ id, detachedAt }: Pick<PaymentsStoreEntity, 'id' | 'detachedAt'>): void {
  if (detachedAt !== null) throw new StoreNotConnectedError(id, 'disconnected');
}

/** @throws StorePermissionError */
function checkPermission(
  options: ResolvedPaymentsOptions,
  store: PaymentsStoreEntity,
  action: PartnerAction,
): void {
  if (!allowsAct(options, store, action))
    throw new StorePermissionError(store.id, options.profile.permissions[action]);
}

export function allowsAct(
  options: ResolvedPaymentsOptions,
  { kind }: Pick<PaymentsStoreEntity, 'kind'>,
  action: PartnerAction,
): boolean {
  if (kind === 'own') return true;
  const permission = options.profile.permissions[action];
  return options.partner?.permissions.includes(permission) ?? false;
}
