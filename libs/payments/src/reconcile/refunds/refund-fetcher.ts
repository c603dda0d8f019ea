import { Inject, Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { PaymentsApi } from '../../api/payments-api.js';
import type { ServicePayment } from '../../api/service-payment.js';
import { parseServiceRefund } from '../../api/service-refund.js';
import {
  listedRefund,
  type ListedRefunds,
  type SeenRefund,
  type SentRefund,
} from '../../apply/refunds/judge-refunds.js';
import { Database } from '../../database/database.js';
import { AttemptWatch } from '../../operations/attempt-watch.js';
import { isOnlyLookedUp } from '../../operations/key-age.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { openRefunds } from '../../payment/refunds/open-refunds.js';
import { PaymentsOperationEntity } from '../../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import { StoreRegistry } from '../../stores/store.registry.js';
import { itemsUnder, type PaymentLease } from '../payment-lease.js';
import { absentFrom } from './absent-refunds.js';

/** Fetches the list of a payment's refunds if there may be more to know than our rows say. */
@Injectable()
export class RefundFetcher {
  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly attempts: AttemptWatch,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * `signals`: how many request the list. `object`: the payment as just re-read; the list is fetched after it, so it contains
   * whatever that counted.
   */
  async fetch(
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
    const unsure = await this.#unsure(open);
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
    const listed = await this.#list(payment, object.id, end, lease);
    return { signals, listed, lost: absentFrom(listed, object, quiet) };
  }

  /** Requests of unknown outcome that are not sent again. */
  async #unsure(refunds: readonly PaymentsRefundEntity[]): Promise<PaymentsOperationEntity[]> {
    if (refunds.length === 0) return [];
    const now = await this.database.businessTime();
    const refundId = In(refunds.map(({ id }) => id));
    const live = await this.database.read((from) =>
      from.findBy(PaymentsOperationEntity, { refundId, settledAt: IsNull() }),
    );
    return live.filter((operation) => isOnlyLookedUp(operation, now, this.attempts.keyUsedForMs(operation)));
  }

  async #list(
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
}
