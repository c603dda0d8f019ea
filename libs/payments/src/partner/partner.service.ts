import { Inject, Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { mustBeName, mustBeOptions } from '../common/arguments.js';
import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import { PaymentInputError, StoreNotConnectedError, StoreNotFoundError } from '../common/payments.errors.js';
import { isText } from '../common/text.js';
import { isUuid } from '../common/uuid.js';
import { Database } from '../database/database.js';
import { mustHavePartner } from '../options/partner.options.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { storeView, type Store } from '../views/store.view.js';
import { Shutdown } from '../work/shutdown.js';
import { authorizeUrl } from './authorization-server.js';
import { ConnectedStores } from './connected-stores.js';
import { OAuthStates } from './oauth-states.js';
import { isReturnTo, returnToRule } from './return-to.js';
import { StoreMaintenance } from './store-maintenance.js';
import type { SubscriptionReport } from './subscriptions.js';

/**
 * Stores of other owners, connected by OAuth 2.0: requires the option `partner`. A store's `id` is the value of `store` in every
 * call of PaymentsService. Every method may be called twice, at once, or again after a crash.
 */
@Injectable()
export class PartnerService {
  readonly #logger = new PaymentsLog();

  /** @internal */
  constructor(
    private readonly database: Database,
    private readonly states: OAuthStates,
    private readonly connected: ConnectedStores,
    private readonly maintenance: StoreMaintenance,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * The address to which to send an owner who is signed in and wants to connect a store, or connect it again. The address is
   * valid for this owner only, once, for an hour. The owner comes back to `returnTo` with `?store=<id>` or
   * `?error=<ConnectError>`.
   *
   * @param departure.ownerRef your own reference of the owner, 1 to 200 characters, as `partner.ownerOf` returns it
   * @param departure.returnTo a path on your own host
   * @throws PaymentInputError
   * @throws UnconfirmedDatabaseError
   */
  async authorizeUrl(departure: { readonly ownerRef: string; readonly returnTo: string }): Promise<string> {
    const partner = mustHavePartner(this.options);
    mustBeOptions(departure);
    const { ownerRef, returnTo } = departure;
    if (!isText(ownerRef, 1, 200))
      throw new PaymentInputError(
        'ownerRef',
        'must be your own reference of the owner, a string of 1 to 200 characters',
      );
    if (!isReturnTo(returnTo)) throw new PaymentInputError('returnTo', returnToRule);
    return authorizeUrl(partner, await this.states.issue({ ownerRef, returnTo, restarted: false }));
  }

  /**
   * Every store that was ever connected, the newest first; or those of one owner.
   * @throws PaymentInputError if `ownerRef` is given and is no string
   */
  async stores(filter: { readonly ownerRef?: string } = {}): Promise<Store[]> {
    mustHavePartner(this.options);
    mustBeOptions(filter);
    const { ownerRef } = filter;
    if ('ownerRef' in filter && typeof ownerRef !== 'string')
      throw new PaymentInputError('ownerRef', 'must be a string; left out, every store is meant');
    const stores = await this.database.read((from) =>
      from.find(PaymentsStoreEntity, {
        where: { kind: 'connected', detachedAt: IsNull(), ...(ownerRef !== undefined && { ownerRef }) },
        order: { createdAt: 'DESC', id: 'ASC' },
      }),
    );
    return stores.map(storeView);
  }

  /**
   * The store as we know it; no request to the service.
   * @throws StoreNotFoundError
   */
  async getStore(store: string): Promise<Store> {
    return storeView(await this.#find(store));
  }

  /**
   * Reads the store's settings from the service now. If the service does not accept its token the store comes back
   * `needs_reconnect`.
   * @throws StoreNotFoundError
   * @throws StoreNotConnectedError if it was disconnected
   * @throws ServiceError if the service gives no usable answer
   */
  async refreshStore(store: string): Promise<Store> {
    const found = await this.#find(store);
    if (found.status === 'disconnected') throw new StoreNotConnectedError(store, found.status);
    await this.shutdown.waitFor(this.maintenance.refresh(found));
    return this.getStore(store);
  }

  /**
   * Compares the store's webhooks with those it should have, one for each payment and refund event, and fixes the differences;
   * reads its settings too. The sweep does so once a day.
   * @throws StoreNotFoundError
   * @throws StoreNotConnectedError also if this very look finds that out
   * @throws StoreBusyError if another process works on it, or this one ends
   * @throws ServiceError if the service gives no usable answer
   */
  async subscriptions(store: string): Promise<SubscriptionReport> {
    const { status } = await this.#find(store);
    if (status !== 'connected') throw new StoreNotConnectedError(store, status);
    const report = await this.shutdown.waitFor(this.maintenance.lookAfter(store));
    if (report) return report;
    const { status: now } = await this.#find(store);
    throw new StoreNotConnectedError(store, now === 'connected' ? 'disconnected' : now);
  }

  /**
   * Ends the connection: from now on no requests are made for the store. Its webhooks are deleted, its token is revoked and
   * destroyed; if the service gives no answer, the sweep continues with that. Its payments stay and can be read.
   * @throws StoreNotFoundError
   */
  async disconnect(store: string): Promise<Store> {
    await this.#find(store);
    return this.shutdown.waitFor(this.#disconnect(store));
  }

  async #disconnect(store: string): Promise<Store> {
    await this.connected.disconnect(store);
    try {
      await this.maintenance.lookAfter(store);
    } catch (error) {
      const reason = messageOf(error);
      this.#logger.warn(`The token of store ${store} is not destroyed yet; the sweep continues: ${reason}`, {
        storeId: store,
      });
    }
    return this.getStore(store);
  }

  async #find(store: string): Promise<PaymentsStoreEntity> {
    mustHavePartner(this.options);
    mustBeName('store', store);
    const found = isUuid(store)
      ? await this.database.read((from) => from.findOneBy(PaymentsStoreEntity, { id: store }))
      : null;
    if (!found || found.kind !== 'connected') throw new StoreNotFoundError(store);
    return found;
  }
}
