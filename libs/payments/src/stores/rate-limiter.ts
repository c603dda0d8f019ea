import { Inject, Injectable } from '@nestjs/common';
import { ServiceError } from '../api/service-errors.js';
import { DATABASE_NOW } from '../common/clock.js';
import { andOthers, FAILURE_LOG_MS, LogLimit } from '../common/log-limit.js';
import { PaymentsLog } from '../common/payments-log.js';
import { lists } from '../database/by-index.js';
import { Database, TERMS } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { PaymentsRateLimitEntity } from '../schema/rate-limit.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { Telemetry } from '../telemetry/telemetry.js';

/** However long the service asks to be left alone: a single wrong answer must not end a store's sweeps. */
const LONGEST_REST_MS = 5 * 60_000;
/**
 * What was notified is tried again after 5 s, then for as long as the service has been asking, a minute at most: 8 requests in five
 * minutes, and 60 an hour, each of which may find that the service answers again.
 */
const NOTIFIED_REST_MS = 5_000;
const LONGEST_NOTIFIED_REST_MS = 60_000;
/** A statement that waited for a stamp has a time from before it was written. */
const SLACK_MS = 60_000;

/** How far ahead requests may be spent: by what was notified, and by all that can wait. */
export type Pace = 'notified' | 'polls';

/**
 * The only throttle: how many requests the sweeps of all processes together make for one store, whatever causes them. A storm of
 * notifications, forged ones included, costs the service no more than this. It is a stamp (GCRA): the time up to which requests are
 * spent, which may be `burst` of them ahead; if the service asks to be left alone, they are spent for some seconds, and polls rest
 * until then. Polls may move the stamp half as far ahead: so they leave something for what is notified, and one number still bounds
 * what the service is asked. A stamp from further ahead than we write any was written by a clock that was wrong, and counts as none.
 */
@Injectable()
export class RateLimiter {
  readonly #logger = new PaymentsLog();
  readonly #rests = new LogLimit(FAILURE_LOG_MS);

  constructor(
    private readonly database: Database,
    private readonly telemetry: Telemetry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * SQL of two CTEs. `turn` has, for each of the stores of one parameter, how many requests it has left, of polls (`polls`) and in
   * all (`notified`), and what the other parameter allows (`most`). Their stamps are locked until the statement commits, so that
   * what is left is not spent twice.
   */
  turns(stores: string, most: string): string {
    return `stamp AS MATERIALIZED (
        SELECT store_id, spent_to, polls_rest_until FROM ${this.#table} known, terms WHERE store_id = ANY(${stores}::uuid[])
        ORDER BY store_id FOR NO KEY UPDATE OF known
      ), turn AS MATERIALIZED (
        SELECT store_id, most, ${this.#burstOf('notified')} - ahead AS notified,
          CASE WHEN rests THEN 0 ELSE ${this.#burstOf('polls')} - ahead END AS polls
        FROM (
          SELECT asked.store_id, asked.most, COALESCE(${this.#resting('polls_rest_until')}, false) AS rests,
            ceil(extract(epoch FROM ${this.#believed('spent_to')} - ${DATABASE_NOW}) * 1000000 / ${this.#intervalUs}) AS ahead
          FROM ${lists(`${stores}::uuid[]`, `${most}::int[]`)} AS asked (store_id, most) CROSS JOIN terms LEFT JOIN stamp USING (store_id)
        ) spent
      )`;
  }

  /** SQL of a statement that spends what the rows of this query (`store_id`, `requests`) say. */
  spend(requests: string): string {
    return `INSERT INTO ${this.#table} AS known (store_id, spent_to)
      SELECT store_id, LEAST(${DATABASE_NOW} + requests * ${this.#requests(1)}, ${this.#furthest}) FROM (${requests}) spent
      ORDER BY store_id
      ON CONFLICT (store_id) DO UPDATE
      SET spent_to = LEAST(${this.#believed('known.spent_to')} + (excluded.spent_to - ${DATABASE_NOW}), ${this.#furthest})`;
  }

  /** SQL condition: the store of this id has a request left at this pace. Read without a lock: good enough for a look. */
  left(storeId: string, pace: Pace): string {
    const isLeft = `COALESCE(${this.spentTo(storeId)} <= ${this.#lastRequest(pace)}, true)`;
    return pace === 'notified' ? isLeft : `(${isLeft} AND NOT ${this.#pollsRest(storeId)})`;
  }

  /** How long it takes until polls that were held back have so many requests again, or all that they may make at once. */
  refillMs(requests: number): number {
    return (Math.min(requests, this.#burstOf('polls')) * this.#intervalUs) / 1_000;
  }

  /** How many requests a store has left now. Read without a lock: good enough for a look. */
  async leftNow(storeId: string): Promise<Readonly<Record<Pace, number>>> {
    const [row] = await this.database.read((from) =>
      from.query<{ ahead: number; rests: boolean }[]>(
        `SELECT COALESCE(ceil(extract(epoch FROM ${this.spentTo('$1::uuid')} - ${DATABASE_NOW}) * 1000000 / ${this.#intervalUs}), 0)::int AS ahead,
           ${this.#pollsRest('$1::uuid')} AS rests`,
        [storeId],
      ),
    );
    const left = (pace: Pace) => Math.max(0, this.#burstOf(pace) - (row?.ahead ?? 0));
    return { notified: left('notified'), polls: row?.rests ? 0 : left('polls') };
  }

  /** SQL of the time up to which the store of this id has spent its requests; null if it never had any. */
  spentTo(storeId: string): string {
    return `(SELECT ${this.#believed('spent_to')} FROM ${this.#table} known WHERE known.store_id = ${storeId})`;
  }

  /** For requests that a claim could not foresee: the pages of a list, an operation that was sent. */
  async charge(storeId: string, requests: number): Promise<void> {
    await this.database.statement(
      `WITH ${TERMS} ${this.spend('SELECT $1::uuid AS store_id, $2::int AS requests FROM terms')}`,
      [storeId, requests],
    );
  }

  /**
   * If the service says when to come back, the sweeps leave the store alone until then: polls for minutes at most, and what was
   * notified for seconds, longer and longer. The answers to requests that were under way together are one.
   */
  async heed(storeId: string, error: unknown): Promise<void> {
    const askedMs = restAskedFor(error);
    if (askedMs === null) return;
    this.telemetry.count('holdfast.budget.rests', {});
    const restMs = Math.min(askedMs, LONGEST_REST_MS);
    const notifiedMs = (since: string) =>
      `LEAST($2::float8, GREATEST(${NOTIFIED_REST_MS}, LEAST(${LONGEST_NOTIFIED_REST_MS}, ${since})))`;
    const after = (ms: string) => `${this.#lastRequest('notified')} + ${ms} * interval '1 millisecond'`;
    const goesOn = `known.polls_rest_until + interval '${LONGEST_NOTIFIED_REST_MS} milliseconds' > ${DATABASE_NOW}`;
    const sinceMs = `extract(epoch FROM ${DATABASE_NOW} - known.rests_since) * 1000`;
    const { rows } = await this.database.statement<{ accountId: string; notifiedMs: number }>(
      `WITH ${TERMS} INSERT INTO ${this.#table} AS known (store_id, spent_to, polls_rest_until, rests_since)
       SELECT $1::uuid, ${after(notifiedMs('0'))}, ${DATABASE_NOW} + $2::float8 * interval '1 millisecond', ${DATABASE_NOW} FROM terms
       ON CONFLICT (store_id) DO UPDATE SET
         spent_to = GREATEST(${this.#believed('known.spent_to')}, ${after(notifiedMs(`CASE WHEN ${goesOn} THEN ${sinceMs} ELSE 0 END`))}),
         polls_rest_until = GREATEST(CASE WHEN ${this.#resting('known.polls_rest_until')} THEN known.polls_rest_until END, excluded.polls_rest_until),
         rests_since = CASE WHEN ${goesOn} THEN LEAST(known.rests_since, ${DATABASE_NOW}) ELSE ${DATABASE_NOW} END
       RETURNING ${notifiedMs(sinceMs)}::float8 AS "notifiedMs", (SELECT account_id FROM ${this.database.table(PaymentsStoreEntity)} store WHERE store.id = known.store_id) AS "accountId"`,
      [storeId, restMs],
    );
    const count = this.#rests.take();
    if (count === null) return;
    const store = rows[0]?.accountId ?? storeId;
    this.#logger.warn(
      `The service asks for no requests for store ${store} for ${seconds(askedMs)}; the sweeps ask again in ${seconds(restMs)}, and for what was notified in ${seconds(rows[0]?.notifiedMs ?? restMs)}.${andOthers(count)}`,
      { storeId },
    );
  }

  /** SQL of a stamp as it counts: not before now, and now if it is not believed. */
  #believed(stamp: string): string {
    return `CASE WHEN ${stamp} <= ${this.#furthest} + interval '${SLACK_MS} milliseconds' THEN GREATEST(${stamp}, ${DATABASE_NOW}) ELSE ${DATABASE_NOW} END`;
  }

  /** SQL condition on a time: polls rest until then. One further ahead than any that is written is not believed. */
  #resting(until: string): string {
    return `(${until} > ${DATABASE_NOW} AND ${until} <= ${DATABASE_NOW} + interval '${LONGEST_REST_MS + SLACK_MS} milliseconds')`;
  }

  /** SQL condition: the polls of the store of this id rest. */
  #pollsRest(storeId: string): string {
    return `EXISTS (SELECT FROM ${this.#table} known WHERE known.store_id = ${storeId} AND ${this.#resting('known.polls_rest_until')})`;
  }

  /** SQL of the stamp with which a store has one request left at this pace. */
  #lastRequest(pace: Pace): string {
    return `(${DATABASE_NOW} + ${this.#requests(this.#burstOf(pace) - 1)})`;
  }

  /** How many requests ahead of now may be spent at this pace. */
  #burstOf(pace: Pace): number {
    const { rereadBurst } = this.options;
    return pace === 'notified' ? rereadBurst : Math.max(1, Math.floor(rereadBurst / 2));
  }

  /** SQL of the furthest stamp that is written. */
  get #furthest(): string {
    return `(${DATABASE_NOW} + ${this.#requests(this.options.rereadBurst)} + interval '${LONGEST_REST_MS} milliseconds')`;
  }

  /** SQL of the time in which so many requests are allowed. */
  #requests(count: number): string {
    return `interval '${count * this.#intervalUs} microseconds'`;
  }

  /** As whole as an interval is. */
  get #intervalUs(): number {
    return Math.round(1_000_000 / this.options.rereadsPerSecond);
  }

  get #table(): string {
    return this.database.table(PaymentsRateLimitEntity);
  }
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1_000)} s`;
}

/** How long the service asks to be left alone; null: it does not. A 202 is only about its own request. */
export function restAskedFor(error: unknown): number | null {
  if (!(error instanceof ServiceError) || error.details.httpStatus === 202) return null;
  return error.details.retryAfterMs ?? null;
}
