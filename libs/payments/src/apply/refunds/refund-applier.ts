import { Inject, Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import type { ServiceRefund } from '../../api/service-refund.js';
import type { Cause } from '../../common/cause.js';
import { RefundNotAcceptableError } from '../../common/payments.errors.js';
import { Database } from '../../database/database.js';
import { recordFound } from '../../operations/found-operation.js';
import { settleOperation } from '../../operations/operation-recorder.js';
import { isKeyReused } from '../../operations/refused-operation.js';
import { foundRefundBody } from '../../operations/request-body.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { Ledger } from '../../payment/ledger.js';
import type { LockedPayment } from '../../payment/locks.js';
import { reportReceipt, closeProblem } from '../../payment/receipts/receipt-status.js';
import {
  acceptSum,
  fieldsOf,
  moveRefund,
  openRefund,
  updateRefundSums,
} from '../../payment/refunds/refund-status-writer.js';
import type { Decided } from '../../payment/status-change.js';
import { PaymentsOperationEntity } from '../../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import { raiseAnomaly } from '../anomaly.js';
import { isReceiptLate } from '../receipts/receipt-news.js';
import {
  judgeRefunds,
  type RefundChange,
  type SeenRefund,
  type ListedRefunds,
  wordsOf,
} from './judge-refunds.js';

/** The evidence of what the list of a payment's refunds has shown. */
export const BY_LIST = { source: 'list' } as const;

/** Applies the service's view of a locked payment's refunds, whether in a list or in the answer to a POST. */
@Injectable()
export class RefundApplier {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Applies a list of all of them, including what an absence proves of a request that can no longer arrive (G3). */
  async applyReading(
    manager: EntityManager,
    locked: LockedPayment,
    { listed, lost }: ListedRefunds,
    cause: Cause,
  ): Promise<void> {
    if (listed === null) return;
    await this.#takeOver(manager, locked, listed);
    const { known } = await this.apply(manager, locked, listed, { cause, evidence: BY_LIST });
    for (const { refundId, attempts } of lost) {
      const refund = known.find(({ id }) => id === refundId);
      const operation = await manager.findOne(PaymentsOperationEntity, {
        where: { refundId },
        lock: { mode: 'for_no_key_update' },
      });
      // Answered meanwhile; or its caller came back and sent it again.
      if (refund?.status !== 'submitting' || operation?.attempts !== attempts) continue;
      const decided = { cause, evidence: { reason: 'never received', attempts } };
      await this.#reject(manager, locked, known, refund, decided);
      await settleOperation(manager, this.database, { refundId, settledAt: IsNull() }, 'refused');
    }
  }

  /**
   * Applies what fits, and reports the rest to the operator. Returns the payment's refunds as they are now, and what did not fit.
   */
  async apply(
    manager: EntityManager,
    locked: LockedPayment,
    seen: readonly SeenRefund[],
    { cause, evidence }: Decided,
  ): Promise<{ known: readonly PaymentsRefundEntity[]; anomalies: readonly string[] }> {
    const { payment } = locked;
    const known = await manager.findBy(PaymentsRefundEntity, { paymentId: payment.id });
    const { changes, anomalies } = judgeRefunds(payment, known, seen);
    const receipts = new Map(known.map(({ id, receiptStatus }) => [id, receiptStatus]));
    for (const change of changes) {
      const { object } = change;
      const decided = {
        cause,
        evidence: { serviceStatus: object.status, serviceId: object.id, ...evidence },
      };
      if (change.kind === 'receipt') {
        const fields = fieldsOf(object);
        await manager.update(PaymentsRefundEntity, change.refund.id, fields);
        Object.assign(change.refund, fields);
      } else if (change.kind === 'open') known.push(await this.#openFound(manager, locked, change, decided));
      else {
        await moveRefund(manager, this.database, change.refund, change.to, fieldsOf(object), decided);
        const sent = { refundId: change.refund.id, settledAt: IsNull() };
        await settleOperation(manager, this.database, sent, 'confirmed');
      }
    }
    if (changes.length > 0) await updateRefundSums(manager, this.ledger, locked, known, cause);
    await this.#reportReceipts(manager, payment, known, receipts, cause);
    for (const reason of anomalies) await raiseAnomaly(manager, this.database, payment, reason, { cause });
    return { known, anomalies };
  }

  /**
   * Books a refund of ours as the service has made it, its sum included, where it contradicts the request: a person has decided so.
   * @throws RefundNotAcceptableError if it does not fit the payment either
   */
  async accept(
    manager: EntityManager,
    locked: LockedPayment,
    refundId: string,
    object: ServiceRefund,
    decided: Decided,
  ): Promise<void> {
    const { payment } = locked;
    const { amountMinor } = object;
    const known = await manager.findBy(PaymentsRefundEntity, { paymentId: payment.id });
    for (const refund of known) if (refund.id === refundId) Object.assign(refund, { amountMinor });
    const seen = { object, ourId: refundId, marked: null };
    const { changes, anomalies } = judgeRefunds(payment, known, [seen]);
    if (!changes.some((change) => change.kind === 'move' && change.refund.id === refundId))
      throw new RefundNotAcceptableError(
        payment.id,
        refundId,
        anomalies[0] ?? `the service has it as ${object.status} still`,
      );
    await acceptSum(manager, this.database, { id: refundId }, amountMinor);
    await this.apply(manager, locked, [seen], decided);
  }

  async #reportReceipts(
    manager: EntityManager,
    payment: PaymentsPaymentEntity,
    refunds: readonly PaymentsRefundEntity[],
    before: ReadonlyMap<string, PaymentsRefundEntity['receiptStatus']>,
    cause: Cause,
  ): Promise<void> {
    if (refunds.every(({ receiptStatus }) => receiptStatus === null)) return;
    const now = await this.database.businessTime(manager);
    for (const refund of refunds.filter(({ receiptStatus }) => receiptStatus !== null)) {
      // What was not given back needs none, whatever the register says.
      if (refund.status === 'canceled') {
        await closeProblem(manager, this.database, { payment, refund }, cause);
        continue;
      }
      const isLate = isReceiptLate(refund, { now, lateMs: this.options.receiptLateMs });
      const registration = {
        before: before.get(refund.id) ?? null,
        after: refund.receiptStatus,
        isLate,
        cause,
      };
      await reportReceipt(manager, this.database, { payment, refund }, registration);
    }
  }

  /** The service refused it for good, or never received it: its money is free again. */
  async reject(
    manager: EntityManager,
    locked: LockedPayment,
    refundId: string,
    decided: Decided,
  ): Promise<void> {
    const known = await manager.findBy(PaymentsRefundEntity, { paymentId: locked.payment.id });
    const refund = known.find(({ id }) => id === refundId);
    if (!refund) throw new Error(`There is no refund ${refundId} of payment ${locked.payment.id}.`);
    await this.#reject(manager, locked, known, refund, decided);
  }

  async #reject(
    manager: EntityManager,
    locked: LockedPayment,
    known: readonly PaymentsRefundEntity[],
    refund: PaymentsRefundEntity,
    decided: Decided,
  ): Promise<void> {
    await moveRefund(manager, this.database, refund, 'rejected', {}, decided);
    await updateRefundSums(manager, this.ledger, locked, known, decided.cause);
  }

  /**
   * What was requested under a key that the service has used for a refund of ours is that refund, forgotten by the database: its sum
   * may be another one, where all that was left was to be given back.
   */
  async #takeOver(
    manager: EntityManager,
    { payment }: LockedPayment,
    listed: readonly SeenRefund[],
  ): Promise<void> {
    const open = await manager.findBy(PaymentsOperationEntity, {
      paymentId: payment.id,
      settledAt: IsNull(),
    });
    const reused = open.filter(isKeyReused).map(({ refundId }) => refundId);
    for (const { object, ourId, marked } of listed)
      if (ourId !== null && marked !== null && reused.includes(ourId))
        await acceptSum(manager, this.database, { id: ourId }, object.amountMinor);
  }

  /** A refund that has no row: made outside the module, or one of ours that the database has forgotten. */
  async #openFound(
    manager: EntityManager,
    { payment }: LockedPayment,
    { status, object, forgotten }: Extract<RefundChange, { kind: 'open' }>,
    { cause, evidence }: Decided,
  ): Promise<PaymentsRefundEntity> {
    const { id: serviceId, amountMinor, createdAt } = object;
    const made = forgotten ?? { refundKey: null, whole: false, receiptDigest: null };
    const words = wordsOf(object, forgotten && this.options.profile.refundMetadataKey);
    const refund = { ...fieldsOf(object), ...made, serviceId, status, amountMinor, ...words };
    const found = { cause: forgotten ? ('recovery' as const) : cause, evidence };
    const opened = await openRefund(manager, this.database, payment, refund, found, createdAt);
    if (forgotten)
      await recordFound(manager, this.database, payment, {
        kind: 'refund',
        refundId: opened.id,
        request: foundRefundBody(object),
      });
    return opened;
  }
}
