import { Injectable } from '@nestjs/common';
import { plusMs } from '../clock.js';
import { Database } from '../database/database.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { StoreEntity } from '../stores/store.entity.js';
import { WorkSignal } from '../sweeps/work-signal.js';

/** Polls alone find a payment's end within ten minutes: what they find by then may be from before. */
const GRACE_MS = 10 * 60_000;

/** Has every payment of a store that is not over re-read: for a time in which its notifications could not come. */
@Injectable()
export class CatchUp {
  constructor(
    private readonly database: Database,
    private readonly signal: WorkSignal,
  ) {}

  /** Notifications are on their way from now on; what is found in the meantime is no sign that they do not arrive. */
  async now(storeId: string): Promise<void> {
    const { now } = this.database;
    await this.database.transaction((manager) =>
      manager.query(
        `UPDATE ${this.database.table(StoreEntity)} SET untold_changes = 0, untold_since = ${plusMs(now, GRACE_MS)} WHERE id = $1`,
        [storeId],
      ),
    );
    await this.after(storeId, 0);
    this.signal.wake();
  }

  /** Due `delayMs` from now at the latest, whatever becomes of this process. */
  async after(storeId: string, delayMs: number): Promise<void> {
    const payments = this.database.table(PaymentEntity);
    const dueAt = new Date((await this.database.businessTime()).getTime() + delayMs);
    // Whoever has a payment now may have read it too early, and will see that it was made due meanwhile.
    const late = `(next_check_at > $2 OR (next_check_at < $2 AND lease_until > clock_timestamp()))`;
    const locked = await this.database.transaction(async (manager) => {
      await manager.query(
        `UPDATE ${payments} SET next_check_at = $2
         WHERE id IN (SELECT id FROM ${payments} WHERE store_id = $1 AND ${late} FOR NO KEY UPDATE SKIP LOCKED)`,
        [storeId, dueAt],
      );
      return manager.query<{ id: string }[]>(`SELECT id FROM ${payments} WHERE store_id = $1 AND ${late}`, [
        storeId,
        dueAt,
      ]);
    });
    // One each: a lock on several could meet another transaction's half-way.
    for (const { id } of locked)
      await this.database.transaction((manager) =>
        manager.query(`UPDATE ${payments} SET next_check_at = $2 WHERE id = $1 AND ${late}`, [id, dueAt]),
      );
  }
}
