import { Injectable } from '@nestjs/common';
import type { Secret } from '../api/secret.js';
import { ServiceCredentialsError, ServiceForbiddenError } from '../api/service-errors.js';
import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import { TokenUnreadableError } from '../common/payments.errors.js';
import type { PaymentsStoreEntity } from '../schema/store.entity.js';
import { TokenVault } from '../stores/token-vault.js';
import { AuthorizationServer } from './authorization-server.js';
import { ConnectedStores } from './connected-stores.js';
import { Subscriptions } from './subscriptions.js';
import { TokenApi } from './token-api.js';

/** Gives tokens back that are not needed any more. */
@Injectable()
export class TokenRevoker {
  readonly #logger = new PaymentsLog();

  constructor(
    private readonly vault: TokenVault,
    private readonly connected: ConnectedStores,
    private readonly server: AuthorizationServer,
    private readonly tokens: TokenApi,
    private readonly subscriptions: Subscriptions,
  ) {}

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
      { storeId },
    );
  }

  /** Of a disconnected store: its webhooks are deleted, its token is revoked and forgotten. */
  async destroy(store: PaymentsStoreEntity): Promise<void> {
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
      this.#logger.warn(
        `Store ${storeId} is disconnected, but its token could not be revoked and ends by itself: ${messageOf(error)}`,
        { storeId },
      );
      return null;
    }
  }

  async #giveBack(store: PaymentsStoreEntity, token: Secret): Promise<void> {
    try {
      await this.subscriptions.removeAll(this.tokens.with(token), store);
    } catch (error) {
      // They end with the token, which may have ended itself, or may no longer access them.
      if (!(error instanceof ServiceCredentialsError || error instanceof ServiceForbiddenError)) throw error;
    }
    const fault = await this.server.revoke(token);
    if (fault !== null) throw new Error(`the token was not revoked: ${fault}`);
  }
}
