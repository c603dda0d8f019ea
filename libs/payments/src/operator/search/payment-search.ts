import { In, type EntityManager } from 'typeorm';
import { paymentStatuses, type PaymentStatus } from '../../common/payment-status.js';
import { useIndexes } from '../../database/by-index.js';
import type { Database } from '../../database/database.js';
import { PaymentsOrderEntity } from '../../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import { paymentView, type Payment } from '../../views/payment.view.js';
import { placeOf, placeSql } from '../place.js';
import { needsOf, type PaymentNeed } from './payment-needs.js';
import type { PaymentSearchShape } from './search.input.js';
import { meaningsOf } from './text-meanings.js';

/** A payment in a list, and what is wrong with it. */
export interface FoundPayment {
  /** Without `confirmation`: whoever has that can pay. */
  readonly payment: Payment;
  /** What needs a person, or will if it stays; the most urgent first. */
  readonly needs: readonly PaymentNeed[];
}

/** A page of them. */
export interface PaymentPage {
  /** At most 50. */
  readonly items: readonly FoundPayment[];
  /** The `cursor` of the next page; null: there is none. */
  readonly nextCursor: string | null;
}

/** How many payments a list has. */
export interface Counted {
  /** Counted up to 1,000. */
  readonly count: number;
  /** true: there are more than `count`. */
  readonly more: boolean;
}

const PAGE = 50;
const COUNTED = 1_000;
/** Before and after every id of one moment. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
const AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Parameters of every look, in this order. */
const STORE = '$1::uuid';
const FROM = '$2::timestamptz';
const BEFORE = '$3::timestamptz';
const BEFORE_ID = '$4::uuid';

/** Finds payments of one store, the newest first: each look by an index of its own, however many payments there are. */
export function searchPayments(
  database: Database,
  storeId: string,
  { text, status, from, to, cursor }: PaymentSearchShape,
): Promise<PaymentPage> {
  const [before, beforeId] = placeOf(cursor) ?? [to ?? 'infinity', to === undefined ? AFTER_ALL : BEFORE_ALL];
  const { looks, values } =
    text === undefined
      ? {
          looks: statusLooks(database.table(PaymentsPaymentEntity), status ? [status] : paymentStatuses),
          values: [],
        }
      : textLooks(database, text);
  return pageOf(
    database,
    `SELECT id, created_at AS at FROM (${looks.join(' UNION ')}) found ORDER BY created_at DESC, id DESC`,
    [storeId, from ?? '-infinity', before, beforeId, ...values],
  );
}

/** How many payments of one store have each status. */
export async function countPayments(
  database: Database,
  storeId: string,
): Promise<Record<PaymentStatus, Counted>> {
  const figures = paymentStatuses.map(
    (
      status,
    ) => `(SELECT json_build_object('count', LEAST(count(*), ${COUNTED}), 'more', count(*) > ${COUNTED}) FROM (
        SELECT FROM ${database.table(PaymentsPaymentEntity)} payment WHERE payment.store_id = ${STORE} AND payment.status = '${status}' LIMIT ${COUNTED + 1}
      ) part) AS "${status}"`,
  );
  const [counts] = await database.transaction(async (manager) => {
    await useIndexes(manager);
    return manager.query<Record<PaymentStatus, Counted>[]>(`SELECT ${figures.join(', ')}`, [storeId]);
  });
  if (!counts) throw new Error('PostgreSQL did not return the counts.');
  return counts;
}

/** A page of what `found` (SQL of `id` and its place in time `at`, in the order of the list) finds, planned as `plan` says. */
export function pageOf(
  database: Database,
  found: string,
  parameters: readonly unknown[],
  plan: typeof useIndexes = useIndexes,
): Promise<PaymentPage> {
  return database.transaction(async (manager) => {
    await plan(manager);
    const rows = await manager.query<{ id: string; place: string }[]>(
      `SELECT id, ${placeSql('at', 'id')} AS place FROM (${found} LIMIT ${PAGE + 1}) page`,
      [...parameters],
    );
    const shown = rows.slice(0, PAGE);
    const items = await readFound(
      database,
      manager,
      shown.map(({ id }) => id),
    );
    return { items, nextCursor: rows.length > PAGE ? (shown.at(-1)?.place ?? null) : null };
  });
}

/** In the order of their ids. */
async function readFound(
  database: Database,
  manager: EntityManager,
  ids: readonly string[],
): Promise<FoundPayment[]> {
  if (ids.length === 0) return [];
  const payments = await manager.find(PaymentsPaymentEntity, { where: { id: In(ids) } });
  const orders = await manager.find(PaymentsOrderEntity, {
    where: { id: In([...new Set(payments.map(({ orderId }) => orderId))]) },
  });
  const needs = await needsOf(database, manager, payments);
  return ids.flatMap((id) => {
    const payment = payments.find((row) => row.id === id);
    const order = orders.find((row) => row.id === payment?.orderId);
    return payment && order ? [{ payment: paymentView(payment, order), needs: needs.get(id) ?? [] }] : [];
  });
}

/** One look by keys, and one by each part of an index. */
function textLooks(database: Database, text: string): { looks: string[]; values: unknown[] } {
  const { name, id, cardLast4, amountMinor } = meaningsOf(text);
  const values: unknown[] = [];
  const value = (given: unknown, type: string) => `$${4 + values.push(given)}::${type}`;
  const looks = [byKeys(database, value(name, 'text'), id === null ? null : value(id, 'uuid'))];
  if (cardLast4 !== null)
    looks.push(newestByCard(database.table(PaymentsPaymentEntity), value(cardLast4, 'text')));
  if (amountMinor !== null)
    looks.push(newest(database.table(PaymentsPaymentEntity), 'amount_minor', value(amountMinor, 'bigint')));
  return { looks: looks.map((look) => `(${look})`), values };
}

/** OFFSET 0 keeps each look with its index, whatever the statistics say. */
function byKeys(database: Database, name: string, id: string | null): string {
  const payments = database.table(PaymentsPaymentEntity);
  const orders = database.table(PaymentsOrderEntity);
  const refunds = database.table(PaymentsRefundEntity);
  const keys = [
    `SELECT id FROM ${payments} WHERE order_id = (SELECT id FROM ${orders} WHERE store_id = ${STORE} AND reference = ${name})`,
    `SELECT id FROM ${payments} WHERE store_id = ${STORE} AND service_id = ${name}`,
    `SELECT payment_id FROM ${refunds} WHERE store_id = ${STORE} AND service_id = ${name}`,
    ...(id === null ? [] : [`SELECT ${id}`, `SELECT payment_id FROM ${refunds} WHERE id = ${id}`]),
  ];
  return `SELECT payment.id, payment.created_at FROM (${keys.join(' UNION ')}) key (id)
      CROSS JOIN LATERAL (SELECT * FROM ${payments} WHERE id = key.id OFFSET 0) payment
      WHERE payment.store_id = ${STORE} AND payment.created_at >= ${FROM} AND (payment.created_at, payment.id) < (${BEFORE}, ${BEFORE_ID})`;
}

const statusLooks = (payments: string, statuses: readonly PaymentStatus[]): string[] =>
  statuses.map((status) => `(${newest(payments, 'status', `'${status}'`)})`);

/**
 * SQL of the newest with this value: the end of one part of an index that begins with it, whatever the statistics say, because whole
 * rows of the index are compared.
 */
function newest(payments: string, column: 'status' | 'amount_minor', value: string): string {
  const columns = `payment.${column}, payment.store_id, payment.created_at`;
  const latestFirst = [...columns.split(', '), 'payment.id'].map((name) => `${name} DESC`).join(', ');
  return `SELECT payment.id, payment.created_at FROM ${payments} payment
    WHERE (${columns}, payment.id) < (${value}, ${STORE}, ${BEFORE}, ${BEFORE_ID}) AND (${columns}) >= (${value}, ${STORE}, ${FROM})
    ORDER BY ${latestFirst} LIMIT ${PAGE + 1}`;
}

/** SQL of the newest paid with a card of these digits: its index has no ids, and few payments share a moment and the digits. */
function newestByCard(payments: string, digits: string): string {
  return `SELECT payment.id, payment.created_at FROM ${payments} payment
    WHERE payment.store_id = ${STORE} AND payment.card_last4 = ${digits} AND payment.created_at >= ${FROM}
      AND payment.created_at <= ${BEFORE} AND (payment.created_at, payment.id) < (${BEFORE}, ${BEFORE_ID})
    ORDER BY payment.created_at DESC, payment.id DESC LIMIT ${PAGE + 1}`;
}
