import { Injectable, Logger } from '@nestjs/common';
import { keptOf } from '../api/kept-object.js';
import type { OpenObject } from '../api/objects/open.js';
import { PaymentsApi } from '../api/payments-api.js';
import { ServiceNotFoundError } from '../api/service-errors.js';
import { Database } from '../database/database.js';
import { eventNames, type EventName } from '../handlers/events.js';
import { andOthers, FAILURE_LOG_MS, LogLimit } from '../log-limit.js';
import { recordEvent } from '../payment/record-event.js';
import { RefundNotices } from '../refunds/refund-notices.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { Shutdown } from '../sweeps/shutdown.js';
import { WorkSignal } from '../sweeps/work-signal.js';
import { NotificationLeases, type NotificationClaim } from './notification-leases.js';
import { objectTypes, type ObjectType } from './object-types.js';

type ClaimedObject = NotificationClaim & { readonly objectType: ObjectType };

/** The service may answer from a copy that lags behind its notification, and nothing else would make us look: so many times, seconds apart. */
const LOOKS = 3;

/** An object we keep no row of, as the service answered. */
interface ServiceObject extends OpenObject {
  readonly id: string;
  readonly status?: string;
}

/**
 * Handles notifications about refunds, payouts, deals and payment methods: hints as well. A refund's goes to its
 * payment. The rest have no row of ours, so what the re-read says becomes an event at once, one per (object, status).
 */
@Injectable()
export class ObjectNotifications {
  readonly #logger = new Logger('Payments');
  readonly #failures = new LogLimit(FAILURE_LOG_MS);

  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly leases: NotificationLeases,
    private readonly refunds: RefundNotices,
    private readonly signal: WorkSignal,
    private readonly shutdown: Shutdown,
  ) {}

  /** What a worker of `slots` does: handles one notification; false where there is none. */
  worker(slots: number): () => Promise<boolean> {
    const listed = objectTypes.map((type) => `'${type}'`).join(', ');
    const queue = this.leases.queue(slots, () => `object_type <> 'payment' AND object_type IN (${listed})`);
    return () =>
      queue.run(
        (claim) => this.#handle(claim),
        async (error, claim) => {
          const count = this.#failures.take();
          const message = error instanceof Error ? error.message : String(error);
          if (count !== null)
            this.#logger.warn(
              `The ${claim.objectType} ${claim.objectId} could not be re-read and will be tried again: ${message}${andOthers(count)}`,
            );
          await this.leases.defer(claim);
        },
      );
  }

  async #handle(claim: NotificationClaim): Promise<void> {
    const objectType = objectTypes.find((known) => known === claim.objectType);
    if (objectType === undefined) throw new Error('nothing here re-reads such an object');
    const claimed = { ...claim, objectType };
    // No lock is held and no transaction open while the service is asked.
    const object = await this.#read(claimed);
    await this.#settle(claimed, object);
    this.signal.wake();
  }

  /** null: nothing to record here. */
  async #read(claim: ClaimedObject): Promise<ServiceObject | null> {
    const { objectType, objectId, attempts } = claim;
    const again = attempts + 1 < LOOKS;
    try {
      const object = await this.#ask(claim);
      if (object !== null && object.id !== objectId)
        throw new Error(`the service answered with ${object.id}`);
      if (object !== null && again && eventOf(claim, object) === undefined)
        throw new Error(`its status is ${object.status}`);
      return object;
    } catch (error) {
      if (!(error instanceof ServiceNotFoundError) || again) throw error;
      // Anyone on the sender list can name any id, so this is no news for a person.
      this.#logger.debug(
        `A notification named the ${objectType} ${objectId}, which the service does not know.`,
      );
      return null;
    }
  }

  async #ask({ storeId, objectType, objectId }: ClaimedObject): Promise<ServiceObject | null> {
    const { signal } = this.shutdown;
    const options = { ...this.stores.call(storeId), signal };
    if (objectType === 'payout') return this.api.readPayout(objectId, options);
    if (objectType === 'deal') return this.api.readDeal(objectId, options);
    if (objectType === 'payment_method') return this.api.readPaymentMethod(objectId, options);
    await this.refunds.handle(storeId, objectId, signal);
    return null;
  }

  /** A status that stays without an event, such as a payout's `pending`, records nothing: a later notification will tell. */
  #settle(claim: ClaimedObject, object: ServiceObject | null): Promise<void> {
    return this.database.transaction(async (manager) => {
      if (!(await this.leases.settle(manager, claim)) || object === null) return;
      const { storeId, objectType: type, objectId: id } = claim;
      const { status } = object;
      const name = eventOf(claim, object);
      if (name === undefined || status === undefined) return;
      const evidence = { source: 're-read', serviceStatus: status, serviceId: id };
      await recordEvent(
        manager,
        this.database,
        { storeId, subject: { type, id }, paymentId: null },
        { name, to: status, cause: 'notification', evidence, object: keptOf(type, object) },
        { once: true },
      );
    });
  }
}

function eventOf({ objectType }: ClaimedObject, { status }: ServiceObject): EventName | undefined {
  return eventNames.find((known) => known === `${objectType}.${status}`);
}
