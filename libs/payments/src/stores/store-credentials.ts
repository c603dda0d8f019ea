import { Inject, Injectable } from '@nestjs/common';
import type { Credentials, CredentialsSource } from '../api/credentials.js';
import { PaymentInputError, StoreNotConnectedError, StoreNotFoundError } from '../common/payments.errors.js';
import { storeRule } from '../common/store.scope.js';
import { isUuid } from '../common/uuid.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { TokenVault } from './token-vault.js';

/** The credentials of each request. */
@Injectable()
export class StoreCredentials {
  readonly #vault: TokenVault;

  constructor(
    private readonly database: Database,
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
}
