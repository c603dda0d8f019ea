import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { keptOf } from '../api/kept-object.js';
import type { OpenObject } from '../api/objects/open.js';
import { PaymentsApi } from '../api/payments-api.js';
import { ServiceNotFoundError } from '../api/service-errors.js';
import { andOthers, FAILURE_LOG_MS, LogLimit } from '../common/log-limit.js';
import { PaymentsLog } from '../common/payments-log.js';
import { Database } from '../database/database.js';
import { recordEvent } from '../payment/record-event.js';
import type { StoreCall } from '../stores/store-turns.js';
import { eventNames, type EventName } from '../views/events.js';
import { WorkSignal } from '../work/work-signal.js';
import type { Work } from '../work/worker-pool.js';
import { objectTypes, type ObjectType } from './notification-body.js';
import { NotificationLeases, type NotificationClaim } from './notification-leases.js';
import { handleRefundNotice } from './refund-notices.js';

type ClaimedObject = NotificationClaim & { readonly objectType: ObjectType };

/**
 * The service may answer from a copy that lags behind its notification, and nothing else would make us look: so we keep looking
 * for this long in business time, after 1, 2, 4 … 60 s, before it is reported to a person.
 */
const LAG_MS = 15 * 60_000;

/** An object we keep no row of, as the service returned it. */
interface ServiceObject extends OpenObject {
  readonly id: string;
  readonly status?: string;
}

/** What a re-read says about a notification. */
type Finding =
  | { readonly kind: 'event'; readonly name: EventName; readonly object: ServiceObject }
  /** There is nothing to record here, and nothing to wait for. */
  | { readonly kind: 'nothing' }
  /** The service does not bear it out, or not yet; `isOver`: something else finds it if it comes to be true. */
  | {
      readonly kind: 'unconfirmed';
      readonly reason: string;
      readonly isKnown: boolean;
      readonly isOver: boolean;
    };

/** A re-read for the first time comes before all that are repeated: forged ones are repeated in vain. */
const STEPS = ['re_read', 're_read_again'] as const;

/**
 * Handles notifications about refunds, payouts, deals and payment methods: hints as well. A refund's goes to its payment. The
 * rest have no row of ours, so the result of the re-read becomes an event at once, one per (object, status).
 */
@Injectable()
export class ObjectNotifications {
  readonly #logger = new PaymentsLog();
  readonly #unconfirmed = new LogLimit(FAILURE_LOG_MS);

  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly leases: NotificationLeases,
    private readonly signal: WorkSignal,
  ) {}

  /** SQL condition: there is one to handle. */
  get waits(): string {
    return this.leases.waits(STEPS);
  }

  get work(): Work<NotificationClaim> {
    return this.leases.work(
      STEPS,
      (claim, call) => this.#handle(claim, call),
      ({ objectType, objectId }) => `The ${objectType} ${objectId} could not be re-read`,
    );
  }

  async #handle(claim: NotificationClaim, call: StoreCall): Promise<void> {
    const objectType = objectTypes.find((known) => known === claim.objectType);
    if (objectType === undefined) throw new Error('nothing here re-reads such an object');
    const claimed = { ...claim, objectType };
    // No lock is held and no transaction open during the request to the service.
    const finding = await this.#look(claimed, call);
    if (finding.kind === 'unconfirmed' && !finding.isOver && claim.waitedMs < LAG_MS)
      throw new Error(finding.reason);
    await this.#settle(claimed, finding);
    this.signal.wake('payments');
    this.signal.wake('deliveries');
  }

  async #look(claim: ClaimedObject, call: StoreCall): Promise<Finding> {
    let object: ServiceObject | null;
    try {
      object = await this.#ask(claim, call);
    } catch (error) {
      if (!(error instanceof ServiceNotFoundError)) throw error;
      // A refund that is true after all is found by its payment, which lists its refunds.
      const isOver = claim.objectType === 'refund';
      return { kind: 'unconfirmed', reason: 'the service does not know it', isKnown: false, isOver };
    }
    if (object === null) return { kind: 'nothing' };
    if (object.id !== claim.objectId) throw new Error(`the service answered with ${object.id}`);
    const name = eventNamed(`${claim.objectType}.${object.status}`);
    if (name !== undefined) return { kind: 'event', name, object };
    // For an event that is not known here there is nothing to wait for.
    if (eventNamed(claim.event) === undefined) return { kind: 'nothing' };
    const reason = `its status is ${object.status}`;
    return { kind: 'unconfirmed', reason, isKnown: true, isOver: false };
  }

  async #ask(
    { storeId, objectType, objectId }: ClaimedObject,
    call: StoreCall,
  ): Promise<ServiceObject | null> {
    if (objectType === 'payout') return this.api.fetchPayout(objectId, call);
    if (objectType === 'deal') return this.api.fetchDeal(objectId, call);
    if (objectType === 'payment_method') return this.api.fetchPaymentMethod(objectId, call);
    await handleRefundNotice(this.database, this.api, call, storeId, objectId);
    return null;
  }

  async #settle(claim: ClaimedObject, finding: Finding): Promise<void> {
    const unconfirmed = finding.kind === 'unconfirmed';
    const settled = await this.database.transaction(async (manager) => {
      if (!(await this.leases.settle(manager, claim, unconfirmed ? finding : null))) return false;
      if (finding.kind === 'event') await this.#record(manager, claim, finding);
      return true;
    });
    const count = settled && unconfirmed ? this.#unconfirmed.take() : null;
    if (unconfirmed && count !== null)
      this.#logger.warn(
        `A notification announced ${claim.event} of ${claim.objectId}, and the service has not shown it since: ${finding.reason}. It is set aside ` +
          `and waits for a person; see foreignNotifications() of PaymentsOperator.${andOthers(count)}`,
        { storeId: claim.storeId, serviceId: claim.objectId },
      );
  }

  async #record(
    manager: EntityManager,
    { storeId, objectType: type, objectId: id }: ClaimedObject,
    { name, object }: { name: EventName; object: ServiceObject },
  ): Promise<void> {
    const { status = null } = object;
    const evidence = { source: 're-read', serviceStatus: status, serviceId: id };
    await recordEvent(
      manager,
      this.database,
      { storeId, subject: { type, id }, paymentId: null },
      { name, to: status, cause: 'notification', evidence, object: keptOf(type, object) },
      { once: true },
    );
  }
}

function eventNamed(name: string): EventName | undefined {
  return eventNames.find((known) => known === name);
}
