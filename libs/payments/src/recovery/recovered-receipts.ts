import { Inject, Injectable } from '@nestjs/common';
import { PaymentsApi } from '../api/payments-api.js';
import { parseServiceReceipt, type ServiceReceipt } from '../api/service-receipt.js';
import { isSentByItself } from '../apply/receipts/forgotten-receipts.js';
import { adoptReceipts } from '../apply/receipts/receipt-adoption.js';
import { PaymentsLog } from '../common/payments-log.js';
import { Database } from '../database/database.js';
import { HeldPayments } from '../operations/held-payments.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { createdIn } from '../reconcile/created-in.js';
import { searchAtService } from '../reconcile/service-clock.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsReceiptEntity } from '../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { RateLimiter } from '../stores/rate-limiter.js';
import { StoreRegistry } from '../stores/store.registry.js';
import type { RecoveredTime } from './recovered-payments.js';

/** A receipt of the service that is of a payment of ours and has no row. */
interface Unknown {
  readonly place: number;
  readonly paymentId: string;
  readonly servicePaymentId: string;
  readonly receiptsAfter: boolean;
  readonly isRefundKnown: boolean;
}

/** Finds the receipts among those that the service lists which were sent by themselves and have no row. */
@Injectable()
export class RecoveredReceipts {
  readonly #logger = new PaymentsLog();

  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly limiter: RateLimiter,
    private readonly held: HeldPayments,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * false: one is of a refund of ours that is not known yet. `seen`: called after each page.
   */
  async list(
    storeId: string,
    {
      cursor,
      end,
      seen,
      ...time
    }: RecoveredTime & { readonly seen: (place: string | null) => Promise<void> },
  ): Promise<boolean> {
    if (!this.options.profile.receipts) return true;
    const options = this.stores.callOnce(storeId, end);
    let areKnown = true;
    await searchAtService(this.database, storeId, {
      ...time,
      proof: false,
      maxPages: Infinity,
      list: (theirs) =>
        this.api.listReceipts({ ...createdIn(theirs), ...(cursor !== null && { cursor }) }, options),
      see: async (items, nextCursor) => {
        const objects = items.map((item) => parseServiceReceipt(item));
        areKnown = (await this.#take(storeId, objects, end)) && areKnown;
        await this.limiter.charge(storeId, 1);
        await seen(areKnown ? nextCursor : null);
        return null;
      },
    });
    return areKnown;
  }

  /** A page of the list. */
  async #take(storeId: string, objects: readonly ServiceReceipt[], end: AbortSignal): Promise<boolean> {
    const unknown = await this.#unknown(storeId, objects);
    const own = unknown.filter(({ place, receiptsAfter }) => {
      const object = objects[place - 1];
      return object !== undefined && isSentByItself({ receiptsAfter }, object);
    });
    const payments = new Map(own.map(({ paymentId, servicePaymentId }) => [paymentId, servicePaymentId]));
    for (const [id, serviceId] of payments) await this.#adopt(storeId, id, serviceId, end);
    return own.every(({ isRefundKnown }) => isRefundKnown);
  }

  /** By all that the service has of the payment: of two attempts the last one counts. */
  async #adopt(storeId: string, id: string, serviceId: string, end: AbortSignal): Promise<void> {
    const options = this.stores.callOnce(storeId, end);
    const listed: ServiceReceipt[] = [];
    for await (const { items } of this.api.listReceipts({ payment_id: serviceId }, options).pages()) {
      listed.unshift(...items.map((item) => parseServiceReceipt(item)).toReversed());
      await this.limiter.charge(storeId, 1);
    }
    const { count } = await this.held.changeAlone({ id, storeId }, 'recovery', (before) =>
      adoptReceipts(before, listed, this.options),
    );
    if (count === 0) return;
    this.#logger.warn(
      `The database had forgotten ${count} receipts of payment ${id}: they are recorded again.`,
      { paymentId: id, storeId },
    );
  }

  #unknown(storeId: string, objects: readonly ServiceReceipt[]): Promise<Unknown[]> {
    const { database } = this;
    return database.read((from) =>
      from.query<Unknown[]>(
        // Looked up one by one, by the keys, however many the planner takes them for.
        `SELECT seen.place::int, payment.id AS "paymentId", payment.service_id AS "servicePaymentId", payment.receipts_after AS "receiptsAfter",
           seen.refund_id IS NULL OR EXISTS (SELECT FROM ${database.table(PaymentsRefundEntity)} WHERE store_id = $1 AND service_id = seen.refund_id) AS "isRefundKnown"
         FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS seen (id, payment_id, refund_id, place)
         CROSS JOIN LATERAL (
           SELECT id, service_id, receipts_after FROM ${database.table(PaymentsPaymentEntity)} WHERE store_id = $1 AND service_id = seen.payment_id OFFSET 0
         ) payment
         WHERE NOT EXISTS (SELECT FROM ${database.table(PaymentsReceiptEntity)} WHERE store_id = $1 AND service_id = seen.id)
         ORDER BY seen.place`,
        [
          storeId,
          objects.map(({ id }) => id),
          objects.map(({ paymentId }) => paymentId),
          objects.map(({ refundId }) => refundId),
        ],
      ),
    );
  }
}
