import { Injectable } from '@nestjs/common';
import { PaymentsApi } from '../api/payments-api.js';
import { ServiceNotFoundError } from '../api/service-errors.js';
import { parseServicePayment, type ServicePayment } from '../api/service-payment.js';
import { Adoption } from '../apply/adoption.js';
import { isForgotten, raiseSecond } from '../apply/decide-adoption.js';
import { raiseWronglyRejected } from '../apply/wrongly-rejected.js';
import { PaymentsLog } from '../common/payments-log.js';
import { Database } from '../database/database.js';
import { HeldPayments } from '../operations/held-payments.js';
import { want } from '../payment/due.js';
import { lockPayment } from '../payment/locks.js';
import { MarkedPayments, type MarkedObject } from '../payment/marked-payments.js';
import { PaymentsNotificationEntity } from '../schema/notification.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { StoreCall } from '../stores/store-turns.js';
import type { Work } from '../work/worker-pool.js';
import { NotificationLeases, type NotificationClaim } from './notification-leases.js';

/**
 * Notifications of payments we do not know. They wait, since the answer to our create may still be on its way (G7). Once no call
 * can wait for it any more, each is looked up: the payment may carry our mark and be one whose answer was lost, or one that the
 * database has forgotten. Or it was closed as never received: then it is reported to a person. Otherwise it may have been made by
 * someone else who uses the same store: it is looked up once more after a while, and then its notifications are set aside as
 * foreign.
 */
@Injectable()
export class ForeignNotifications {
  readonly #logger = new PaymentsLog();

  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly leases: NotificationLeases,
    private readonly marked: MarkedPayments,
    private readonly adoption: Adoption,
    private readonly held: HeldPayments,
  ) {}

  /** SQL condition: there is one to look up. */
  get waits(): string {
    return this.leases.waits(['look_up']);
  }

  get work(): Work<NotificationClaim> {
    return this.leases.work(
      ['look_up'],
      (claim, call) => this.#lookUp(claim, call),
      ({ objectId }) => `The payment ${objectId}, which is not known here, could not be looked up`,
    );
  }

  async #lookUp(claim: NotificationClaim, call: StoreCall): Promise<void> {
    const { isOurs, foreign } = await this.#known(claim);
    if (isOurs) await this.leases.handOver(claim);
    // Another event of the same payment was looked up before.
    else if (foreign)
      await this.database.transaction((manager) => this.leases.settle(manager, claim, foreign));
    else await this.#settle(claim, await this.#fetch(claim, call));
  }

  async #known({ storeId, objectId }: NotificationClaim): Promise<{
    readonly isOurs: boolean;
    readonly foreign: { readonly isKnown: boolean } | null;
  }> {
    const [known] = await this.database.read((from) =>
      from.query<[{ isOurs: boolean; isKnown: boolean | null }]>(
        `SELECT EXISTS (SELECT FROM ${this.database.table(PaymentsPaymentEntity)}
             WHERE store_id = $1 AND service_id = $2) AS "isOurs",
           (SELECT bool_or(is_known) FROM ${this.database.table(PaymentsNotificationEntity)}
             WHERE store_id = $1 AND object_id = $2 AND foreign_at IS NOT NULL) AS "isKnown"`,
        [storeId, objectId],
      ),
    );
    const { isOurs, isKnown } = known;
    return { isOurs, foreign: isKnown === null ? null : { isKnown } };
  }

  /** null: the service does not know it either. */
  async #fetch({ objectId }: NotificationClaim, call: StoreCall): Promise<ServicePayment | null> {
    try {
      return parseServicePayment(await this.api.fetchPayment(objectId, call));
    } catch (error) {
      if (error instanceof ServiceNotFoundError) return null;
      throw error;
    }
  }

  async #settle(claim: NotificationClaim, object: ServicePayment | null): Promise<void> {
    const [found] = object ? await this.marked.find(claim.storeId, [object]) : [];
    if (found === undefined) {
      if (await this.leases.putOff(claim)) return;
      const isForeign = await this.database.transaction((manager) =>
        this.leases.settle(manager, claim, { isKnown: object !== null }),
      );
      if (isForeign)
        this.#logger.warn(
          `The payment ${claim.objectId} was not made here${object ? '' : ', nor does the service know it'}; its notifications are set aside as foreign.`,
          { storeId: claim.storeId, serviceId: claim.objectId },
        );
      return;
    }
    if (isForgotten(found)) {
      const { ofEarlierBuyers } = await this.adoption.adopt(claim.storeId, [found.object]);
      if (!ofEarlierBuyers.has(claim.objectId)) return this.leases.handOver(claim);
      await this.database.transaction((manager) => this.leases.settle(manager, claim, { isKnown: true }));
      return undefined;
    }
    return this.#ofKnown(claim, found);
  }

  #ofKnown(claim: NotificationClaim, { object, rows }: MarkedObject<ServicePayment>): Promise<void> {
    return this.database.transaction(async (manager) => {
      const unanswered = rows.find(({ status, serviceId }) => status !== 'rejected' && serviceId === null);
      // A create that the sweep looks up is found in the list; until then the notification keeps waiting.
      if (unanswered) {
        await want(manager, this.database, unanswered, this.database.now);
        return this.leases.deferIn(manager, claim);
      }
      const [known] = rows.filter(({ isKeyReused }) => !isKeyReused);
      if (!known) throw new Error('its row is gone');
      const locked = await lockPayment(manager, this.database, known.id);
      if (!(await this.leases.settle(manager, claim, { isKnown: true }))) return;
      await this.held.change(manager, locked, 'notification', (before) => ({
        draft:
          before.payment.status === 'rejected'
            ? raiseWronglyRejected(before, object, 'notification')
            : raiseSecond(before, object),
      }));
    });
  }
}
