import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '../common/durations.js';
import type { PaymentStatus } from '../common/payment-status.js';
import { PaymentsLog } from '../common/payments-log.js';
import { Database, TERMS } from '../database/database.js';
import { PaymentsNotificationEntity } from '../schema/notification.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { Grouped } from '../work/grouped.js';

/** A poll may overtake one notification, or two; when it finds the third change in a row, none is arriving. */
export const CHANGES_IN_A_ROW = 3;
/** Logged again after this long, in business time, if it continues: whoever reads the log may have missed it. */
const SAID_AGAIN_AFTER_MS = HOUR_MS;

const checkMerchantProfile =
  "Check that the notification URL in the Merchant Profile reaches this module's webhook route, that its events are " +
  'ticked, and that no proxy in front is missing from trustedProxies.';
/** The webhooks of a store that its owner has connected are created here. */
const checkOwnWebhooks =
  "Check that partner.webhookUrl reaches this module's webhook route and that no proxy in front is missing from " +
  "trustedProxies; subscriptions(id) of PartnerService lists the store's webhooks, and fixes them.";

/** Changes of one statement. */
const MOST = 64;

interface FoundChange {
  readonly storeId: string;
  readonly objectId: string;
  readonly event: string;
}

/** The count of a store. */
interface UnannouncedChanges {
  readonly storeId: string;
  readonly count: number;
  readonly isConnected: boolean;
  readonly now: Date;
}

/**
 * Notices that polls keep finding changes without a notification: a webhook that nobody reaches is silent. The count is in the
 * store's row, for all processes, and survives them. One lost in a crash does no harm: the next change counts.
 */
@Injectable()
export class SilenceAlarm {
  readonly #logger = new PaymentsLog();
  /** When this process last logged it for a store; only stores with a log line. */
  readonly #saidAt = new Map<string, number>();
  readonly #changes = new Grouped<FoundChange, null>((changes) => this.#count(changes), { most: MOST });

  constructor(private readonly database: Database) {}

  /** A re-read saw an accepted notification of the payment. Nothing is written if nothing was wrong. */
  async notified(storeId: string): Promise<void> {
    await this.database.transaction((manager) =>
      manager.query(
        `UPDATE ${this.#stores} SET unannounced_changes = 0, unannounced_since = NULL WHERE id = $1 AND unannounced_changes > 0`,
        [storeId],
      ),
    );
  }

  /** A poll found a change and saw no notification of the payment. */
  async changed(storeId: string, objectId: string, to: PaymentStatus): Promise<void> {
    await this.#changes.add({ storeId, objectId, event: `payment.${to}` });
  }

  /** Many at once: each store has one row, which they would wait for one after the other. */
  async #count(changes: readonly FoundChange[]): Promise<null[]> {
    const { rows } = await this.database.statement<UnannouncedChanges>(
      `WITH ${TERMS}, found AS MATERIALIZED (
         SELECT found.store_id, count(*)::int AS count
         FROM terms, unnest($1::uuid[], $2::text[], $3::text[]) AS found (store_id, object_id, event)
         -- The service may have notified it and then answered from a copy that lags behind. OFFSET: checked for each separately.
         WHERE NOT EXISTS (
           SELECT FROM ${this.database.table(PaymentsNotificationEntity)} notified
           WHERE notified.store_id = found.store_id AND notified.object_id = found.object_id AND notified.event = found.event OFFSET 0
         )
         GROUP BY found.store_id
       ), counted AS MATERIALIZED (
         SELECT store.id FROM ${this.#stores} store WHERE store.id = ANY(ARRAY(SELECT store_id FROM found))
         ORDER BY store.id FOR NO KEY UPDATE
       )
       UPDATE ${this.#stores} store
       SET unannounced_changes = unannounced_changes + found.count, unannounced_since = COALESCE(unannounced_since, ${this.database.now})
       FROM found WHERE store.id = found.store_id AND store.id = ANY(ARRAY(SELECT id FROM counted))
         AND COALESCE(unannounced_since <= ${this.database.now}, true)
       RETURNING store.id AS "storeId", unannounced_changes AS count, store.kind = 'connected' AS "isConnected", ${this.database.now} AS now`,
      [
        changes.map(({ storeId }) => storeId),
        changes.map(({ objectId }) => objectId),
        changes.map(({ event }) => event),
      ],
    );
    for (const found of rows) this.#say(found);
    return changes.map(() => null);
  }

  #say({ storeId, count, isConnected, now }: UnannouncedChanges): void {
    if (count < CHANGES_IN_A_ROW || !this.#isDue(storeId, now)) return;
    this.#logger.error(
      `Polling found the last ${count} changes${isConnected ? ` of store ${storeId}` : ''}; there was no notification of them. Nothing is lost, but ` +
        `buyers wait. ${isConnected ? checkOwnWebhooks : checkMerchantProfile}`,
      { storeId },
    );
  }

  #isDue(storeId: string, now: Date): boolean {
    const saidAt = this.#saidAt.get(storeId) ?? -Infinity;
    if (now.getTime() - saidAt < SAID_AGAIN_AFTER_MS) return false;
    this.#saidAt.set(storeId, now.getTime());
    return true;
  }

  get #stores(): string {
    return this.database.table(PaymentsStoreEntity);
  }
}
