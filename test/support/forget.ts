import { DatabaseError } from 'pg';
import { eventually } from './eventually.js';
import type { Bench } from './payments-host.js';

/** foreign_key_violation, and the same of a key that restricts. */
const IS_REFERRED_TO = new Set(['23503', '23001']);

/** What belongs to a payment, each before what it refers to. */
const OF_PAYMENT = ['due', 'receipt_problems', 'incidents', 'operations', 'receipts', 'refunds'] as const;

/** The database forgets a payment and all that belongs to it, as one does that is restored to an earlier moment. */
export async function forgetPayment({ asOwner }: Pick<Bench, 'asOwner'>, paymentId: string): Promise<void> {
  const row = await forgetRows(asOwner, paymentId);
  await asOwner(
    'DELETE FROM payments_notifications WHERE object_id NOT IN (SELECT service_id FROM payments_payments WHERE service_id IS NOT NULL)',
  );
  await asOwner(
    'DELETE FROM payments_orders o WHERE id = $1 AND NOT EXISTS (SELECT FROM payments_payments WHERE order_id = o.id)',
    [row?.order_id],
  );
}

/** Returns the payment's order. A process may make the payment due again before it is gone: then once more. */
async function forgetRows(
  asOwner: Bench['asOwner'],
  paymentId: string,
): Promise<{ order_id: string } | undefined> {
  for (;;) {
    await asOwner(
      'DELETE FROM payments_deliveries WHERE event_id IN (SELECT id FROM payments_events WHERE payment_id = $1)',
      [paymentId],
    );
    for (const table of ['events', ...OF_PAYMENT])
      await asOwner(`DELETE FROM payments_${table} WHERE payment_id = $1`, [paymentId]);
    try {
      // The order's sums are as of that moment too.
      const [row] = await asOwner<{ order_id: string }>(
        `WITH gone AS (DELETE FROM payments_payments WHERE id = $1 RETURNING *)
         UPDATE payments_orders o SET paid_minor = paid_minor - captured_minor, refunded_minor = o.refunded_minor - gone.refunded_minor,
           held_minor = held_minor - CASE WHEN status = 'waiting_for_capture' THEN authorized_minor ELSE 0 END
         FROM gone WHERE o.id = gone.order_id RETURNING order_id`,
        [paymentId],
      );
      return row;
    } catch (error) {
      if (!(error instanceof DatabaseError && IS_REFERRED_TO.has(error.code ?? ''))) throw error;
    }
  }
}

/** The database forgets a refund of a payment that it still knows. */
export async function forgetRefund({ asOwner }: Pick<Bench, 'asOwner'>, refundId: string): Promise<void> {
  await asOwner(
    'DELETE FROM payments_deliveries WHERE event_id IN (SELECT id FROM payments_events WHERE subject_id = $1)',
    [refundId],
  );
  await asOwner('DELETE FROM payments_events WHERE subject_id = $1', [refundId]);
  await asOwner('DELETE FROM payments_operations WHERE refund_id = $1', [refundId]);
  const [row] = await asOwner<{ payment_id: string }>(
    'DELETE FROM payments_refunds WHERE id = $1 RETURNING payment_id',
    [refundId],
  );
  await asOwner('UPDATE payments_payments SET refunded_minor = 0, refund_reserved_minor = 0 WHERE id = $1', [
    row?.payment_id,
  ]);
}

/**
 * A copy of everything the module keeps, to which the database can go back while processes live on: what a failover to a standby that
 * lagged does, or a restored backup.
 */
export async function backUp({ asOwner }: Pick<Bench, 'asOwner'>): Promise<{ restore(): Promise<void> }> {
  const tables = await asOwner<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND starts_with(tablename, 'payments_')`,
  );
  const names = tables.map(({ name }) => name);
  await asOwner('DROP SCHEMA IF EXISTS backup CASCADE; CREATE SCHEMA backup');
  // One snapshot, as of a copy that somebody takes: the module goes on while this runs.
  const copied = names.map((name) => `CREATE TABLE backup.${name} AS TABLE public.${name};`);
  await asOwner(`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; ${copied.join(' ')}`);
  const copies = names.map(
    (name) => `INSERT INTO public.${name} OVERRIDING SYSTEM VALUE SELECT * FROM backup.${name};`,
  );
  return {
    async restore() {
      // One transaction; rows come before what they refer to. It is from before the last beat, however little time has passed.
      await asOwner(
        `SET LOCAL session_replication_role = replica; TRUNCATE ${names.join(', ')}; ${copies.join(' ')}
         UPDATE payments_commit_mark SET counter = counter - 1`,
      );
    },
  };
}

/**
 * The database forgets a receipt that was sent by itself, with its operation and events: once all of its payment is delivered, since no
 * database keeps a delivery that waits for one which is gone.
 */
export async function forgetReceipt(
  { asOwner }: Pick<Bench, 'asOwner'>,
  paymentId: string,
  receiptKey: string,
): Promise<void> {
  await eventually(
    () =>
      asOwner(
        `SELECT FROM payments_deliveries JOIN payments_events event ON event.id = event_id
         WHERE payment_id = $1 AND done_at IS NULL`,
        [paymentId],
      ),
    ({ length }) => length === 0,
  );
  const [row] = await asOwner<{ id: string }>(
    'SELECT id FROM payments_receipts WHERE payment_id = $1 AND receipt_key = $2',
    [paymentId, receiptKey],
  );
  await asOwner(
    'DELETE FROM payments_deliveries WHERE event_id IN (SELECT id FROM payments_events WHERE subject_id = $1)',
    [row?.id],
  );
  await asOwner('DELETE FROM payments_events WHERE subject_id = $1', [row?.id]);
  for (const table of ['receipt_problems', 'operations'])
    await asOwner(`DELETE FROM payments_${table} WHERE receipt_id = $1`, [row?.id]);
  await asOwner('DELETE FROM payments_receipts WHERE id = $1', [row?.id]);
}
