import { Inject, Injectable } from '@nestjs/common';
import { ServiceCredentialsError, ServiceUnexpectedAnswerError } from '../api/service-errors.js';
import { messageOf } from '../common/message-of.js';
import { TokenUnreadableError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { mustHavePartner } from '../options/partner.options.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { TokenVault } from '../stores/token-vault.js';
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
    private readonly vault: TokenVault,
    private readonly connected: ConnectedStores,
    private readonly tokens: TokenApi,
    private readonly subscriptions: Subscriptions,
    private readonly revoker: TokenRevoker,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
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
    if (await this.#isExpiring(store)) await this.connected.tokenExpires(store);
    const api = this.tokens.with(this.vault.open(store.id, store.encryptedToken));
    return this.subscriptions.fix(api, store, lease);
  }

  /** Reads the store's settings now; if its token is rejected or cannot be read, marks it. */
  async refresh(store: PaymentsStoreEntity): Promise<void> {
    if (store.encryptedToken === null) return;
    try {
      const api = this.tokens.with(this.vault.open(store.id, store.encryptedToken));
      const settings = await api.fetchStore({
        store: store.id,
        timeoutMs: this.options.requestTimeoutMs,
        signal: this.shutdown.signal,
      });
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

  async #isExpiring({ tokenExpiresAt, expiryAnnouncedAt }: PaymentsStoreEntity): Promise<boolean> {
    if (tokenExpiresAt === null || expiryAnnouncedAt !== null) return false;
    const { expiryNoticeMs } = mustHavePartner(this.options);
    return tokenExpiresAt.getTime() - expiryNoticeMs <= (await this.database.businessTime()).getTime();
  }

  #load(id: string): Promise<PaymentsStoreEntity> {
    return this.database.read((from) => from.findOneByOrFail(PaymentsStoreEntity, { id }));
  }
}
