import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { HeldPayments } from '../operations/held-payments.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { reportUnreachable } from './keep-hold.js';

/**
 * Holds of stores that were disconnected or need a reconnection (G12): no re-read handles them, so they are reported to a person
 * when they are due. They stay due: once the store is connected again their policy is carried out, without a second report.
 */
@Injectable()
export class UnreachableHolds {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly held: HeldPayments,
  ) {}

  /** SQL condition: there is one to report. */
  get waits(): string {
    return this.stores.mayHaveConnected ? `EXISTS (${this.#unreachable})` : 'false';
  }

  /** Reports one; false if there is none. Replicas that find the same one report it once: the row records it. */
  async runNext(): Promise<boolean> {
    if (!this.stores.mayHaveConnected) return false;
    const [found] = await this.database.read((from) =>
      from.query<{ id: string; storeId: string }[]>(this.#unreachable),
    );
    if (!found) return false;
    await this.held.changeAlone(found, 'sweep', (before) => ({ draft: reportUnreachable(before) }));
    return true;
  }

  get #unreachable(): string {
    return `SELECT held.id, store.id AS "storeId" FROM ${this.database.table(PaymentsStoreEntity)} store
       CROSS JOIN LATERAL (
         SELECT id FROM ${this.database.table(PaymentsPaymentEntity)} payment
         WHERE payment.store_id = store.id AND payment.status = 'waiting_for_capture' AND payment.hold_tries = 0
           AND payment.hold_due_at <= ${this.database.now}
         ORDER BY payment.hold_due_at LIMIT 1
       ) held
       WHERE store.status <> 'connected' AND ${this.stores.isManaged('store')}
       LIMIT 1`;
  }
}
