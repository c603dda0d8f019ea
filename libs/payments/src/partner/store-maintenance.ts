import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Secret } from '../api/secret.js';
import {
  ServiceCredentialsError,
  ServiceForbiddenError,
  ServiceUnexpectedAnswerError,
} from '../api/service-errors.js';
import { plusMs } from '../common/clock.js';
import { andOthers, FAILURE_LOG_MS, LogLimit } from '../common/log-limit.js';
import { messageOf } from '../common/message-of.js';
import { StoreBusyError, TokenUnreadableError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { mustHavePartner } from '../options/partner.options.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { StoreEntity } from '../schema/store.entity.js';
import { TokenVault } from '../stores/token-vault.js';
import { DetachedWork } from '../work/detached-work.js';
import { Shutdown } from '../work/shutdown.js';
import { AuthorizationServer } from './authorization-server.js';
import { ConnectedStores } from './connected-stores.js';
import { StoreLeases, type StoreLease } from './store-leases.js';
import { Subscriptions, type SubscriptionReport } from './subscriptions.js';
import { TokenApi } from './token-api.js';

/** There is no notification when an owner changes the store's settings or removes a webhook. */
const EVERY_MS = 24 * 60 * 60_000;
/** Looks at stores that hang, beside the slots of those that answer. */
const DETACHED_AT_ONCE = 16;

export const STORES_AT_ONCE = 4;

/**
 * Checks connected stores: once a day, when their token is in doubt, and if a connection or disconnection was left half-way.
 * Every step may be repeated: if this process is about to end, what was sent is finished and the rest is left to others, at once.
 */
@Injectable()
export class StoreMaintenance {
  readonly #logger = new Logger('Payments');
  readonly #failures = new LogLimit(FAILURE_LOG_MS);
  readonly #detached: DetachedWork;

  constructor(
    private readonly database: Database,
    private readonly vault: TokenVault,
    private readonly leases: StoreLeases,
    private readonly connected: ConnectedStores,
    private readonly server: AuthorizationServer,
    private readonly tokens: TokenApi,
    private readonly subscriptions: Subscriptions,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {
    this.#detached = new DetachedWork(shutdown, DETACHED_AT_ONCE);
  }

  /** SQL condition: there is one to check. */
  get waits(): string {
    return this.options.partner === null ? 'false' : this.leases.waits;
  }

  /** Checks one store; false if none is due. */
  async runNext(): Promise<boolean> {
    if (this.options.partner === null || this.shutdown.hasBegun) return false;
    const lease = await this.leases.next();
    if (!lease) return false;
    await this.#detached.awaitBriefly(this.#sweep(lease));
    return true;
  }

  /** Reads the store's settings now; if its token is rejected or cannot be read, marks it. */
  async refresh(store: StoreEntity): Promise<void> {
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
      if (error instanceof TokenUnreadableError) await this.connected.needsReconnect(store, error.message);
      else if (error instanceof ServiceCredentialsError)
        await this.connected.needsReconnect(store, 'the service no longer accepts its token');
      else throw error;
    }
  }

  /**
   * Checks the store now, as the sweep would; null if it is not connected.
   * @throws StoreBusyError if another process has worked on it all the time, or this one ends
   */
  async lookAfter(storeId: string): Promise<SubscriptionReport | null> {
    const lease = await this.leases.of(storeId);
    if (!lease) throw new StoreBusyError(storeId);
    return this.#look(lease);
  }

  /** Revokes a token that has a successor; its webhooks end with it. If that fails, the token expires by itself. */
  async revoke(storeId: string, encryptedToken: string): Promise<void> {
    let reason: string | null;
    try {
      reason = await this.server.revoke(this.vault.open(storeId, encryptedToken));
    } catch (error) {
      reason = messageOf(error);
    }
    if (reason === null) return;
    this.#logger.warn(
      `The former token of store ${storeId} could not be revoked; it ends by itself: ${reason}`,
    );
  }

  async #sweep(lease: StoreLease): Promise<void> {
    try {
      await this.#look(lease);
    } catch (error) {
      const count = this.shutdown.hasBegun ? null : this.#failures.take();
      if (count === null) return;
      const reason = messageOf(error);
      this.#logger.warn(
        `Store ${lease.storeId} could not be checked and will be tried again: ${reason}${andOthers(count)}`,
      );
    }
  }

  /** The whole check, which alone postpones the next one for a day; null if the store is not connected. */
  async #look(lease: StoreLease): Promise<SubscriptionReport | null> {
    let next: string | null = null;
    try {
      const report = await this.#see(lease);
      next = plusMs(this.database.now, EVERY_MS);
      return report;
    } finally {
      await this.leases.release(lease, next ?? this.#again());
    }
  }

  async #see(lease: StoreLease): Promise<SubscriptionReport | null> {
    const before = await this.#load(lease.storeId);
    if (before.status === 'disconnected') {
      await this.#endToken(before);
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

  async #endToken(store: StoreEntity): Promise<void> {
    if (store.encryptedToken === null || store.status !== 'disconnected') return;
    const token = this.#openLast(store.id, store.encryptedToken);
    if (token) await this.#giveBack(store, token);
    await this.connected.destroyToken(store);
  }

  /** null: nobody can read it, so nobody can revoke it; it ends by itself. */
  #openLast(storeId: string, encryptedToken: string): Secret | null {
    try {
      return this.vault.open(storeId, encryptedToken);
    } catch (error) {
      if (!(error instanceof TokenUnreadableError)) throw error;
      this.#logger.error(
        `Store ${storeId} is disconnected, but its token could not be revoked and ends by itself: ${error.message}`,
      );
      return null;
    }
  }

  async #giveBack(store: StoreEntity, token: Secret): Promise<void> {
    try {
      await this.subscriptions.removeAll(this.tokens.with(token), store);
    } catch (error) {
      // They end with the token, which may have ended itself, or may no longer access them.
      if (!(error instanceof ServiceCredentialsError || error instanceof ServiceForbiddenError)) throw error;
    }
    const fault = await this.server.revoke(token);
    if (fault !== null) throw new Error(`the token was not revoked: ${fault}`);
  }

  async #isExpiring({ tokenExpiresAt, expiryAnnouncedAt }: StoreEntity): Promise<boolean> {
    if (tokenExpiresAt === null || expiryAnnouncedAt !== null) return false;
    const { expiryNoticeMs } = mustHavePartner(this.options);
    return tokenExpiresAt.getTime() - expiryNoticeMs <= (await this.database.businessTime()).getTime();
  }

  /** SQL of when to check next after an unfinished check; null: the time it was postponed to. */
  #again(): string | null {
    // An interrupted check is another process's at once.
    return this.shutdown.hasBegun ? this.database.now : null;
  }

  #load(id: string): Promise<StoreEntity> {
    return this.database.read((from) => from.findOneByOrFail(StoreEntity, { id }));
  }
}
