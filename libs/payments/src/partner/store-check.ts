import { Injectable } from '@nestjs/common';
import { ServiceCredentialsError, ServiceUnexpectedAnswerError } from '../api/service-errors.js';
import { messageOf } from '../common/message-of.js';
import { TokenUnreadableError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { Shutdown } from '../work/shutdown.js';
import { ConnectedStores } from './connected-stores.js';
import type { StoreLease } from './store-leases.js';
import { Subscriptions, type SubscriptionReport } from './subscriptions.js';
import { TokenApi } from './token-api.js';
import { TokenRevoker } from './token-revoker.js';

/** What is checked of a store: its token, its settings, its webhooks. Every step may be repeated. */
@Injectable()
export class StoreCheck {
  constructor(
    private readonly database: Database,
    private readonly connected: ConnectedStores,
    private readonly tokens: TokenApi,
    private readonly subscriptions: Subscriptions,
    private readonly revoker: TokenRevoker,
    private readonly shutdown: Shutdown,
  ) {}

  /** The whole check; null if the store is not connected. */
  async run(lease: StoreLease): Promise<SubscriptionReport | null> {
    const before = await this.#load(lease.storeId);
    if (before.status === 'disconnected') {
      await this.revoker.destroy(before);
      return null;
    }
    await this.refresh(before);
    const store = await this.#load(lease.storeId);
    if (store.status !== 'connected' || store.encryptedToken === null) return null;
    // First, since it depends on nothing: webhooks may be refused for ever.
    await this.connected.announceExpiry(store);
    const api = this.tokens.of(store);
    return api && this.subscriptions.fix(api, store, lease);
  }

  /** Reads the store's settings now; if its token is rejected or cannot be read, marks it. */
  async refresh(store: PaymentsStoreEntity): Promise<void> {
    try {
      const api = this.tokens.of(store);
      if (api === null) return;
      const { signal } = this.shutdown;
      const settings = await this.tokens.fetchStore(api, { store: store.id, signal });
      if (settings.account_id !== store.accountId)
        throw new ServiceUnexpectedAnswerError('the token is of another store', { request: 'GET /v3/me' });
      await this.connected.settle(store, settings);
    } catch (error) {
      // A key that only this process lacks is no reason to stop the others.
      if (error instanceof TokenUnreadableError) await this.connected.needsReconnect(store, messageOf(error));
      else if (error instanceof ServiceCredentialsError)
        await this.connected.needsReconnect(store, 'the service no longer accepts its token');
      else throw error;
    }
  }

  #load(id: string): Promise<PaymentsStoreEntity> {
    return this.database.read((from) => from.findOneByOrFail(PaymentsStoreEntity, { id }));
  }
}
