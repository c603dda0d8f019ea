import { AuditInProgressError, PaymentInputError } from '../../common/payments.errors.js';
import type { StoreScope } from '../../common/store.scope.js';
import { useIndexes } from '../../database/by-index.js';
import type { Database } from '../../database/database.js';
import { PaymentsAuditEntity } from '../../schema/audit.entity.js';
import { PaymentsStoreEntity } from '../../schema/store.entity.js';
import type { StoreRegistry } from '../../stores/store.registry.js';
import type { WorkSignal } from '../../work/work-signal.js';
import { placeOf, placeSql } from '../place.js';
import type { AuditPage, KeptAudit, KeptAuditInFull } from './kept-audit.js';

/** What a person asks for. */
export interface Asked {
  readonly from: Date;
  readonly to: Date;
  readonly by: string;
}

const PAGE = 20;
const AFTER_ALL = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;

/**
 * The one that is recorded; of the same period, while it is being made, the same one. The index admits no second one of a store.
 * @throws AuditInProgressError
 * @throws PaymentInputError
 */
export async function startAudit(
  database: Database,
  stores: StoreRegistry,
  signal: WorkSignal,
  { from, to, by }: Asked,
  scope: StoreScope,
): Promise<KeptAudit> {
  const { id: storeId } = await stores.find(scope);
  if (to > (await database.businessTime()))
    throw new PaymentInputError('to', 'must not be later than now: what is still to come cannot be compared');
  const { audit, isNew } = await database.transaction(async (manager) => {
    const [made] = await manager.query<KeptAudit[]>(
      `INSERT INTO ${database.table(PaymentsAuditEntity)} AS kept (id, store_id, from_at, to_at, asked_by, started_at)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, ${database.now})
         ON CONFLICT (store_id) WHERE done_at IS NULL DO NOTHING RETURNING ${VIEW}`,
      [storeId, from, to, by],
    );
    if (made) return { audit: made, isNew: true };
    const [open] = await manager.query<KeptAudit[]>(
      `SELECT ${VIEW} FROM ${database.table(PaymentsAuditEntity)} kept WHERE store_id = $1 AND done_at IS NULL`,
      [storeId],
    );
    return { audit: open, isNew: false };
  });
  // One that has ended in between: nothing was asked for in vain.
  if (audit === undefined) return startAudit(database, stores, signal, { from, to, by }, scope);
  const isSame = audit.from.getTime() === from.getTime() && audit.to.getTime() === to.getTime();
  if (!isNew && !isSame) throw new AuditInProgressError(audit.id);
  signal.wake();
  return audit;
}

/** Of one store. */
export async function auditPage(
  database: Database,
  stores: StoreRegistry,
  scope: StoreScope,
  cursor?: string,
): Promise<AuditPage> {
  const { id: storeId } = await stores.find(scope);
  const [at, id] = placeOf(cursor) ?? AFTER_ALL;
  const rows = await database.transaction(async (manager) => {
    await useIndexes(manager);
    return manager.query<(KeptAudit & { readonly place: string })[]>(
      `SELECT ${VIEW}, ${placeSql('started_at', 'id')} AS place FROM ${database.table(PaymentsAuditEntity)} kept
         WHERE store_id = $1 AND (started_at, id) < ($2::timestamptz, $3::uuid)
         ORDER BY store_id DESC, started_at DESC, id DESC LIMIT ${PAGE + 1}`,
      [storeId, at, id],
    );
  });
  const shown = rows.slice(0, PAGE);
  return {
    items: shown.map(({ place: _place, ...audit }) => audit),
    nextCursor: rows.length > PAGE ? (shown.at(-1)?.place ?? null) : null,
  };
}

/** null: there is none, or it is not of a store of this module. */
export async function keptAudit(
  database: Database,
  stores: StoreRegistry,
  id: string,
): Promise<KeptAuditInFull | null> {
  const [audit] = await database.read((from) =>
    from.query<KeptAuditInFull[]>(
      `SELECT ${VIEW}, differences FROM ${database.table(PaymentsAuditEntity)} kept
         JOIN ${database.table(PaymentsStoreEntity)} store ON store.id = kept.store_id
         WHERE kept.id = $1 AND ${stores.isManaged('store')}`,
      [id],
    ),
  );
  return audit ?? null;
}

/** SQL of a {@link KeptAudit} of the row `kept`. */
const VIEW = `kept.id, kept.store_id AS "store", kept.from_at AS "from", kept.to_at AS "to", kept.asked_by AS "by",
  kept.started_at AS "startedAt", kept.compared_to AS "comparedTo", kept.done_at AS "doneAt", kept.error, kept.payments, kept.refunds,
  kept.receipts, kept.difference_count AS "differenceCount", kept.unsettled_count AS "unsettledCount",
  CASE WHEN kept.done_at IS NULL THEN 'running' WHEN kept.error IS NULL THEN 'done' ELSE 'broken_off' END AS state`;
