import { Injectable } from '@nestjs/common';
import { ServiceError } from '../api/service-errors.js';
import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import { PaymentsError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { AuthorizationServer, type IssuedToken } from './authorization-server.js';
import { ConnectedStores, type Connection } from './connected-stores.js';
import { OAuthStates, type Arrival } from './oauth-states.js';
import { TokenApi } from './token-api.js';

/** What became of a token. */
type Connected =
  | {
      readonly kind: 'connected';
      readonly storeId: string;
      /** The token it had before, as it was stored; null: none. */
      readonly replaced: string | null;
    }
  | {
      readonly kind: 'failed';
      readonly error: 'own_store' | 'connected_by_another' | 'refused' | 'service_unavailable';
    };

/** A token just issued connects the store it is for, or is revoked. */
@Injectable()
export class StoreConnector {
  readonly #logger = new PaymentsLog();

  constructor(
    private readonly database: Database,
    private readonly states: OAuthStates,
    private readonly server: AuthorizationServer,
    private readonly tokens: TokenApi,
    private readonly connected: ConnectedStores,
  ) {}

  async connect(arrival: Arrival, token: IssuedToken): Promise<Connected> {
    let connection: Connection;
    try {
      connection = await this.#store(arrival, token);
    } catch (error) {
      if (!(error instanceof ServiceError || error instanceof PaymentsError)) {
        // The database may have committed all the same: a token that may be stored must not be revoked.
        await this.states.settle(arrival, 'service_unavailable');
        throw error;
      }
      // The owner will connect again, with another token; nobody has this one.
      await this.server.revoke(token.accessToken);
      this.#logger.warn(`A store could not be connected: ${messageOf(error)}`);
      const unknown = error instanceof ServiceError && error.retryable;
      return { kind: 'failed', error: unknown ? 'service_unavailable' : 'refused' };
    }
    if (connection.kind === 'connected')
      return { kind: 'connected', storeId: connection.store.id, replaced: connection.replaced };
    await this.server.revoke(token.accessToken);
    return { kind: 'failed', error: connection.kind === 'taken' ? 'connected_by_another' : 'own_store' };
  }

  async #store(arrival: Arrival, token: IssuedToken): Promise<Connection> {
    // Before anything else: this shows which store the token is for, and what the store can do.
    const settings = await this.tokens.fetchStore(this.tokens.with(token.accessToken));
    const { ownerRef } = arrival;
    return this.database.transaction(async (manager) => {
      const made = await this.connected.connect(manager, { ownerRef, token, settings });
      if (made.kind === 'connected') await this.states.settleIn(manager, arrival, 'connected', made.store.id);
      return made;
    });
  }
}
