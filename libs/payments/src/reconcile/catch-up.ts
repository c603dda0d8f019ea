import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { WorkSignal } from '../sweeps/work-signal.js';

/** Has every payment of a store that is not over re-read now: for a time in which its notifications could not come. */
@Injectable()
export class CatchUp {
  constructor(
    private readonly database: Database,
    private readonly signal: WorkSignal,
  ) {}

  /** What another worker holds is passed over: it is being re-read, and a wait could meet that worker's own half-way. */
  async store(storeId: string): Promise<void> {
    const payments = this.database.table(PaymentEntity);
    const { now } = this.database;
    await this.database.transaction((manager) =>
      manager.query(
        `UPDATE ${payments} SET next_check_at = ${now}
         WHERE id IN (
           SELECT id FROM ${payments} WHERE store_id = $1 AND next_check_at > ${now} FOR NO KEY UPDATE SKIP LOCKED
         )`,
        [storeId],
      ),
    );
    this.signal.wake();
  }
}
