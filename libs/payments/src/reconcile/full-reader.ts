import { Injectable, Inject } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { PaymentsApi } from '../api/payments-api.js';
import { parseServicePayment, type ServicePayment } from '../api/service-payment.js';
import { parseServiceReceipt, type ServiceReceipt } from '../api/service-receipt.js';
import { parseServiceRefund } from '../api/service-refund.js';
import type { SeenReceipt } from '../apply/receipts/apply-receipts.js';
import {
  listedRefund,
  type ListedRefunds,
  type SeenRefund,
  type SentRefund,
} from '../apply/refunds/judge-refunds.js';
import { Database } from '../database/database.js';
import { AttemptWatch } from '../operations/attempt-watch.js';
import { isOnlyLookedUp } from '../operations/key-age.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { openRefunds } from '../payment/refunds/open-refunds.js';
import { openReceiptStatuses } from '../receipts/own-receipt.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsReceiptEntity } from '../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { ConfirmationSeal } from '../stores/confirmation-seal.js';
import { StoreRegistry } from '../stores/store.registry.js';
import type { Claim, Look } from './claim.js';
import { chooseHold } from './hold-policies.js';
import type { HoldChoice } from './keep-hold.js';
import { itemsUnder, type PaymentLease } from './payment-lease.js';
import { absentFrom } from './refunds/absent-refunds.js';

/** What a re-read has to find out besides the payment's own object. */
interface Rest {
  readonly refunds: ListedRefunds;
  readonly receipts: readonly SeenReceipt[];
  readonly hold: HoldChoice | null;
}

/** Reads at the service what a re-read needs: the payment's object, its refunds, its own receipts; and asks what is to become of a hold. */
@Injectable()
export class FullReader {
  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly seal: ConfirmationSeal,
    private readonly attempts: AttemptWatch,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** The payment's own object. */
  async object({ claim, lease, end: signal }: Look, serviceId: string): Promise<ServicePayment> {
    await lease.request();
    const options = this.stores.callOnce(claim.payment.storeId, signal);
    const object = parseServicePayment(await this.api.fetchPayment(serviceId, options));
    return this.seal.sealed(claim.payment, object);
  }

  /** What is not in that object. */
  async read(payment: PaymentsPaymentEntity, object: ServicePayment, look: Look): Promise<Rest> {
    const { lease, end, claim } = look;
    const refunds = await this.#refundsOf(payment, claim.due.refundSignals, object, end, lease);
    const receipts = await this.#receiptsOf(payment, end, lease);
    const hold = await chooseHold(
      this.database,
      this.stores,
      this.seal,
      this.options,
      payment,
      object,
      lease,
    );
    return { refunds, receipts, hold };
  }

  /** As it is now. */
  payment({ paymentId }: Claim): Promise<PaymentsPaymentEntity> {
    return this.database.read((from) => from.findOneByOrFail(PaymentsPaymentEntity, { id: paymentId }));
  }

  /**
   * `signals`: how many request the list. `object`: the payment as just re-read; the list is fetched after it, so it contains
   * whatever that counted.
   */
  async #refundsOf(
    payment: PaymentsPaymentEntity,
    signals: number,
    object: ServicePayment,
    end: AbortSignal,
    lease: PaymentLease,
  ): Promise<ListedRefunds> {
    const unlisted = { signals: 0, listed: null, lost: [] };
    if (object.status !== 'succeeded') return unlisted;
    const open = await this.database.read((from) =>
      from.findBy(PaymentsRefundEntity, openRefunds(payment.id)),
    );
    const unsure = await this.#unsureOf(open);
    const asked =
      object.refundedMinor !== payment.refundedMinor ||
      signals > 0 ||
      open.some(({ status, receiptStatus }) => status === 'pending' || receiptStatus === 'pending') ||
      unsure.length > 0;
    if (!asked) return unlisted;
    const quiet: SentRefund[] = [];
    for (const operation of unsure) {
      const { refundId, attempts } = operation;
      if (refundId !== null && (await this.attempts.isOver(operation))) quiet.push({ refundId, attempts });
    }
    const listed = await this.#listRefunds(payment, object.id, end, lease);
    return { signals, listed, lost: absentFrom(listed, object, quiet) };
  }

  /** Requests of unknown outcome that are not sent again. */
  async #unsureOf(refunds: readonly PaymentsRefundEntity[]): Promise<PaymentsOperationEntity[]> {
    if (refunds.length === 0) return [];
    const now = await this.database.businessTime();
    const refundId = In(refunds.map(({ id }) => id));
    const live = await this.database.read((from) =>
      from.findBy(PaymentsOperationEntity, { refundId, settledAt: IsNull() }),
    );
    return live.filter((operation) => isOnlyLookedUp(operation, now, this.attempts.keyUsedForMs(operation)));
  }

  async #listRefunds(
    payment: PaymentsPaymentEntity,
    paymentServiceId: string,
    signal: AbortSignal,
    lease: PaymentLease,
  ): Promise<SeenRefund[]> {
    const { profile } = this.options;
    // A list that changes while its pages are read shows some twice: what was read last is the newer.
    const listed = new Map<string, SeenRefund>();
    const options = this.stores.callOnce(payment.storeId, signal);
    const list = this.api.listRefunds({ payment_id: paymentServiceId }, options);
    for await (const answer of itemsUnder(lease, list)) {
      const object = parseServiceRefund(answer);
      listed.set(object.id, listedRefund(payment, object, profile));
    }
    return [...listed.values()].toReversed();
  }

  async #receiptsOf(
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
          : { object: await this.#receipt(receipt.storeId, receipt.serviceId, end, lease), attempts: null };
      if (look?.object) found.add(look.object.id);
      if (look) seen.push({ receiptId: receipt.id, ...look });
    }
    return seen;
  }

  async #receipt(
    storeId: string,
    id: string,
    end: AbortSignal,
    lease: PaymentLease,
  ): Promise<ServiceReceipt> {
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
