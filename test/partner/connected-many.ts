import type { ConnectedStore } from '@holdfast/sandbox';
import { Secret } from '../../libs/payments/src/api/secret.js';
import { Database } from '../../libs/payments/src/database/database.js';
import { ConnectedStores } from '../../libs/payments/src/partner/connected-stores.js';
import type { PartnerHost } from './partner-bench.js';

/** Stores that are connected without a browser and without webhooks: for tests of many. */
export async function connectMany(
  { app }: Pick<PartnerHost, 'app'>,
  tokens: readonly ConnectedStore[],
): Promise<{ id: string; accountId: string }[]> {
  const connected = app.get(ConnectedStores);
  const database = app.get(Database);
  const stores: { id: string; accountId: string }[] = [];
  for (const { accountId, accessToken, expiresInS } of tokens) {
    const token = { accessToken: new Secret(accessToken), expiresInMs: expiresInS * 1_000 };
    const settings = { account_id: accountId, test: true, status: 'enabled' };
    const made = await database.transaction((manager) =>
      connected.connect(manager, { ownerRef: 'owner-1', token, settings }),
    );
    if (made.kind !== 'connected') throw new Error(`${accountId} could not be connected.`);
    stores.push({ id: made.store.id, accountId });
  }
  // Their webhooks are not tested here.
  await database.transaction((manager) => manager.query('UPDATE payments_stores SET maintenance_at = NULL'));
  return stores;
}
