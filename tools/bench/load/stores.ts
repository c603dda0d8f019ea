import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { Secret } from '../../../libs/payments/src/api/secret.js';
import { TokenVault } from '../../../libs/payments/src/stores/token-vault.js';
import { TOKEN_KEY_ID } from '../contenders/token-key.js';

interface LoadedStore {
  readonly id: string;
  readonly accountId: string;
}

/**
 * Stores connected by token, as if their owners had come back from the service. The bench's service derives the store from its
 * token; no maintenance is due.
 */
export async function loadStores(client: Client, count: number, tokenKey: string): Promise<LoadedStore[]> {
  const vault = new TokenVault({
    tokenKeys: { current: TOKEN_KEY_ID, keys: new Map([[TOKEN_KEY_ID, new Secret(tokenKey)]]) },
  });
  const stores = Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    accountId: `test_store_${index}`,
  }));
  await client.query(
    `INSERT INTO payments_stores (id, account_id, kind, webhook_key, owner_ref, encrypted_token, status, enabled, test, connected_at,
       token_expires_at, refund_watch_at, retention_at)
     SELECT id, account_id, 'connected', 'key-' || account_id, 'owner', token, 'connected', true, true, now(), now() + interval '1 year',
       now() + interval '1 year', now() + interval '1 year'
     FROM unnest($1::uuid[], $2::text[], $3::text[]) AS made (id, account_id, token)`,
    [
      stores.map(({ id }) => id),
      stores.map(({ accountId }) => accountId),
      stores.map(({ id, accountId }) => vault.seal(id, new Secret(`token_${accountId}`))),
    ],
  );
  return stores;
}
