import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database/database.js';
import { NotificationEntity } from '../notifications/notification.entity.js';
import type { PaymentStatus } from '../payment/payment-status.js';
import { StoreEntity } from '../stores/store.entity.js';

/** A poll may overtake one notification, or two; when it finds the third change in a row, none is arriving. */
const CHANGES_IN_A_ROW = 3;
/** Said again after so long, in business time, where it goes on: whoever reads the log may have missed it. */
const SAID_AGAIN_AFTER_MS = 3_600_000;

const checkMerchantProfile =
  "Check that the notification URL in the Merchant Profile reaches this module's webhook route, that its events are " +
  'ticked, and that no proxy in front is missing from trustedProxies.';
/** Those of a store that its owner has connected are made here. */
const checkOwnWebhooks =
  "Check that partner.webhookUrl reaches this module's webhook route and that no proxy in front is missing from " +
  'trustedProxies; subscriptions(id) of PartnerService tells which webhooks the store has, and mends them.';

/**
 * Notices that polls keep finding what notifications should have told: a webhook that nobody reaches is silent. The
 * count stands on the store's row, for all processes, and survives them. One lost in a crash is no harm: the next change counts.
 */
@Injectable()
export class SilenceAlarm {
  readonly #logger = new Logger('Payments');
  /** When this process last said it of a store; only stores of which it was said. */
  readonly #saidAt = new Map<string, number>();

  constructor(private readonly database: Database) {}

  /** A re-read saw an accepted notification of the payment. Nothing is written where nothing was amiss. */
  async notified(storeId: string): Promise<void> {
    await this.database.transaction((manager) =>
      manager.query(
        `UPDATE ${this.#stores} SET untold_changes = 0, untold_since = NULL WHERE id = $1 AND untold_changes > 0`,
        [storeId],
      ),
    );
  }

  /** A poll found a change and saw no notification of the payment. */
  async changed(storeId: string, objectId: string, to: PaymentStatus): Promise<void> {
    // The service may have told it and then answered from a copy that lags behind.
    const [rows] = await this.database.transaction((manager) =>
      manager.query<[{ count: number; isConnected: boolean; now: Date }[], number]>(
        `UPDATE ${this.#stores} store
         SET untold_changes = untold_changes + 1, untold_since = COALESCE(untold_since, ${this.database.now})
         WHERE id = $1 AND COALESCE(untold_since <= ${this.database.now}, true) AND NOT EXISTS (
           SELECT FROM ${this.database.table(NotificationEntity)} told
           WHERE told.store_id = $1 AND told.object_id = $2 AND told.event = $3
         )
         RETURNING untold_changes AS count, webhook_key IS NOT NULL AS "isConnected", ${this.database.now} AS now`,
        [storeId, objectId, `payment.${to}`],
      ),
    );
    const [found] = rows;
    if (!found || found.count < CHANGES_IN_A_ROW || !this.#isDue(storeId, found.now)) return;
    const { count, isConnected } = found;
    this.#logger.error(
      `Polling found the last ${count} changes${isConnected ? ` of store ${storeId}` : ''}; no notification told of them. Nothing is lost, but ` +
        `buyers wait. ${isConnected ? checkOwnWebhooks : checkMerchantProfile}`,
    );
  }

  #isDue(storeId: string, now: Date): boolean {
    const saidAt = this.#saidAt.get(storeId) ?? -Infinity;
    if (now.getTime() - saidAt < SAID_AGAIN_AFTER_MS) return false;
    this.#saidAt.set(storeId, now.getTime());
    return true;
  }

  get #stores(): string {
    return this.database.table(StoreEntity);
  }
}
