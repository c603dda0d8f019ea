import { Inject, Injectable } from '@nestjs/common';
import { ServiceError } from '../api/service-errors.js';
import { DATABASE_NOW, plusMs } from '../common/clock.js';
import { lists } from '../database/by-index.js';
import { Database, TERMS } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { RateLimitEntity } from '../schema/rate-limit.entity.js';

/**
 * The only throttle: how many requests the sweeps of all processes together make for one store, whatever causes them. A storm of
 * notifications, forged ones included, costs the service no more than this. It is stored as the time up to which it is spent,
 * which may be `burst` requests ahead; if the service asks to be left alone, it is spent up to then.
 */
@Injectable()
export class RateLimiter {
  constructor(
    private readonly database: Database,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * SQL of two CTEs. `turn` has, for each of the stores of one parameter, how many requests it has left (`requests`), and no more
   * than the other parameter allows. Their stamps are locked until the statement commits, so that what is left is not spent
   * twice.
   */
  turns(stores: string, most: string): string {
    return `stamp AS MATERIALIZED (
        SELECT store_id, spent_to FROM ${this.table} known, terms WHERE store_id = ANY(${stores}::uuid[])
        ORDER BY store_id FOR NO KEY UPDATE OF known
      ), turn AS MATERIALIZED (
        SELECT asked.store_id, LEAST(asked.most, CASE WHEN spent_to IS NULL THEN ${this.options.rereadBurst}
          ELSE floor(extract(epoch FROM ${this.#ahead} - GREATEST(spent_to, ${DATABASE_NOW})) * 1000 / ${this.#everyMs}) + 1 END) AS requests
        FROM ${lists(`${stores}::uuid[]`, `${most}::int[]`)} AS asked (store_id, most) CROSS JOIN terms LEFT JOIN stamp USING (store_id)
      )`;
  }

  /** SQL of a statement that spends what the rows of this query (`store_id`, `requests`) say. */
  spend(requests: string): string {
    return `INSERT INTO ${this.table} AS known (store_id, spent_to)
      SELECT store_id, ${DATABASE_NOW} + requests * interval '${this.#everyMs} milliseconds' FROM (${requests}) spent
      ORDER BY store_id
      ON CONFLICT (store_id) DO UPDATE
      SET spent_to = GREATEST(known.spent_to, ${DATABASE_NOW}) + (excluded.spent_to - ${DATABASE_NOW})`;
  }

  /** SQL condition: the store of this id has a request left. Read without a lock: good enough for a look. */
  left(storeId: string): string {
    return `NOT EXISTS (SELECT FROM ${this.table} known WHERE known.store_id = ${storeId} AND known.spent_to > ${this.#ahead})`;
  }

  /** For requests that a claim could not foresee: the pages of a list, an operation that was sent. */
  async charge(storeId: string, requests: number): Promise<void> {
    await this.database.statement(
      `WITH ${TERMS} ${this.spend('SELECT $1::uuid AS store_id, $2::int AS requests FROM terms')}`,
      [storeId, requests],
    );
  }

  /** If the service says when to come back, the sweeps leave the store alone until then. */
  async heed(storeId: string, error: unknown): Promise<void> {
    const restMs = restAskedFor(error);
    if (restMs !== null) await this.#rest(storeId, restMs);
  }

  async #rest(storeId: string, ms: number): Promise<void> {
    await this.database.statement(
      `WITH ${TERMS} INSERT INTO ${this.table} AS known (store_id, spent_to)
       SELECT $1::uuid, ${this.#ahead} + $2::float8 * interval '1 millisecond' FROM terms
       ON CONFLICT (store_id) DO UPDATE SET spent_to = GREATEST(known.spent_to, excluded.spent_to)`,
      [storeId, ms],
    );
  }

  get table(): string {
    return this.database.table(RateLimitEntity);
  }

  /** Spent up to here, a store has one request left. */
  get #ahead(): string {
    return plusMs(DATABASE_NOW, this.#everyMs * (this.options.rereadBurst - 1));
  }

  get #everyMs(): number {
    return 1_000 / this.options.rereadsPerSecond;
  }
}

/** How long the service asks to be left alone; null: it does not. A 202 is only about its own request. */
export function restAskedFor(error: unknown): number | null {
  if (!(error instanceof ServiceError) || error.details.httpStatus === 202) return null;
  return error.details.retryAfterMs ?? null;
}
