import { Inject, Injectable } from '@nestjs/common';
import type { Credentials, CredentialsSource } from '../api/credentials.js';
import type { RequestHooks } from '../api/hooks.js';
import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import { PaymentInputError, StoreNotConnectedError, StoreNotFoundError } from '../common/payments.errors.js';
import { storeRule } from '../common/store.scope.js';
import { isUuid } from '../common/uuid.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { Shutdown } from '../work/shutdown.js';
import { WorkSignal } from '../work/work-signal.js';
import { TokenVault } from './token-vault.js';

const UNAUTHORIZED = 401;

/** The credentials of each request, and a check of the store after every 401 with its token: a single 401 proves nothing. */
@Injectable()
export class StoreCredentials {
  readonly #logger = new PaymentsLog();
  /** Stores that are being noted: a store with many requests needs one check. */
  readonly #noting = new Set<string>();
  readonly #vault: TokenVault;

  constructor(
    private readonly database: Database,
    private readonly signal: WorkSignal,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {
    this.#vault = new TokenVault(options);
  }

  /** For PaymentsApi: the shop's own if no store is named. */
  readonly source: CredentialsSource = (store) => (store === undefined ? this.#shop() : this.#ofStore(store));

  #shop(): ReturnType<CredentialsSource> {
    const { credentials } = this.options;
    if (credentials === null) throw new PaymentInputError('store', storeRule(false));
    return typeof credentials === 'function' ? credentials(undefined) : credentials;
  }

  /** Read each time, so that a reconnection reaches every process at once. */
  async #ofStore(store: string): Promise<Credentials> {
    if (!isUuid(store)) throw new PaymentInputError('store', storeRule(true));
    const row = await this.database.read((from) => from.findOneBy(PaymentsStoreEntity, { id: store }));
    if (!row || row.kind !== 'connected') throw new StoreNotFoundError(store);
    if (row.status !== 'connected') throw new StoreNotConnectedError(store, row.status);
    if (row.encryptedToken === null) throw new StoreNotConnectedError(store, 'disconnected');
    return { accessToken: this.#vault.open(row.id, row.encryptedToken) };
  }

  /** The host's hooks, and our own beside them if stores may be connected. */
  get hooks(): RequestHooks {
    const { hooks, partner } = this.options;
    if (partner === null) return hooks;
    return {
      onRequest: (info) => hooks.onRequest?.(info),
      onAnswer: (info) => hooks.onAnswer?.(info),
      onFailure: (info) => {
        if (info.store !== null && info.httpStatus === UNAUTHORIZED)
          void this.shutdown.waitFor(this.#note(info.store));
        return hooks.onFailure?.(info);
      },
    };
  }

  async #note(storeId: string): Promise<void> {
    if (this.#noting.has(storeId)) return;
    this.#noting.add(storeId);
    try {
      await this.database.transaction((manager) =>
        manager.query(
          `UPDATE ${this.database.table(PaymentsStoreEntity)} SET maintenance_at = ${this.database.now} WHERE id = $1 AND status = 'connected'`,
          [storeId],
        ),
      );
      this.signal.wake();
    } catch (error) {
      // The next 401 notes it.
      const reason = messageOf(error);
      this.#logger.warn(`A 401 of store ${storeId} could not be noted: ${reason}`, { storeId });
    } finally {
      this.#noting.delete(storeId);
    }
  }
}
