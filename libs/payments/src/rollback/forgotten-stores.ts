import { derivedId } from '../common/derived.js';
import { PaymentsLog } from '../common/payments-log.js';
import { webhookKeyOf } from '../common/webhook-key.js';
import type { Database } from '../database/database.js';
import { PaymentsCommitMarkEntity } from '../schema/commit-mark.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import type { StoreRegistry } from '../stores/store.registry.js';

const logger = new PaymentsLog();

/**
 * Records a connected store again whose row the database has forgotten. Its webhooks still send to us, under the key that only this database
 * gives the account which the notification names: so the store was connected here. Nobody has its token, so its owner has to connect it
 * again, and by then its notifications wait. null if the address is not the account's, or the account has a row with another one. Two
 * that arrive at once find the same row.
 */
export async function recordForgottenStore(
  database: Database,
  stores: StoreRegistry,
  webhookKey: string,
  accountId: string,
): Promise<PaymentsStoreEntity | null> {
  if (!stores.mayHaveConnected) return null;
  const mark = await database.read((from) => from.findOneBy(PaymentsCommitMarkEntity, { id: 1 }));
  if (mark === null || webhookKeyOf(mark.storeSeed, accountId) !== webhookKey) return null;
  const id = derivedId(mark.storeSeed, 'store', accountId);
  const { raw } = await database.transaction((manager) =>
    manager
      .createQueryBuilder()
      .insert()
      .into(PaymentsStoreEntity)
      .values({ id, accountId, kind: 'connected', status: 'needs_reconnect', webhookKey })
      .orIgnore()
      .execute(),
  );
  const store = await stores.findByWebhookKey(webhookKey);
  if (store !== null && Array.isArray(raw) && raw.length > 0)
    logger.error(
      `Store ${id}, account ${accountId}, is not in the database, and its notifications arrive: the database has forgotten that it was connected. ` +
        'It is recorded again, without its token: its owner has to connect it again.',
      { storeId: id },
    );
  return store;
}
