import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { retryDelayMs } from '../apply/poll-plan.js';
import { plusMs } from '../common/clock.js';
import { thisMoment, type Moment } from '../common/moment.js';
import { headOf } from '../database/by-index.js';
import { Database, TERMS } from '../database/database.js';
import { isOver, leaseEnd } from '../database/lease.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { SeenNotification } from '../payment/change.js';
import { lockDue } from '../payment/due.js';
import { Ledger } from '../payment/ledger.js';
import { openWork } from '../payment/open-work.js';
import { returnedPlace, type Plan } from '../payment/queue.js';
import { RecoveryGate } from '../rollback/recovery-gate.js';
import { PaymentsDueEntity, lanes, type Lane } from '../schema/due.entity.js';
import { PaymentsNotificationEntity } from '../schema/notification.entity.js';
import { PaymentsOrderEntity } from '../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { RateLimiter, restAskedFor, type Pace } from '../stores/rate-limiter.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { queuedOf, type Claim, type ClaimedStore } from './claim.js';
import { PaymentLease } from './payment-lease.js';

/**
 * How many claims a statement may return: written into its text, since for a parameter the planner would assume a tenth of the
 * table.
 */
const SIZES = [1, 4, 8, 16] as const;
const LARGEST = 32;

function sizeFor(most: number): number {
  return SIZES.find((size) => size >= most) ?? LARGEST;
}

/** What to claim: at most this many in all, of each store, and of those whose last re-read failed. */
interface Wanted {
  readonly stores: readonly { readonly id: string; readonly most: number }[];
  readonly most: number;
  readonly failing: number;
  /** This lane alone, which may use the whole rate. Default: all lanes. */
  readonly turnOf?: Lane;
}

type Row = Readonly<Record<string, unknown>> & {
  readonly now: Date;
  readonly fence: string;
  readonly seen: SeenNotification[] | null;
  readonly unsettled: boolean;
  readonly store: ClaimedStore;
  readonly isSpent: boolean;
};

/** Leases on payments, in the database's own time: a moved clock frees no lease that a running worker holds. */
@Injectable()
export class Claims {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly limiter: RateLimiter,
    private readonly gate: RecoveryGate,
    private readonly telemetry: Telemetry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** SQL condition: the store of this id (an SQL expression) has a payment that may be claimed. */
  waits(storeId: string): string {
    const first = (lane: Lane) =>
      `(SELECT true FROM ${this.#due} due WHERE ${this.#isFree} AND ${this.#head(storeId, lane)} LIMIT 1)`;
    return `(${this.limiter.left(storeId, 'notified')} AND ${first('notified')}
      OR ${this.limiter.left(storeId, 'polls')} AND COALESCE(${first('polls')}, ${first('failing')}))`;
  }

  /**
   * Claims what is ready in one round trip: what was notified, then polls, then what failed last, each oldest first. Polls stop
   * where only what was notified may go on. Claimed rows keep their place until they are returned: a claim reads past what all
   * workers have at that moment, and no more.
   */
  async take({ stores, most, failing, turnOf }: Wanted): Promise<Claim[]> {
    const begunAt = thisMoment();
    const ready = turnOf === undefined ? this.#lanes(most, failing) : this.#lane(turnOf, 'notified', most);
    const { rows } = await this.database.statement<Row>(
      `WITH ${TERMS}, ${this.limiter.turns('$1', '$2')}, picked AS MATERIALIZED (
         SELECT version FROM (
           SELECT next.version, next.lane, next.pace, turn.*,
             row_number() OVER (PARTITION BY turn.store_id ORDER BY next.rank, next.ready_at) AS place,
             row_number() OVER (PARTITION BY next.lane ORDER BY next.ready_at) AS place_in_lane
           FROM turn CROSS JOIN LATERAL (
             ${ready}
             LIMIT ${sizeFor(most)}
           ) next
         ) line
         WHERE place <= most AND place <= CASE pace WHEN 'polls' THEN polls ELSE notified END AND (lane <> 'failing' OR place_in_lane <= $3::int)
         ORDER BY place LIMIT $4::int
       ), claimed AS (
         -- By the place of the version that was locked: no key has to be found again. One that somebody changed at that very moment
         -- is left for the next claim.
         UPDATE ${this.#due} due SET ${this.#lease('$5')}
         WHERE ctid = ANY(ARRAY(SELECT version FROM picked))
         RETURNING due.*
       ), spent AS (
         ${this.limiter.spend('SELECT store_id, count(*) AS requests FROM claimed GROUP BY store_id')}
       )${this.#rows('claimed', '(SELECT polls FROM turn WHERE turn.store_id = due.store_id) <= count(*) OVER (PARTITION BY due.store_id)')}`,
      [stores.map(({ id }) => id), stores.map((store) => store.most), failing, most, randomUUID()],
    );
    return rows.map((row) => this.#claimOf(row, begunAt));
  }

  /**
   * Claims this payment, whether it is due or not, if no other worker has it; null: another has, or somebody is changing it, or
   * there is no such payment. It waits for nobody: after a wait it would have rows that are newer than what it reads with them.
   * @throws UnconfirmedDatabaseError
   */
  async one(paymentId: string): Promise<Claim | null> {
    await this.gate.mustBeConfirmed();
    const begunAt = thisMoment();
    const payments = this.database.table(PaymentsPaymentEntity);
    const readyAt = this.database.inBusinessTime(this.#leaseEnd);
    const { rows } = await this.database.statement<Row>(
      `WITH ${TERMS}, free AS MATERIALIZED (
         SELECT due.ctid AS version FROM ${this.#due} due, terms
         WHERE payment_id = $1 AND ${isOver('due.lease_until')} FOR NO KEY UPDATE OF due SKIP LOCKED
       ), unqueued AS MATERIALIZED (
         -- Whoever holds a place in the queue that is not committed yet has the payment locked.
         SELECT payment.ctid AS version FROM ${payments} payment, terms
         WHERE id = $1 AND NOT EXISTS (SELECT FROM ${this.#due} WHERE payment_id = $1) FOR NO KEY UPDATE OF payment SKIP LOCKED
       ), taken AS (
         UPDATE ${this.#due} due SET ready_at = ${readyAt}, ${this.#lease('$2::uuid')}
         WHERE ctid = ANY(ARRAY(SELECT version FROM free))
         RETURNING due.*
       ), opened AS (
         INSERT INTO ${this.#due} AS due (payment_id, store_id, ready_at, lease_until, fence)
         SELECT id, store_id, ${readyAt}, ${this.#leaseEnd}, $2::uuid
         FROM ${payments} WHERE ctid = ANY(ARRAY(SELECT version FROM unqueued))
         ON CONFLICT (payment_id) DO NOTHING
         RETURNING due.*
       ), claimed AS (
         SELECT * FROM taken UNION ALL SELECT * FROM opened
       )${this.#rows('claimed', 'false')}`,
      [paymentId, randomUUID()],
    );
    const [row] = rows;
    return row ? this.#claimOf(row, begunAt) : null;
  }

  /** Whether there is such a payment. */
  exists(paymentId: string): Promise<boolean> {
    return this.database.read((from) => from.existsBy(PaymentsPaymentEntity, { id: paymentId }));
  }

  /** For the requests that were made under it: the claim itself pays for one. */
  async pay({ payment }: Claim, requests: number): Promise<void> {
    if (requests > 1) await this.limiter.charge(payment.storeId, requests - 1);
  }

  /** The lease that the worker consults before each step of its work. */
  lease({ paymentId, fence, begunAt }: Claim): PaymentLease {
    const extend = async (lastsMs: number): Promise<boolean> => {
      const { affected } = await this.database.statement(
        `WITH ${TERMS} UPDATE ${this.#due} due
         SET lease_until = ${leaseEnd(lastsMs)}
         FROM terms WHERE payment_id = $1 AND fence = $2`,
        [paymentId, fence],
      );
      return affected === 1;
    };
    const { leaseMs, requestTimeoutMs: requestMs, leaseSpareMs: spareMs } = this.options;
    return new PaymentLease(extend, { begunAt, lastsMs: leaseMs }, { requestMs, spareMs });
  }

  /**
   * Ends a lease from before that moment, in business time, and its fence with it (G11): commits were lost then, its worker may have died
   * with the server, and what a window waits for keeps the store closed. By the key: an index of leases would double what a claim
   * writes. Whoever took it since and extended it by less than a whole lease has to claim it once more.
   */
  async endFrom(manager: EntityManager, paymentId: string, before: Date): Promise<void> {
    const endsAt = this.database.inBusinessTime('lease_until');
    await manager.query(
      `UPDATE ${this.#due} SET lease_until = NULL, fence = NULL
       WHERE payment_id = $1 AND ${endsAt} <= ${plusMs('$2::timestamptz', this.options.leaseMs)}`,
      [paymentId, before],
    );
  }

  /** Returns it unchanged: another worker may take it at once. */
  async giveBack(claim: Claim): Promise<void> {
    const { readyAt, checks } = claim.due;
    await this.#return(claim, { at: readyAt, checks, lane: 'kept' });
  }

  /**
   * Returns it after a re-read that failed: it rests, and goes behind those that do not fail. Where the service asks to be left
   * alone, the store rests: what was notified goes behind what else was.
   */
  async fail(claim: Claim, error: unknown): Promise<void> {
    const { checks: checksBefore, lane } = claim.due;
    const plan = { at: claim.claimedAt, checks: checksBefore + 1 };
    if (lane === 'notified' && restAskedFor(error) !== null)
      await this.#return(claim, { ...plan, lane: 'kept' });
    else await this.#return(claim, { ...plan, lane: 'failing', restMs: retryDelayMs(checksBefore) });
  }

  async #return(claim: Claim, plan: Plan): Promise<void> {
    const { payment, order, fence, due, claimedAt } = claim;
    const change = { payment, order, after: null, totals: null, events: [], fence };
    const place = returnedPlace(plan, queuedOf(claim), claimedAt, due.checks);
    if (await this.ledger.offer({ ...change, place })) return;
    await this.database.transaction(async (manager) => {
      const now = await this.database.businessTime(manager);
      const locked = await lockDue(manager, payment.id);
      // Another worker may have taken it over, and then there is nothing to return.
      if (locked?.fence !== fence) return;
      const asked = returnedPlace(plan, queuedOf({ due: locked, fence }), now, due.checks);
      await this.ledger.write(manager, { ...change, place: asked });
    });
  }

  /** SQL of the payments that may be claimed, of all lanes. */
  #lanes(most: number, failing: number): string {
    return [
      this.#lane('notified', 'notified', most),
      this.#lane('polls', 'polls', most),
      this.#lane('failing', 'polls', failing),
    ].join(' UNION ALL ');
  }

  /**
   * SQL of the payments of one lane that may be claimed, their rows locked; the index alone decides which. `pace`: whose part of
   * the rate they use.
   */
  #lane(lane: Lane, pace: Pace, most: number): string {
    return `SELECT * FROM (
               SELECT due.ctid AS version, due.ready_at, due.lane, '${pace}' AS pace, ${lanes.indexOf(lane)} AS rank FROM ${this.#due} due
               WHERE turn.${pace} > 0 AND ${this.#isFree} AND ${this.#head('turn.store_id', lane)}
               LIMIT ${sizeFor(most)} FOR NO KEY UPDATE SKIP LOCKED
             ) ${lane}`;
  }

  /** SQL condition on the row `due`: it is ready in this lane of the store; and the order of those. */
  #head(storeId: string, lane: Lane): string {
    return headOf({
      of: 'due',
      where: { store_id: storeId, lane: `'${lane}'` },
      time: 'ready_at',
      upTo: this.database.now,
    });
  }

  /**
   * SQL of CTEs and of a query: claimed rows with all that a re-read needs to know. Each table is queried once, for the whole
   * batch by its keys, since ids are in order of creation and neighbours are close together. `isSpent`: an SQL condition on the row `due`.
   */
  #rows(claimed: string, isSpent: string): string {
    const { database } = this;
    const { isTraced } = this.telemetry;
    return `, payment AS MATERIALIZED (
         SELECT * FROM ${database.table(PaymentsPaymentEntity)} WHERE id = ${anyOf('payment_id', claimed)}
       ), shop_order AS MATERIALIZED (
         SELECT * FROM ${database.table(PaymentsOrderEntity)} WHERE id = ${anyOf('order_id', 'payment')}
       ), unsettled AS MATERIALIZED (
         ${openWork(database, `ARRAY(SELECT payment_id FROM ${claimed})`)}
       ), notified AS MATERIALIZED (
         SELECT notified.* FROM (SELECT DISTINCT store_id FROM payment) own CROSS JOIN LATERAL (
           SELECT store_id, object_id, id, event, count${isTraced ? ', traceparent' : ''} FROM ${database.table(PaymentsNotificationEntity)}
           WHERE store_id = own.store_id AND object_id = ${anyOf('service_id', 'payment WHERE payment.store_id = own.store_id')}
             AND count > handled_count AND object_type = 'payment'
         ) notified
       )
       SELECT ${database.columns(PaymentsPaymentEntity, 'payment')}, ${database.columns(PaymentsOrderEntity, 'shop_order')},
         ${database.columns(PaymentsDueEntity, 'due')}, due.fence, ${database.now} AS now,
         (SELECT json_agg(json_build_object('id', notified.id, 'count', notified.count${isTraced ? ", 'traceparent', notified.traceparent" : ''}) ORDER BY notified.event)
          FROM notified WHERE notified.store_id = payment.store_id AND notified.object_id = payment.service_id) AS seen,
         payment.id IN (SELECT payment_id FROM unsettled) AS unsettled,
         json_build_object('accountId', store.account_id, 'test', store.test, 'unannouncedChanges', store.unannounced_changes) AS store,
         ${isSpent} AS "isSpent"
       FROM ${claimed} due
       JOIN payment ON payment.id = due.payment_id
       JOIN shop_order ON shop_order.id = payment.order_id
       JOIN ${database.table(PaymentsStoreEntity)} store ON store.id = payment.store_id`;
  }

  #claimOf(row: Row, begunAt: Moment): Claim {
    const payment = this.database.hydrate(PaymentsPaymentEntity, 'payment', row);
    return {
      paymentId: payment.id,
      fence: row.fence,
      begunAt,
      claimedAt: row.now,
      payment,
      order: this.database.hydrate(PaymentsOrderEntity, 'shop_order', row),
      due: this.database.hydrate(PaymentsDueEntity, 'due', row),
      seen: row.seen ?? [],
      isUnsettled: row.unsettled,
      store: row.store,
      isSpent: row.isSpent,
    };
  }

  /** SQL condition on the row `due`: nobody has it, and it does not rest, whatever a moved clock says. */
  get #isFree(): string {
    return isOver('due.lease_until', 'due.rest_until');
  }

  /**
   * SQL of the assignments that lease a row, and mark the requests so far as processed. None of these columns is in an index, so
   * the row keeps its place in the queue, and PostgreSQL rewrites it on its page and nothing else.
   */
  #lease(fence: string): string {
    return `lease_until = ${this.#leaseEnd}, fence = ${fence}, wanted_at = NULL, rest_until = NULL`;
  }

  get #leaseEnd(): string {
    return leaseEnd(this.options.leaseMs);
  }

  get #due(): string {
    return this.database.table(PaymentsDueEntity);
  }
}

/** SQL of any of these: known once, and estimated as ten whatever statistics say. */
function anyOf(column: string, rows: string): string {
  return `ANY(ARRAY(SELECT ${column} FROM ${rows}))`;
}
