import { Inject, Injectable, Logger } from '@nestjs/common';
import { ServiceCredentialsError, ServiceUnexpectedAnswerError } from '../api/service-errors.js';
import { plusMs } from '../clock.js';
import { Database } from '../database/database.js';
import { andOthers, FAILURE_LOG_MS, LogLimit } from '../log-limit.js';
import { StoreNotConnectedError } from '../payments.errors.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { CatchUp } from '../reconcile/catch-up.js';
import { StoreEntity } from '../stores/store.entity.js';
import { TokenVault } from '../stores/token-vault.js';
import { Aside } from '../sweeps/aside.js';
import { Shutdown } from '../sweeps/shutdown.js';
import { AuthorizationServer } from './authorization-server.js';
import { ConnectedStores } from './connected-stores.js';
import { mustHavePartner } from './must-have-partner.js';
import { StoreLeases, type StoreLease } from './store-leases.js';
import { Subscriptions, type SubscriptionReport } from './subscriptions.js';
import { TokenApi } from './token-api.js';

/** Nothing tells us that an owner has changed the store's settings or removed a webhook. */
const EVERY_MS = 24 * 60 * 60_000;
/** Looks at stores that hang, beside the slots of those that answer. */
const ASIDE_AT_ONCE = 16;

/**
 * Looks after connected stores: once a day, when their token is in doubt, and where a connection or disconnection was
 * left half-way. Every step may be repeated: where this process is told to end, what was sent is finished and the rest is
 * left to others, at once.
 */
@Injectable()
export class StoreKeeper {
  readonly #logger = new Logger('Payments');
  readonly #failures = new LogLimit(FAILURE_LOG_MS);
  readonly #aside: Aside;

  constructor(
    private readonly database: Database,
    private readonly vault: TokenVault,
    private readonly leases: StoreLeases,
    private readonly connected: ConnectedStores,
    private readonly server: AuthorizationServer,
    private readonly tokens: TokenApi,
    private readonly subscriptions: Subscriptions,
    private readonly catchUp: CatchUp,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {
    this.#aside = new Aside(shutdown, ASIDE_AT_ONCE);
  }

  /** Looks after one store; false where none is due. */
  async runNext(): Promise<boolean> {
    if (this.options.partner === null || this.shutdown.hasBegun) return false;
    const lease = await this.leases.next();
    if (!lease) return false;
    await this.#aside.whileQuick(this.#lookAfter(lease));
    return true;
  }

  /** Reads the store's settings now; where the service does not take its token, marks it. */
  async refresh(store: StoreEntity): Promise<void> {
    if (store.encryptedToken === null) return;
    const api = this.tokens.with(this.vault.open(store.id, store.encryptedToken));
    try {
      const settings = await api.readStore({
        store: store.id,
        timeoutMs: this.options.requestTimeoutMs,
        signal: this.shutdown.signal,
      });
      if (settings.account_id !== store.accountId)
        throw new ServiceUnexpectedAnswerError('the token is of another store', { request: 'GET /v3/me' });
      await this.connected.settle(store, settings);
    } catch (error) {
      if (!(error instanceof ServiceCredentialsError)) throw error;
      await this.connected.needsReconnect(store);
    }
  }

  /** Mends the store's webhooks now; null where another process has been at it all the time. */
  async mend(storeId: string): Promise<SubscriptionReport | null> {
    const lease = await this.leases.of(storeId);
    if (!lease) return null;
    let next: string | null = null;
    try {
      const store = await this.#read(storeId);
      const report = await this.#mend(store, lease).catch(async (error: unknown) => {
        if (error instanceof ServiceCredentialsError) await this.refresh(store);
        throw error;
      });
      next = this.#next();
      return report;
    } finally {
      await this.leases.release(lease, next ?? this.#again());
    }
  }

  /** Ends the webhooks of a store that was disconnected and destroys its token; the sweep goes on with what fails. */
  async finishDisconnect(storeId: string): Promise<void> {
    const lease = await this.leases.of(storeId);
    if (!lease) return;
    try {
      await this.#endToken(await this.#read(storeId));
    } finally {
      await this.leases.release(lease, this.#again());
    }
  }

  /** Gives back a token that has a successor; its webhooks end with it. Where it fails, the service ends it in its time. */
  async revoke(storeId: string, encryptedToken: string): Promise<void> {
    let reason = 'the authorization server gave no answer';
    try {
      if (await this.server.revoke(this.vault.open(storeId, encryptedToken))) return;
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
    this.#logger.warn(
      `The former token of store ${storeId} could not be revoked; it ends by itself: ${reason}`,
    );
  }

  async #lookAfter(lease: StoreLease): Promise<void> {
    try {
      await this.leases.release(lease, await this.#look(lease));
    } catch (error) {
      const count = this.shutdown.hasBegun ? null : this.#failures.take();
      const reason = error instanceof Error ? error.message : String(error);
      if (count !== null)
        this.#logger.warn(
          `Store ${lease.storeId} could not be looked after and will be tried again: ${reason}${andOthers(count)}`,
        );
      await this.leases.release(lease, this.#again());
    }
  }

  /** SQL of when to look next; null: when it was put off to. */
  async #look(lease: StoreLease): Promise<string | null> {
    const before = await this.#read(lease.storeId);
    if (before.status === 'disconnected') {
      await this.#endToken(before);
      return null;
    }
    await this.refresh(before);
    const store = await this.#read(lease.storeId);
    if (store.status === 'connected') {
      await this.#mend(store, lease);
      if (await this.#isExpiring(store)) await this.connected.tokenExpires(store);
    }
    return this.#next();
  }

  async #mend(store: StoreEntity, lease: StoreLease): Promise<SubscriptionReport> {
    if (store.encryptedToken === null || store.status !== 'connected')
      throw new StoreNotConnectedError(
        store.id,
        store.status === 'connected' ? 'disconnected' : store.status,
      );
    const api = this.tokens.with(this.vault.open(store.id, store.encryptedToken));
    const report = await this.subscriptions.mend(api, store, this.leases, lease);
    // While one was missing nobody told of what happened; polls alone may take an hour to find it.
    if (report.created.length > 0) await this.catchUp.store(store.id);
    return report;
  }

  async #endToken(store: StoreEntity): Promise<void> {
    if (store.encryptedToken === null || store.status !== 'disconnected') return;
    const token = this.vault.open(store.id, store.encryptedToken);
    try {
      await this.subscriptions.removeAll(this.tokens.with(token), store);
    } catch (error) {
      // A token that is not taken any more has no webhooks.
      if (!(error instanceof ServiceCredentialsError)) throw error;
    }
    if (!(await this.server.revoke(token))) throw new Error('the authorization server gave no answer');
    await this.connected.destroyToken(store);
  }

  async #isExpiring({ tokenExpiresAt, expiryToldAt }: StoreEntity): Promise<boolean> {
    if (tokenExpiresAt === null || expiryToldAt !== null) return false;
    const { expiryNoticeMs } = mustHavePartner(this.options);
    return tokenExpiresAt.getTime() - expiryNoticeMs <= (await this.database.businessTime()).getTime();
  }

  /** SQL. */
  #next(): string {
    return plusMs(this.database.now, EVERY_MS);
  }

  /** SQL likewise, of a look that came to no end: one that was broken off is another process's at once. */
  #again(): string | null {
    return this.shutdown.hasBegun ? this.database.now : null;
  }

  #read(id: string): Promise<StoreEntity> {
    return this.database.dataSource.manager.findOneByOrFail(StoreEntity, { id });
  }
}
