import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { isIP } from 'node:net';
import type { EntityManager } from 'typeorm';
import { plusMs } from '../clock.js';
import { Database } from '../database/database.js';
import { LogLimit } from '../log-limit.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { isFinal, paymentStatuses } from '../payment/payment-status.js';
import type { StoreEntity } from '../stores/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { NotificationEntity } from './notification.entity.js';
import { readNotification, type NotificationHint } from './notification-body.js';
import { RateLimit } from './rate-limit.js';
import type { RefusalAdvice } from './refusal-advice.js';
import { refusalSlot } from './refusal-slot.js';
import { RefusedNotificationEntity } from './refused-notification.entity.js';

/** Look-ups a second and process, whoever sends whatever: a wrong set-up shows soon enough, and a flood costs nothing. */
const PER_SECOND = 5;
const BURST = 20;
const DEADLINE_MS = 2_000;
/** The service repeats a notification for a day. One about an older change is a replay. */
const NEWS_MS = 2 * 86_400_000;
/** Payments whose change an address told truly before that is said. A stranger would have to buy as often, and keep the true notifications away. */
const PROOFS = 3;
const SAY_EVERY_MS = 3_600_000;

/** What was refused, and at whose address. */
export interface Refused {
  readonly body: unknown;
  /** The key in a connected store's own address; null: it is the shop's address. */
  readonly storeKey: string | null;
}

/**
 * Remembers refused notifications of payments we know. If what they told turns out to be true and no accepted one tells
 * it, the set-up is wrong, and a person learns which address was refused. Nothing else follows from a refused body.
 */
@Injectable()
export class RefusedNotifications implements BeforeApplicationShutdown {
  readonly #logger = new Logger('Payments');
  readonly #lookUps = new RateLimit(PER_SECOND, BURST);
  readonly #errors = new LogLimit(SAY_EVERY_MS);
  #running: Promise<void> | null = null;

  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
  ) {}

  /** Looks the payment up and remembers the refusal, behind the caller's back; one at a time, and not more often than the rate allows. */
  note({ body, storeKey }: Refused, address: string, advice: RefusalAdvice): void {
    const hint = readNotification(body);
    if (hint?.objectType !== 'payment' || isIP(address) === 0) return;
    if (this.#running || !this.#lookUps.take()) return;
    this.#running = this.#record(storeKey, hint, { address: withoutPrefix(address), advice })
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.#logger.debug(`A refused notification could not be looked up: ${reason}`);
      })
      .finally(() => {
        this.#running = null;
      });
  }

  /** A re-read found a change of which no accepted notification has told. */
  async changeFound(storeId: string, objectId: string, event: string): Promise<void> {
    const [proven] = await this.database.transaction((manager) =>
      manager.query<[unknown[], number]>(
        `UPDATE ${this.#table} SET proven_at = ${this.database.now}
         WHERE store_id = $1 AND slot = $2 AND object_id = $3 AND event = $4 AND proven_at IS NULL
         RETURNING slot`,
        [storeId, refusalSlot(objectId), objectId, event],
      ),
    );
    if (proven.length > 0) await this.#say(storeId);
  }

  /** An accepted notification of the payment has come after all: the refused one proves nothing. */
  async accepted(manager: EntityManager, storeId: string, objectId: string): Promise<void> {
    const slot = refusalSlot(objectId);
    await manager.delete(RefusedNotificationEntity, { storeId, slot, objectId });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#running;
  }

  async #record(
    storeKey: string | null,
    { event, objectId }: NotificationHint,
    { address, advice }: { address: string; advice: RefusalAdvice },
  ): Promise<void> {
    const told = paymentStatuses.find((status) => event === `payment.${status}`);
    if (told === undefined) return;
    const open = paymentStatuses.filter((status) => !isFinal(status)).map((status) => `'${status}'`);
    const { now } = this.database;
    const same = '(known.sender_address, known.object_id, known.event) = ($5, $3, $4)';
    const [row] = await this.database.transaction(
      async (manager) => {
        const store = await this.#storeOf(storeKey, manager);
        if (!store) return [];
        return manager.query<{ storeId: string; proven: boolean }[]>(
          `INSERT INTO ${this.#table} AS known
             (store_id, slot, object_id, event, sender_address, advice, first_at, last_at, proven_at)
           SELECT payment.store_id, $2, $3, $4, $5, $6, ${now}, ${now}, CASE WHEN payment.status = $7 THEN ${now} END
           FROM ${this.database.table(PaymentEntity)} payment
           WHERE payment.store_id = $1 AND payment.service_id = $3
             AND (payment.status IN (${open.join(', ')}) OR payment.updated_at > ${plusMs(now, -NEWS_MS)})
             AND NOT EXISTS (
               SELECT FROM ${this.database.table(NotificationEntity)} accepted
               WHERE accepted.store_id = $1 AND accepted.object_id = $3 AND accepted.event = $4
             )
           ON CONFLICT (store_id, slot) DO UPDATE SET
             count = CASE WHEN ${same} THEN known.count + 1 ELSE 1 END,
             first_at = CASE WHEN ${same} THEN known.first_at ELSE excluded.first_at END,
             proven_at = CASE WHEN ${same} THEN COALESCE(known.proven_at, excluded.proven_at) ELSE excluded.proven_at END,
             object_id = excluded.object_id, event = excluded.event, sender_address = excluded.sender_address,
             advice = excluded.advice, last_at = excluded.last_at
           RETURNING known.store_id AS "storeId", known.proven_at IS NOT NULL AS proven`,
          [store.id, refusalSlot(objectId), objectId, event, address, advice, told],
        );
      },
      { deadlineMs: DEADLINE_MS },
    );
    if (row?.proven) await this.#say(row.storeId);
  }

  async #storeOf(storeKey: string | null, manager: EntityManager): Promise<StoreEntity | null> {
    return storeKey === null ? this.stores.shop : this.stores.findByWebhookKey(storeKey, manager);
  }

  /** Names every address that told enough changes truly. */
  async #say(storeId: string): Promise<void> {
    const addresses = await this.database.dataSource.manager.query<
      { address: string; advice: RefusalAdvice; payments: number }[]
    >(
      `SELECT sender_address AS address, advice, count(*)::int AS payments FROM ${this.#table}
       WHERE store_id = $1 AND proven_at IS NOT NULL GROUP BY 1, 2 HAVING count(*) >= ${PROOFS} ORDER BY 1`,
      [storeId],
    );
    if (addresses.length === 0 || this.#errors.take() === null) return;
    for (const { address, advice, payments } of addresses)
      this.#logger.error(
        `Notifications of ${payments} payments were refused for their sender, ${address}, and what they told was true. ${remedy(address, advice)}`,
      );
  }

  get #table(): string {
    return this.database.table(RefusedNotificationEntity);
  }
}

function remedy(address: string, advice: RefusalAdvice): string {
  if (advice === 'X-Forwarded-For')
    return `It is in trustedProxies and names nobody: have that proxy set X-Forwarded-For.`;
  const owner = advice === 'trustedProxies' ? 'a reverse proxy of your own' : "on the service's own list";
  return `If that address is ${owner}, and only then, add '${address}' to ${advice}.`;
}

/** `::ffff:10.0.0.7`, as a socket on both families gives it, is what a person calls 10.0.0.7. */
function withoutPrefix(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
