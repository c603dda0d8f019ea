import { Injectable } from '@nestjs/common';
import { AuditInProgressError, PaymentInputError } from '../../common/payments.errors.js';
import type { StoreScope } from '../../common/store.scope.js';
import { useIndexes } from '../../database/by-index.js';
import { Database } from '../../database/database.js';
import { PaymentsAuditEntity } from '../../schema/audit.entity.js';
import { PaymentsStoreEntity } from '../../schema/store.entity.js';
import { StoreRegistry } from '../../stores/store.registry.js';
import { WorkSignal } from '../../work/work-signal.js';
import { placeOf, placeSql } from '../place.js';
import type { AuditPage, KeptAudit, KeptAuditInFull } from './kept-audit.js';

/** What a person asks for. */
interface Asked {
  readonly from: Date;
  readonly to: Date;
  readonly by: string;
}

const PAGE = 20;
const AFTER_ALL = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;

/** Records that books are to be compared, and reads what came of it. */
@Injectable()
export class KeptAudits {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly signal: WorkSignal,
  ) {}

  /**
   * The one that is recorded; of the same period, while it is being made, the same one. The index admits no second one of a store.
   * @throws AuditInProgressError
   * @throws PaymentInputError
   */
  async start({ from, to, by }: Asked, scope: StoreScope): Promise<KeptAudit> {
    const { id: storeId } = await this.stores.find(scope);
    if (to > (await this.database.businessTime()))
      throw new PaymentInputError(
        'to',
        'must not be later than now: what is still to come cannot be compared',
      );
    const { audit, isNew } = await this.database.transaction(async (manager) => {
      const [made] = await manager.query<KeptAudit[]>(
        `INSERT INTO ${this.#table} AS kept (id, store_id, from_at, to_at, asked_by, started_at)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, ${this.database.now})
         ON CONFLICT (store_id) WHERE done_at IS NULL DO NOTHING RETURNING ${VIEW}`,
        [storeId, from, to, by],
      );
      if (made) return { audit: made, isNew: true };
      const [open] = await manager.query<KeptAudit[]>(
        `SELECT ${VIEW} FROM ${this.#table} kept WHERE store_id = $1 AND done_at IS NULL`,
        [storeId],
      );
      return { audit: open, isNew: false };
    });
    // One that has ended in between: nothing was asked for in vain.
    if (audit === undefined) return this.start({ from, to, by }, scope);
    const isSame = audit.from.getTime() === from.getTime() && audit.to.getTime() === to.getTime();
    if (!isNew && !isSame) throw new AuditInProgressError(audit.id);
    this.signal.wake();
    return audit;
  }

  /** Of one store. */
  async page(scope: StoreScope, cursor?: string): Promise<AuditPage> {
    const { id: storeId } = await this.stores.find(scope);
    const [at, id] = placeOf(cursor) ?? AFTER_ALL;
    const rows = await this.database.transaction(async (manager) => {
      await useIndexes(manager);
      return manager.query<(KeptAudit & { readonly place: string })[]>(
        `SELECT ${VIEW}, ${placeSql('started_at', 'id')} AS place FROM ${this.#table} kept
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
  async one(id: string): Promise<KeptAuditInFull | null> {
    const [audit] = await this.database.read((from) =>
      from.query<KeptAuditInFull[]>(
        `SELECT ${VIEW}, differences FROM ${this.#table} kept
         JOIN ${this.database.table(PaymentsStoreEntity)} store ON store.id = kept.store_id
         WHERE kept.id = $1 AND ${this.stores.isManaged('store')}`,
        [id],
      ),
    );
    return audit ?? null;
  }

  get #table(): string {
    return this.database.table(PaymentsAuditEntity);
  }
}

/** SQL of a {@link KeptAudit} of the row `kept`. */
const VIEW = `kept.id, kept.store_id AS "store", kept.from_at AS "from", kept.to_at AS "to", kept.asked_by AS "by",
  kept.started_at AS "startedAt", kept.compared_to AS "comparedTo", kept.done_at AS "doneAt", kept.error, kept.payments, kept.refunds,
  kept.receipts, kept.difference_count AS "differenceCount", kept.unsettled_count AS "unsettledCount",
  CASE WHEN kept.done_at IS NULL THEN 'running' WHEN kept.error IS NULL THEN 'done' ELSE 'broken_off' END AS state`;
