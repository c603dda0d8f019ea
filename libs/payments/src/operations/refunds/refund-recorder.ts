import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '../../api/limits.js';
import { RecoveryInProgressError, RefundKeyReusedError } from '../../common/payments.errors.js';
import { Database } from '../../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { Ledger } from '../../payment/ledger.js';
import type { LockedPayment } from '../../payment/locks.js';
import { rulesOf } from '../../payment/paid-by.js';
import {
  decideRefund,
  type RefundRequest,
  digestOfAsked,
  refundSums,
} from '../../payment/refunds/decide-refund.js';
import { refundMark } from '../../payment/refunds/refund-mark.js';
import { openRefund, updateRefundSums } from '../../payment/refunds/refund-status-writer.js';
import { checkPartReceipt, fiscalizationOf } from '../../receipts/fiscalization.js';
import { mustBeLeft } from '../../receipts/goods-left.js';
import { receiptTotalMinor } from '../../receipts/receipt-sums.js';
import type { ReceiptInput } from '../../receipts/receipt.input.js';
import { RecoveryGate } from '../../rollback/recovery-gate.js';
import { PaymentsOperationEntity } from '../../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import type { PaymentsStoreEntity } from '../../schema/store.entity.js';
import { OperationRecorder, type NewOperation, type Recorded } from '../operation-recorder.js';
import { namedGoods } from '../receipts/named-goods.js';
import { OwedReceiptRecorder } from '../receipts/owed-receipt-recorder.js';
import { hasSameExtra, refundBody, sumOf } from '../request-body.js';
import { receiptOfLines, receiptOfSum } from './refund-receipt.js';
import { refusalOfRefund } from './refund-refusal.js';

interface RecordedRefund extends Recorded {
  readonly refund: PaymentsRefundEntity;
}

/** Records refunds: the row, its operation and the money it reserves, before any request is sent (G1, G13). */
@Injectable()
export class RefundRecorder {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly recorder: OperationRecorder,
    private readonly owed: OwedReceiptRecorder,
    private readonly gate: RecoveryGate,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Records a refund of a locked payment, or finds the one its key names.
   * @throws RefundKeyReusedError
   * @throws PaymentNotRefundableError
   * @throws RefundWindowClosedError
   * @throws PaymentWhollyRefundedError
   * @throws RefundAmountExceededError
   * @throws RecoveryInProgressError
   * @throws PaymentInputError if the receipt of a part is missing, does not add up, or gives goods back twice, or in a transaction of the
   *   host that is not READ COMMITTED
   */
  async record(
    manager: EntityManager,
    locked: LockedPayment,
    request: RefundRequest,
    { store, caller }: { readonly store: PaymentsStoreEntity; readonly caller: PaymentsStoreEntity | null },
  ): Promise<RecordedRefund> {
    const { payment } = locked;
    const known = await manager.findBy(PaymentsRefundEntity, { paymentId: payment.id });
    const now = await this.database.businessTime(manager);
    const rules = rulesOf(this.options.profile, payment);
    const { intentKey, status, capturedMinor, createdAt } = payment;
    const ageMs = now.getTime() - createdAt.getTime();
    const windowMs = rules ? rules.refundWindowMs : limits.refundWindowMs.value;
    const ofLines = await this.#ofLines(manager, payment, known, request);
    const asked = await this.#asMade(manager, known, request, ofLines);
    const decision = decideRefund({ intentKey, status, capturedMinor, windowMs, ageMs }, known, asked);
    if (decision.kind === 'same') {
      const { refund } = decision;
      const { id: operationId, body } = await this.#operationOf(manager, refund);
      if (!hasSameExtra(body, request.extra)) throw new RefundKeyReusedError(payment.id, request.refundKey);
      return { refund, operationId, claim: null };
    }
    // Before anything is written: a host that catches the error in its own transaction commits what is there. What would refuse it may be
    // out of date too.
    if (decision.kind !== 'key-reused' && !(await this.gate.letsIn(manager, store.id)))
      throw new RecoveryInProgressError(locked.order.reference);
    if (decision.kind !== 'open') throw refusalOfRefund(payment, request, decision, rules?.title ?? null);
    const { amountMinor } = decision;
    const { receiptsAfter } = payment;
    const hasReceipt = payment.receiptStatus !== null || this.owed.has(payment);
    const isMade = request.receiptOf !== null || (request.amountMinor === null && hasReceipt);
    // Of the whole payment the service has it, or the module repeats it.
    const isRepeated = amountMinor === capturedMinor && !(receiptsAfter && request.receiptOf);
    const needsGoods = request.receipt !== null || (isMade && !isRepeated);
    const goods = needsGoods ? await namedGoods(manager, payment, known) : null;
    const made = goods && isMade ? (ofLines ?? receiptOfSum(request, amountMinor, payment, goods)) : null;
    const receipt = request.receipt ?? made;
    checkPartReceipt(
      { receipt, amountMinor, receiptsAfter },
      { wholeMinor: capturedMinor, hasReceipt, mayRepeat: receiptsAfter },
      fiscalizationOf(store, this.options.fiscalization),
    );
    if (receipt !== null && goods !== null) mustBeLeft(receipt, goods);
    const sent = receiptsAfter ? null : receipt;
    const isOwed = receiptsAfter && (receipt !== null || amountMinor === capturedMinor);
    // Before anything is written too.
    const owed = isOwed ? await this.owed.saidOfRefund(manager, payment, receipt) : null;
    const { refund, operation } = await this.#open(manager, locked, request, { amountMinor, receipt: sent });
    if (owed !== null) await this.owed.ofRefund(manager, payment, refund, owed);
    await updateRefundSums(manager, this.ledger, locked, [...known, refund], 'refund');
    return { refund, ...(await this.recorder.insert(manager, locked, operation, caller)) };
  }

  /** The receipt of the lines that a new refund names; null: it names none, or there is nothing to be given back. */
  async #ofLines(
    manager: EntityManager,
    payment: PaymentsPaymentEntity,
    known: readonly PaymentsRefundEntity[],
    request: RefundRequest,
  ): Promise<ReceiptInput | null> {
    const { refundedMinor, inFlightMinor } = refundSums(known);
    const isOver = payment.capturedMinor <= refundedMinor + inFlightMinor;
    const isNew = known.every(({ refundKey }) => refundKey !== request.refundKey);
    if (request.lines === null || isOver || !isNew) return null;
    return receiptOfLines(request, payment, await namedGoods(manager, payment, known));
  }

  /** A repeat names the sum that was requested, in place of which the service may have given back another one. */
  async #asMade(
    manager: EntityManager,
    known: readonly PaymentsRefundEntity[],
    request: RefundRequest,
    ofLines: ReceiptInput | null,
  ): Promise<RefundRequest> {
    if (ofLines !== null) return { ...request, amountMinor: receiptTotalMinor(ofLines) };
    const earlier = known.find(({ refundKey }) => refundKey === request.refundKey);
    if (earlier === undefined || request.amountMinor === null) return request;
    const { body } = await this.#operationOf(manager, earlier);
    return request.amountMinor === sumOf(body) ? { ...request, amountMinor: earlier.amountMinor } : request;
  }

  #operationOf(
    manager: EntityManager,
    { id: refundId }: PaymentsRefundEntity,
  ): Promise<PaymentsOperationEntity> {
    return manager.findOneByOrFail(PaymentsOperationEntity, { refundId });
  }

  async #open(
    manager: EntityManager,
    locked: LockedPayment,
    asked: RefundRequest,
    { amountMinor, receipt }: { readonly amountMinor: number; readonly receipt: ReceiptInput | null },
  ): Promise<{ refund: PaymentsRefundEntity; operation: NewOperation }> {
    const { refundKey, description, metadata, extra } = asked;
    const { payment } = locked;
    const { id: paymentId, serviceId, intentKey } = payment;
    if (serviceId === null) throw new Error(`Payment ${paymentId} succeeded without an id of the service.`);
    const whole = asked.amountMinor === null && asked.lines === null;
    const receiptDigest = digestOfAsked(asked, intentKey);
    const refund = await openRefund(
      manager,
      this.database,
      payment,
      {
        refundKey,
        status: 'submitting',
        amountMinor,
        whole,
        description,
        receiptDigest,
        metadata,
      },
      { cause: 'refund', evidence: {} },
    );
    const { id: refundId } = refund;
    const { currency } = payment;
    const { profile } = this.options;
    const request = refundBody({
      serviceId,
      amountMinor,
      currency,
      description,
      metadata,
      receipt,
      extra,
      mark: refundMark(payment, { refundKey, whole, receiptDigest }),
      profile,
    });
    return { refund, operation: { refundId, kind: 'refund', request } };
  }
}
