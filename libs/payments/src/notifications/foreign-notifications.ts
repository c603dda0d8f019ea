import { Inject, Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PaymentsApi } from '../api/payments-api.js';
import { ServiceNotFoundError } from '../api/service-errors.js';
import { parseServicePayment, type ServicePayment } from '../api/service-payment.js';
import { raiseAnomaly } from '../apply/anomaly.js';
import { WronglyRejected } from '../apply/wrongly-rejected.js';
import { isUuid } from '../common/uuid.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { want } from '../payment/due.js';
import { lockPayment } from '../payment/locks.js';
import { NotificationEntity } from '../schema/notification.entity.js';
import { PaymentEntity } from '../schema/payment.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { Shutdown } from '../work/shutdown.js';
import type { Work } from '../work/worker-pool.js';
import { NotificationLeases, type NotificationClaim } from './notification-leases.js';

/**
 * Notifications of payments we do not know. They wait, since the answer to our create may still be on its way (G7); after a while
 * each is looked up once: the payment may carry our id in its metadata and be one whose answer was lost. Or it was closed as
 * never received: then it is reported to a person, and not looked up again. Otherwise it was made by someone else who uses the
 * same store, and its notifications are set aside as foreign.
 */
@Injectable()
export class ForeignNotifications {
  readonly #logger = new Logger('Payments');

  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly leases: NotificationLeases,
    private readonly wronglyRejected: WronglyRejected,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** SQL condition: there is one to look up. */
  get waits(): string {
    return this.leases.waits(['look_up']);
  }

  get work(): Work<NotificationClaim> {
    return this.leases.work(
      ['look_up'],
      (claim) => this.#lookUp(claim),
      ({ objectId }) => `The payment ${objectId}, which is not known here, could not be looked up`,
    );
  }

  async #lookUp(claim: NotificationClaim): Promise<void> {
    const { isOurs, foreign } = await this.#known(claim);
    if (isOurs) await this.leases.handOver(claim);
    // Another event of the same payment was looked up before.
    else if (foreign)
      await this.database.transaction((manager) => this.leases.settle(manager, claim, foreign));
    else await this.#settle(claim, await this.#fetch(claim));
  }

  async #known({ storeId, objectId }: NotificationClaim): Promise<{
    readonly isOurs: boolean;
    readonly foreign: { readonly isKnown: boolean } | null;
  }> {
    const [known] = await this.database.read((from) =>
      from.query<[{ isOurs: boolean; isKnown: boolean | null }]>(
        `SELECT EXISTS (SELECT FROM ${this.database.table(PaymentEntity)}
             WHERE store_id = $1 AND service_id = $2) AS "isOurs",
           (SELECT bool_or(is_known) FROM ${this.database.table(NotificationEntity)}
             WHERE store_id = $1 AND object_id = $2 AND foreign_at IS NOT NULL) AS "isKnown"`,
        [storeId, objectId],
      ),
    );
    const { isOurs, isKnown } = known;
    return { isOurs, foreign: isKnown === null ? null : { isKnown } };
  }

  /** null: the service does not know it either. */
  async #fetch({ storeId, objectId }: NotificationClaim): Promise<ServicePayment | null> {
    try {
      const options = this.stores.callOnce(storeId, this.shutdown.signal);
      return parseServicePayment(await this.api.fetchPayment(objectId, options));
    } catch (error) {
      if (error instanceof ServiceNotFoundError) return null;
      throw error;
    }
  }

  #settle(claim: NotificationClaim, object: ServicePayment | null): Promise<void> {
    return this.database.transaction(async (manager) => {
      const ours = object && (await this.#ownerOf(manager, claim, object));
      if (object && ours?.status === 'rejected' && ours.serviceId === null) {
        const { payment } = await lockPayment(manager, this.database, ours.id);
        if (await this.leases.settle(manager, claim, { isKnown: true }))
          await this.wronglyRejected.raise(manager, payment, object, 'notification');
        return undefined;
      }
      // A create that the sweep looks up is found in the list; until then the notification keeps waiting.
      if (ours && ours.serviceId === null) {
        await want(manager, this.database, ours, this.database.now);
        return this.leases.deferIn(manager, claim);
      }
      if (!(await this.leases.settle(manager, claim, { isKnown: object !== null }))) return undefined;
      if (ours && object) {
        const { payment } = await lockPayment(manager, this.database, ours.id);
        const reason = `the service has a second payment with its id in the metadata: ${object.id}`;
        return raiseAnomaly(manager, this.database, payment, reason, { cause: 'notification', object });
      }
      this.#logger.warn(
        `The payment ${claim.objectId} was not made here${object ? '' : ', nor does the service know it'}; its notifications are set aside as foreign.`,
      );
      return undefined;
    });
  }

  /** The payment of ours that the object's metadata names. */
  async #ownerOf(
    manager: EntityManager,
    { storeId }: NotificationClaim,
    { metadata }: ServicePayment,
  ): Promise<PaymentEntity | null> {
    const { metadataKey } = this.options.profile;
    const id = metadataKey === null ? undefined : metadata[metadataKey];
    return isUuid(id) ? manager.findOneBy(PaymentEntity, { id, storeId }) : null;
  }
}
