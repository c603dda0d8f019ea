import type { EntityManager } from 'typeorm';
import { messageOf } from '../common/message-of.js';
import { PaymentsError } from '../common/payments.errors.js';
import type { Database } from '../database/database.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import type { TokenVault } from './token-vault.js';

/** Rows of one transaction: they stay locked until it ends, and a store's owner may be connecting it again. */
const BATCH = 50;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** The result of one step of the rotation. */
export interface TokenRotationStep {
  /** Tokens that the current key encrypts now and did not before. */
  readonly reencrypted: number;
  /** Stores whose token no available key can read; it stays unchanged. */
  readonly unreadable: readonly { readonly accountId: string; readonly reason: string }[];
}

type Row = Pick<PaymentsStoreEntity, 'id' | 'accountId'> & { readonly encryptedToken: string };

/**
 * One step after the other, each committed: an interrupted rotation continues with the next run. A row stays locked from
 * reading it to writing it, so a token that a running process writes meanwhile is never overwritten by the older one. Ends when
 * a whole pass has found nothing to do, since such a process may have encrypted with the key it still considers current.
 */
export async function* rotateTokens(
  database: Database,
  vault: TokenVault,
): AsyncIterableIterator<TokenRotationStep> {
  const reported = new Set<string>();
  let after = BEFORE_ALL;
  let foundInPass = 0;
  for (;;) {
    const from = after;
    const { rows, unreadable } = await database.transaction((manager) =>
      step(database, vault, manager, from),
    );
    const reencrypted = rows.length - unreadable.length;
    const unreported = unreadable.filter(({ accountId }) => !reported.has(accountId));
    for (const { accountId } of unreported) reported.add(accountId);
    if (reencrypted > 0 || unreported.length > 0) yield { reencrypted, unreadable: unreported };
    foundInPass += reencrypted;
    const last = rows.at(-1);
    if (last) {
      after = last.id;
    } else if (foundInPass > 0) {
      after = BEFORE_ALL;
      foundInPass = 0;
    } else return;
  }
}

async function step(database: Database, vault: TokenVault, manager: EntityManager, after: string) {
  const table = database.table(PaymentsStoreEntity);
  const rows = await manager.query<Row[]>(
    `SELECT id, account_id AS "accountId", encrypted_token AS "encryptedToken" FROM ${table}
       WHERE encrypted_token IS NOT NULL AND split_part(encrypted_token, '.', 2) <> $1 AND id > $2
       ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE`,
    [vault.currentKeyId, after],
  );
  const unreadable: { accountId: string; reason: string }[] = [];
  for (const { id, accountId, encryptedToken } of rows) {
    try {
      const sealed = vault.seal(id, vault.open(id, encryptedToken));
      await manager.update(PaymentsStoreEntity, id, { encryptedToken: sealed });
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error;
      unreadable.push({ accountId, reason: messageOf(error) });
    }
  }
  return { rows, unreadable };
}
