import type { EntityManager } from 'typeorm';
import { DATABASE_NOW } from '../common/clock.js';
import { readInIndexOrder } from '../database/by-index.js';
import type { Database, Reader } from '../database/database.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import type { PaymentsOrderEntity } from '../schema/order.entity.js';
import { ended, keepsAny, keepsMoney, live, PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { CreateIntent } from './inputs/create-intent.js';
import type { OrderPayments, State } from './state.js';

/**
 * What is read of an order's payments: never all of them, since an order may have thousands that are settled. Each part is found by an
 * index of its own, whose condition stands in the statement's text.
 */

type Row = Readonly<Record<string, unknown>> &
  Pick<State, 'now' | 'databaseNow'> & { readonly part: string | null };

/** As many of a part's tries as another create looks back: one of a time that the database has forgotten is among the newest. */
export const NEWEST = 20;

/** Oldest first: those that may still bring or let go money, and the newest that keeps some. */
export async function toShow(
  from: Reader,
  database: Database,
  { id }: Pick<PaymentsOrderEntity, 'id'>,
): Promise<PaymentsPaymentEntity[]> {
  const found = await read(
    from,
    database,
    { live: LIVE, keeping: `order_id = $1 AND (${keepsMoney}) ORDER BY created_at DESC LIMIT 1` },
    [id],
  );
  return [...found.of('live'), ...found.of('keeping')].toSorted(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime(),
  );
}

/**
 * Of a locked order, for another create: those that may still bring or let go money, and the newest that was paid of the same sum by the
 * same way, if there is any.
 */
export async function readForCreate(
  manager: EntityManager,
  database: Database,
  order: PaymentsOrderEntity,
  intent: Pick<
    CreateIntent,
    'part' | 'amountMinor' | 'currency' | 'capture' | 'cardData' | 'method' | 'paymentMethodId'
  >,
): Promise<OrderPayments> {
  const { part, amountMinor, currency, capture, cardData, method, paymentMethodId } = intent;
  // A comparison with null by IS NOT DISTINCT FROM uses no index.
  const given = [method, paymentMethodId].filter((value) => value !== null);
  const methodIs = method === null ? 'IS NULL' : '= $7';
  const savedIs = paymentMethodId === null ? 'IS NULL' : `= $${6 + given.length}`;
  const found = await read(
    manager,
    database,
    {
      live: LIVE,
      alike: `order_id = $1 AND part = $2 AND amount_minor = $3 AND method ${methodIs} AND payment_method_id ${savedIs}
         AND currency = $4 AND capture = $5 AND card_data = $6 AND superseded_at IS NULL AND (${keepsAny}) ORDER BY created_at DESC LIMIT 1`,
      tries: TRIES,
    },
    [order.id, part, amountMinor, currency, capture, cardData, ...given],
  );
  const { now, databaseNow } = found;
  const tries = found.of('tries');
  // Only of what came to nothing does it say anything.
  const rejected = tries.filter(({ status }) => status === 'rejected');
  const creates = await createsOf(manager, database, rejected);
  return { now, databaseNow, order, payments: [...found.of('live'), ...found.of('alike')], tries, creates };
}

/**
 * Of a locked order, beside what a payment that is found again takes its place: those that may still bring or let go money, the newest
 * tries of its part, the newest that were paid and keep some, and the newest that ended and keep none. Each once.
 */
export async function readForAdoption(
  manager: EntityManager,
  database: Database,
  order: PaymentsOrderEntity,
  part: string,
): Promise<OrderPayments> {
  // PostgreSQL guesses an order at a row or two, and may read all of its payments by the order alone and sort them.
  const found = await readInIndexOrder(manager, () =>
    read(
      manager,
      database,
      {
        live: LIVE,
        tries: TRIES,
        keeping: `order_id = $1 AND (${keepsMoney}) ORDER BY created_at DESC LIMIT ${NEWEST}`,
        ended: `order_id = $1 AND (${ended}) ORDER BY created_at DESC LIMIT ${NEWEST}`,
      },
      [order.id, part],
    ),
  );
  const { now, databaseNow } = found;
  const tries = found.of('tries');
  const all = [...found.of('live'), ...tries, ...found.of('keeping'), ...found.of('ended')];
  const payments = [...new Map(all.map((payment) => [payment.id, payment])).values()];
  const creates = await createsOf(manager, database, tries);
  return { now, databaseNow, order, payments, tries, creates };
}

const LIVE = `order_id = $1 AND (${live})`;
/** SQL of the newest tries of the part $2. */
const TRIES = `order_id = $1 AND part = $2 ORDER BY try_number DESC LIMIT ${NEWEST}`;

async function createsOf(
  manager: EntityManager,
  database: Database,
  payments: readonly PaymentsPaymentEntity[],
): Promise<PaymentsOperationEntity[]> {
  if (payments.length === 0) return [];
  const rows = await manager.query<Readonly<Record<string, unknown>>[]>(
    `SELECT ${database.columns(PaymentsOperationEntity, 'operation')} FROM ${database.table(PaymentsOperationEntity)} operation
     WHERE payment_id = ANY($1) AND kind = 'create'`,
    [payments.map(({ id }) => id)],
  );
  return rows.map((row) => database.hydrate(PaymentsOperationEntity, 'operation', row));
}

/** In one statement. `parts`: SQL conditions, each with its order and limit; `of` has what each of them found. */
async function read<Part extends string>(
  from: Reader,
  database: Database,
  parts: Readonly<Record<Part, string>>,
  parameters: readonly unknown[],
): Promise<Pick<State, 'now' | 'databaseNow'> & { readonly of: (part: Part) => PaymentsPaymentEntity[] }> {
  const payments = `${database.columns(PaymentsPaymentEntity, 'payment')} FROM ${database.table(PaymentsPaymentEntity)} payment`;
  const each = Object.entries<string>(parts).map(
    ([name, part]) => `(SELECT '${name}' AS part, ${payments} WHERE ${part})`,
  );
  const rows = await from.query<Row[]>(
    `SELECT ${database.now} AS now, ${DATABASE_NOW} AS "databaseNow", found.*
     FROM (SELECT) always LEFT JOIN (${each.join(' UNION ALL ')}) found ON true`,
    [...parameters],
  );
  const [first] = rows;
  if (!first) throw new Error('PostgreSQL did not return the time.');
  const { now, databaseNow } = first;
  const of = (part: Part) =>
    rows
      .filter((row) => row.part === part)
      .map((row) => database.hydrate(PaymentsPaymentEntity, 'payment', row));
  return { now, databaseNow, of };
}
