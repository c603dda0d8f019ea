import { Inject, Injectable } from '@nestjs/common';
import type { PartnerAction } from '../api/service-profile.js';
import {
  PaymentInputError,
  StoreDisabledError,
  StoreNotConnectedError,
  StorePermissionError,
} from '../common/payments.errors.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { StoreEntity } from '../schema/store.entity.js';

/** All that can be tested in a demo store. */
const testMethods = ['bank_card', 'wallet'];

/** What may be asked of a connected store; judged before anything is stored or sent. Of the shop's own, everything. */
@Injectable()
export class StoreRules {
  constructor(@Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions) {}

  /**
   * Money can be asked for only where the store's owner still lets us.
   * @throws StoreNotConnectedError
   * @throws StorePermissionError where the app was not registered with the permission
   * @throws StoreDisabledError where the service does not let the store take payments
   * @throws PaymentInputError for a method that the store does not offer
   */
  checkCreate(
    store: StoreEntity,
    { method, replace }: { readonly method: string | null; readonly replace: boolean },
  ): void {
    if (store.kind === 'own') return;
    if (store.status !== 'connected') throw new StoreNotConnectedError(store.id, store.status);
    this.checkPermission(store, 'create');
    // What is replaced may be held later, and is canceled then.
    if (replace) this.checkPermission(store, 'cancel');
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
   * Of a capture, cancel or refund. `recorded`: it is sent later, and waits for a reconnection.
   * @throws StoreNotConnectedError
   * @throws StorePermissionError
   */
  checkAct(store: StoreEntity, action: PartnerAction, { recorded }: { recorded: boolean }): void {
    if (store.kind === 'own') return;
    this.checkPermission(store, action);
    if (store.status === 'disconnected' || (store.status === 'needs_reconnect' && !recorded))
      throw new StoreNotConnectedError(store.id, store.status);
  }

  /** @throws StorePermissionError */
  checkPermission(store: StoreEntity, action: PartnerAction): void {
    if (!this.allows(store, action))
      throw new StorePermissionError(store.id, this.options.profile.permissions[action]);
  }

  allows({ kind }: Pick<StoreEntity, 'kind'>, action: PartnerAction): boolean {
    if (kind === 'own') return true;
    const permission = this.options.profile.permissions[action];
    return this.options.partner?.permissions.includes(permission) ?? false;
  }
}
