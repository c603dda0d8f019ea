import { Inject, Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { PaymentsApi } from '../../api/payments-api.js';
import { parseServiceReceipt, type ServiceReceipt } from '../../api/service-receipt.js';
import type { SeenReceipt } from '../../apply/receipts/apply-receipts.js';
import { Database } from '../../database/database.js';
import { AttemptWatch } from '../../operations/attempt-watch.js';
import { isOnlyLookedUp } from '../../operations/key-age.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { openReceiptStatuses } from '../../receipts/own-receipt.js';
import { PaymentsOperationEntity } from '../../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsReceiptEntity } from '../../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import { StoreRegistry } from '../../stores/store.registry.js';
import { itemsUnder, type PaymentLease } from '../payment-lease.js';

/** Fetches what became of a payment's own receipts. */
@Injectable()
export class ReceiptFetcher {
  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly attempts: AttemptWatch,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  async fetch(
    payment: PaymentsPaymentEntity,
    end: AbortSignal,
    lease: PaymentLease,
  ): Promise<readonly SeenReceipt[]> {
    if (!this.options.profile.receipts) return [];
    const open = await this.database.read((from) =>
      from.find(PaymentsReceiptEntity, {
        where: { paymentId: payment.id, status: In([...openReceiptStatuses]) },
        order: { createdAt: 'ASC', id: 'ASC' },
      }),
    );
    const seen: SeenReceipt[] = [];
    // Of two that are alike each is one of those in the list.
    const found = new Set<string>();
    for (const receipt of open) {
      const look =
        receipt.serviceId === null
          ? await this.#lookUp(payment, receipt, found, end, lease)
          : { object: await this.#get(receipt.storeId, receipt.serviceId, end, lease), attempts: null };
      if (look?.object) found.add(look.object.id);
      if (look) seen.push({ receiptId: receipt.id, ...look });
    }
    return seen;
  }

  async #get(storeId: string, id: string, end: AbortSignal, lease: PaymentLease): Promise<ServiceReceipt> {
    await lease.request();
    return parseServiceReceipt(await this.api.fetchReceipt(id, this.stores.callOnce(storeId, end)));
  }

  /** One whose answer was lost and that is sent no more: the service lists it, or has never received it. */
  async #lookUp(
    payment: PaymentsPaymentEntity,
    receipt: PaymentsReceiptEntity,
    found: ReadonlySet<string>,
    end: AbortSignal,
    lease: PaymentLease,
  ): Promise<Omit<SeenReceipt, 'receiptId'> | null> {
    const now = await this.database.businessTime();
    const [operation, bound, refund] = await this.database.read(async (from) => [
      await from.findOneByOrFail(PaymentsOperationEntity, { receiptId: receipt.id }),
      await from.findBy(PaymentsReceiptEntity, { paymentId: payment.id }),
      receipt.refundId === null
        ? null
        : await from.findOneByOrFail(PaymentsRefundEntity, { id: receipt.refundId }),
    ]);
    if (
      operation.settledAt !== null ||
      !isOnlyLookedUp(operation, now, this.attempts.keyUsedForMs(operation)) ||
      !(await this.attempts.isOver(operation))
    )
      return null;
    const filter = refund?.serviceId
      ? { refund_id: refund.serviceId }
      : { payment_id: payment.serviceId ?? '' };
    const known = new Set([...found, ...bound.map(({ serviceId }) => serviceId)]);
    const mine: ServiceReceipt[] = [];
    const list = this.api.listReceipts(filter, this.stores.callOnce(receipt.storeId, end));
    for await (const item of itemsUnder(lease, list)) {
      const object = parseServiceReceipt(item);
      if (!known.has(object.id) && isLike(receipt, operation.body, object)) mine.push(object);
    }
    return { object: mine.at(-1) ?? null, attempts: operation.attempts };
  }
}

/** The service keeps no mark of ours on a receipt, so it is known by what it says. */
function isLike(
  { type, amountMinor, refundId }: PaymentsReceiptEntity,
  body: string,
  object: ServiceReceipt,
): boolean {
  const sent: { settlements: { type: string }[] } = JSON.parse(body);
  return (
    object.type === type &&
    (object.refundId === null) === (refundId === null) &&
    object.settledMinor === amountMinor &&
    object.settlementTypes.join() === sent.settlements.map((settled) => settled.type).join()
  );
}
