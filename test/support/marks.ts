import type { Bench } from './payments-host.js';

/** The mark that the create of a payment carried, or a refund of it. */
export async function markOf(
  { asOwner }: Pick<Bench, 'asOwner'>,
  id: string | null | undefined,
  of: 'payment' | 'refund' = 'payment',
): Promise<string> {
  const [row] = await asOwner<{ mark: string }>(
    of === 'payment'
      ? `SELECT body::jsonb #>> '{metadata,holdfast_payment}' AS mark FROM payments_operations WHERE kind = 'create' AND payment_id = $1`
      : `SELECT body::jsonb #>> '{metadata,holdfast_refund}' AS mark FROM payments_operations WHERE refund_id = $1`,
    [id],
  );
  if (!row) throw new Error(`There is no ${of} ${id}.`);
  return row.mark;
}
