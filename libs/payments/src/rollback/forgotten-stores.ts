import { Injectable } from '@nestjs/common';
import { derivedId } from '../common/derived.js';
import { PaymentsLog } from '../common/payments-log.js';
import { webhookKeyOf } from '../common/webhook-key.js';
import { Database } from '../database/database.js';
import { PaymentsCommitMarkEntity } from '../schema/commit-mark.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';

/**
 * Connected stores whose row the database has forgotten. Their webhooks still send to us, under the key that only this database gives
 * the account which the notification names: so the store was connected here. Nobody has its token, so its owner has to connect it again,
 * and by then its notifications wait.
 */
@Injectable()
export class ForgottenStores {
  readonly #logger = new PaymentsLog();

  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
  ) {}

  /**
   * Records the store of this address again; null if the address is not the account's, or the account has a row with another one. Two
   * that arrive at once find the same row.
   */
  async record(webhookKey: string, accountId: string): Promise<PaymentsStoreEntity | null> {
    if (!this.stores.mayHaveConnected) return null;
    const mark = await this.database.read((from) => from.findOneBy(PaymentsCommitMarkEntity, { id: 1 }));
    if (mark === null || webhookKeyOf(mark.storeSeed, accountId) !== webhookKey) return null;
    const id = derivedId(mark.storeSeed, 'store', accountId);
    const { raw } = await this.database.transaction((manager) =>
      manager
        .createQueryBuilder()
        .insert()
        .into(PaymentsStoreEntity)
        .values({ id, accountId, kind: 'connected', status: 'needs_reconnect', webhookKey })
        .orIgnore()
        .execute(),
    );
    const store = await this.stores.findByWebhookKey(webhookKey);
    if (store !== null && Array.isArray(raw) && raw.length > 0)
      this.#logger.error(
        `Store ${id}, account ${accountId}, is not in the database, and its notifications arrive: the database has forgotten that it was connected. ` +
          'It is recorded again, without its token: its owner has to connect it again.',
        { storeId: id },
      );
    return store;
  }
}
