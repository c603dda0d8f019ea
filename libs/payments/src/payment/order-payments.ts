import type { EntityManager } from 'typeorm';
import { readInIndexOrder } from '../database/by-index.js';
import type { Database, Reader } from '../database/database.js';
import type { PaymentsOrderEntity } from '../schema/order.entity.js';
import { ended, keepsAny, keepsMoney, live, PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { CreateIntent } from './inputs/create-intent.js';

/**
 * What is read of an order's payments: never all of them, since an order may have thousands that are settled. Each part is found by an
 * index of its own, whose condition stands in the statement's text.
 */

type Row = Readonly<Record<string, unknown>>;

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
    [`order_id = $1 AND (${live})`, `order_id = $1 AND (${keepsMoney}) ORDER BY created_at DESC LIMIT 1`],
    [id],
  );
  return found.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}

/** Oldest first: those that may still bring or let go money, and the newest that was paid of the same sum by the same way, if there is any. */
export async function toDecideBy(
  from: Reader,
  database: Database,
  { id }: Pick<PaymentsOrderEntity, 'id'>,
  intent: Pick<
    CreateIntent,
    'part' | 'amountMinor' | 'currency' | 'capture' | 'cardData' | 'method' | 'paymentMethodId'
  >,
): Promise<PaymentsPaymentEntity[]> {
  const { part, amountMinor, currency, capture, cardData, method, paymentMethodId } = intent;
  // A comparison with null by IS NOT DISTINCT FROM uses no index.
  const given = [method, paymentMethodId].filter((value) => value !== null);
  const methodIs = method === null ? 'IS NULL' : '= $7';
  const savedIs = paymentMethodId === null ? 'IS NULL' : `= $${6 + given.length}`;
  return read(
    from,
    database,
    [
      `order_id = $1 AND (${live})`,
      `order_id = $1 AND part = $2 AND amount_minor = $3 AND method ${methodIs} AND payment_method_id ${savedIs}
         AND currency = $4 AND capture = $5 AND card_data = $6 AND superseded_at IS NULL AND (${keepsAny}) ORDER BY created_at DESC LIMIT 1`,
    ],
    [id, part, amountMinor, currency, capture, cardData, ...given],
  );
}

/** The newest tries of an order's part, newest first. */
export function newestTries(
  from: Reader,
  database: Database,
  { id }: Pick<PaymentsOrderEntity, 'id'>,
  part: string,
): Promise<PaymentsPaymentEntity[]> {
  return read(from, database, [TRIES], [id, part]);
}

/**
 * Beside what a payment that is found again takes its place in its order: those that may still bring or let go money, the newest tries of
 * its part, the newest that were paid and keep some, and the newest that ended and keep none. Each once.
 */
export async function toPlace(
  manager: EntityManager,
  database: Database,
  { id }: Pick<PaymentsOrderEntity, 'id'>,
  part: string,
): Promise<PaymentsPaymentEntity[]> {
  // PostgreSQL guesses an order at a row or two, and may read all of its payments by the order alone and sort them.
  const found = await readInIndexOrder(manager, () =>
    read(
      manager,
      database,
      [
        `order_id = $1 AND (${live})`,
        TRIES,
        `order_id = $1 AND (${keepsMoney}) ORDER BY created_at DESC LIMIT ${NEWEST}`,
        `order_id = $1 AND (${ended}) ORDER BY created_at DESC LIMIT ${NEWEST}`,
      ],
      [id, part],
    ),
  );
  return [...new Map(found.map((payment) => [payment.id, payment])).values()];
}

/** SQL of the newest tries of the part $2. */
const TRIES = `order_id = $1 AND part = $2 ORDER BY try_number DESC LIMIT ${NEWEST}`;

async function read(
  from: Reader,
  database: Database,
  /** SQL conditions, each with its order and limit. */
  parts: readonly string[],
  parameters: readonly unknown[],
): Promise<PaymentsPaymentEntity[]> {
  const select = `SELECT ${database.columns(PaymentsPaymentEntity, 'payment')} FROM ${database.table(PaymentsPaymentEntity)} payment`;
  const sql = parts.map((part) => `(${select} WHERE ${part})`).join(' UNION ALL ');
  const rows = await from.query<Row[]>(sql, [...parameters]);
  return rows.map((row) => database.hydrate(PaymentsPaymentEntity, 'payment', row));
}
