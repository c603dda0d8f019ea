import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { StoreObject } from '../api/objects/store.js';
import type { Cause } from '../common/cause.js';
import { plusMs } from '../common/clock.js';
import { derivedId } from '../common/derived.js';
import { PaymentsLog } from '../common/payments-log.js';
import { webhookKeyOf } from '../common/webhook-key.js';
import { Database } from '../database/database.js';
import { mustHavePartner } from '../options/partner.options.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { recordEvent } from '../payment/record-event.js';
import { CommitMark } from '../rollback/commit-mark.js';
import { RecoveryGate } from '../rollback/recovery-gate.js';
import { openMissedWindows } from '../rollback/recovery-windows.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { settingsOf } from '../stores/store-settings.js';
import { TokenVault } from '../stores/token-vault.js';
import type { StoreEventName } from '../views/events.js';
import type { IssuedToken } from './authorization-server.js';

/** The result of connecting a store. */
export type Connection =
  | {
      readonly kind: 'connected';
      readonly store: PaymentsStoreEntity;
      /** The token it had before, as it was stored; null: none. */
      readonly replaced: string | null;
    }
  /** The account is a shop's own store, with credentials of its own. */
  | { readonly kind: 'own-store' }
  /** Another owner has connected it, and it is connected still. */
  | { readonly kind: 'taken' };

interface NewConnection {
  readonly ownerRef: string;
  readonly token: IssuedToken;
  readonly settings: StoreObject;
}

/**
 * The only place that writes a connected store: its token, its status, its settings. {@link recordForgottenStore} records one that was forgotten,
 * without them.
 */
@Injectable()
export class ConnectedStores {
  readonly #logger = new PaymentsLog();

  constructor(
    private readonly database: Database,
    private readonly vault: TokenVault,
    private readonly mark: CommitMark,
    private readonly gate: RecoveryGate,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Connects an account, or connects it again: then the row stays, and all its payments with it. If the database has forgotten the
   * row, the new one has the same id and the same webhook address: the payments at the service are ours again, and no webhook that was
   * made for the lost token sends to nowhere.
   */
  async connect(manager: EntityManager, { ownerRef, token, settings }: NewConnection): Promise<Connection> {
    const { account_id: accountId } = settings;
    // The token that it had is the original's, and would be revoked.
    await this.gate.mustBeConfirmedIn(manager);
    const seed = await this.mark.storeSeed(manager);
    await manager
      .createQueryBuilder()
      .insert()
      .into(PaymentsStoreEntity)
      .values({
        id: derivedId(seed, 'store', accountId),
        accountId,
        kind: 'connected',
        status: 'disconnected',
        webhookKey: webhookKeyOf(seed, accountId),
      })
      .orIgnore()
      .execute();
    const before = await lock(manager, { accountId });
    if (before.kind === 'own') return { kind: 'own-store' };
    // One that was forgotten is nobody's yet: who has a token of its account is its owner.
    const isNew = before.status === 'disconnected' || before.connectedAt === null;
    if (!isNew && before.ownerRef !== ownerRef) return { kind: 'taken' };
    const { now } = this.database;
    await manager.update(PaymentsStoreEntity, before.id, {
      ownerRef,
      status: 'connected',
      encryptedToken: this.vault.seal(before.id, token.accessToken),
      tokenExpiresAt: () => plusMs(now, token.expiresInMs),
      expiryAnnouncedAt: null,
      connectedAt: () => now,
      // Its subscriptions are still to be created, by whichever process gets to it.
      maintenanceAt: () => now,
      ...settingsOf(settings),
    });
    if (isNew) await openMissedWindows(this.database, manager, before.id);
    const store = await manager.findOneByOrFail(PaymentsStoreEntity, { id: before.id });
    await this.#raise(manager, store, 'store.connected', 'connect', { from: before.status });
    return { kind: 'connected', store, replaced: before.encryptedToken };
  }

  /** The service's view of the store now. A token that works after all connects it again. */
  async settle({ id, encryptedToken }: PaymentsStoreEntity, settings: StoreObject): Promise<void> {
    await this.database.transaction(async (manager) => {
      const store = await lock(manager, { id });
      if (store.encryptedToken !== encryptedToken || store.status === 'disconnected') return;
      await manager.update(PaymentsStoreEntity, id, settingsOf(settings));
      if (store.status !== 'needs_reconnect') return;
      await manager.update(PaymentsStoreEntity, id, {
        status: 'connected',
        maintenanceAt: () => this.database.now,
      });
      await this.#raise(manager, store, 'store.connected', 'refresh', { from: store.status });
    });
  }

  /** This very token is no longer valid; if a reconnection has brought another one meanwhile, that is left alone. */
  async needsReconnect({ id, encryptedToken }: PaymentsStoreEntity, reason: string): Promise<void> {
    const marked = await this.database.transaction(async (manager) => {
      const store = await lock(manager, { id });
      if (store.encryptedToken !== encryptedToken || store.status !== 'connected') return false;
      await manager.update(PaymentsStoreEntity, id, { status: 'needs_reconnect', maintenanceAt: null });
      await this.#raise(manager, store, 'store.needs_reconnect', 'refresh', {
        tokenExpiresAt: store.tokenExpiresAt,
      });
      return true;
    });
    if (marked)
      this.#logger.warn(`Store ${id} has to be connected again by its owner: ${reason}`, { storeId: id });
  }

  /** Reports a token that ends soon, once for each token. */
  async announceExpiry(store: PaymentsStoreEntity): Promise<void> {
    const { tokenExpiresAt, expiryAnnouncedAt } = store;
    if (tokenExpiresAt === null || expiryAnnouncedAt !== null) return;
    const { expiryNoticeMs } = mustHavePartner(this.options);
    const now = await this.database.businessTime();
    if (tokenExpiresAt.getTime() - expiryNoticeMs <= now.getTime()) await this.tokenExpires(store);
  }

  /** Reported once for each token. */
  async tokenExpires({ id, encryptedToken }: PaymentsStoreEntity): Promise<void> {
    const expiresAt = await this.database.transaction(async (manager) => {
      const store = await lock(manager, { id });
      if (store.encryptedToken !== encryptedToken || store.expiryAnnouncedAt !== null) return null;
      await manager.update(PaymentsStoreEntity, id, { expiryAnnouncedAt: () => this.database.now });
      await this.#raise(manager, store, 'store.token_expiring', 'sweep', {
        tokenExpiresAt: store.tokenExpiresAt,
      });
      return store.tokenExpiresAt;
    });
    if (expiresAt)
      this.#logger.warn(
        `The token of store ${id} ends ${expiresAt.toISOString()}: lead its owner through connecting it again.`,
        { storeId: id },
      );
  }

  /** From now on no requests are made for it; its token is destroyed once its webhooks are deleted. */
  async disconnect(id: string): Promise<void> {
    await this.database.transaction(async (manager) => {
      await this.gate.mustBeConfirmedIn(manager);
      const store = await lock(manager, { id });
      if (store.status === 'disconnected') return;
      await manager.update(PaymentsStoreEntity, id, {
        status: 'disconnected',
        maintenanceAt: () => this.database.now,
      });
      // One that was forgotten, and not connected since, has no owner to tell.
      if (store.connectedAt === null) return;
      await this.#raise(manager, store, 'store.disconnected', 'disconnect', { from: store.status });
    });
  }

  async destroyToken({ id, encryptedToken }: PaymentsStoreEntity): Promise<void> {
    await this.database.transaction(async (manager) => {
      const store = await lock(manager, { id });
      if (store.encryptedToken !== encryptedToken || store.status !== 'disconnected') return;
      await manager.update(PaymentsStoreEntity, id, {
        encryptedToken: null,
        tokenExpiresAt: null,
        maintenanceAt: null,
      });
    });
  }

  #raise(
    manager: EntityManager,
    { id }: PaymentsStoreEntity,
    name: StoreEventName,
    cause: Cause,
    evidence: Record<string, unknown>,
  ): Promise<void> {
    const about = { storeId: id, subject: { type: 'store', id }, paymentId: null } as const;
    return recordEvent(manager, this.database, about, { name, cause, evidence });
  }
}

function lock(
  manager: EntityManager,
  where: { id: string } | { accountId: string },
): Promise<PaymentsStoreEntity> {
  return manager.findOneOrFail(PaymentsStoreEntity, { where, lock: { mode: 'for_no_key_update' } });
}
