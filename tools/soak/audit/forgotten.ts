import { Client } from 'pg';

/** What a database has, as far as it can be told from what it forgets. */
export interface Inventory {
  /** Of any kind, the server's own included. */
  readonly commits: number;
  readonly payments: number;
  readonly refunds: number;
  readonly receipts: number;
  readonly events: number;
  /** Idempotence keys of operations. */
  readonly keys: readonly string[];
  readonly notifications: readonly {
    readonly event: string;
    readonly objectId: string;
    readonly count: number;
  }[];
}

/** Number 3 is the first of all transactions. */
const COUNTS = `SELECT
  (SELECT count(*) FROM generate_series(3, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1) id
    WHERE pg_xact_status(id::text::xid8) = 'committed')::int AS commits,
  (SELECT count(*) FROM payments_payments)::int AS payments,
  (SELECT count(*) FROM payments_refunds)::int AS refunds,
  (SELECT count(*) FROM payments_receipts)::int AS receipts,
  (SELECT count(*) FROM payments_events)::int AS events`;

export async function takeInventory(databaseUrl: string): Promise<Inventory> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    const { rows: counts } = await client.query<Omit<Inventory, 'keys' | 'notifications'>>(COUNTS);
    const { rows: operations } = await client.query<{ key: string }>(
      'SELECT idempotence_key AS key FROM payments_operations',
    );
    const { rows: notifications } = await client.query<Inventory['notifications'][number]>(
      'SELECT event, object_id AS "objectId", count FROM payments_notifications',
    );
    const [counted] = counts;
    if (!counted) throw new Error('The database did not count its rows.');
    return { ...counted, keys: operations.map(({ key }) => key), notifications };
  } finally {
    await client.end();
  }
}

/** Everything that was committed and is gone, whether it was found again or not. */
export class Forgotten {
  commits = 0;
  payments = 0;
  refunds = 0;
  receipts = 0;
  events = 0;
  /** Idempotence keys of operations. */
  readonly keys = new Set<string>();
  /** How many arrivals of each notification, by {@link notificationKey}. */
  readonly notifications = new Map<string, number>();

  /** What is left is a part of what there was. */
  add(had: Inventory, has: Inventory): void {
    this.commits += had.commits - has.commits;
    this.payments += had.payments - has.payments;
    this.refunds += had.refunds - has.refunds;
    this.receipts += had.receipts - has.receipts;
    this.events += had.events - has.events;
    const left = new Set(has.keys);
    for (const key of had.keys) if (!left.has(key)) this.keys.add(key);
    const counts = new Map(has.notifications.map((one) => [notificationKey(one), one.count]));
    for (const one of had.notifications) {
      const key = notificationKey(one);
      const gone = one.count - (counts.get(key) ?? 0);
      if (gone > 0) this.notifications.set(key, (this.notifications.get(key) ?? 0) + gone);
    }
  }
}

export function notificationKey({ event, objectId }: { event: string; objectId: string }): string {
  return `${event} ${objectId}`;
}
