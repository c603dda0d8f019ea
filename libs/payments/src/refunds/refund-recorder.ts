import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '../api/limits.js';
import { Database } from '../database/database.js';
import { OperationEntity } from '../operations/operation.entity.js';
import { OperationRecorder, type SentBy } from '../operations/operation-recorder.js';
import { refundBody } from '../operations/request-body.js';
import { want } from '../payment/due.js';
import type { LockedPayment } from '../payment/locks.js';
import type { PaymentEntity } from '../payment/payment.entity.js';
import {
  PaymentNotRefundableError,
  PaymentWhollyRefundedError,
  RefundAmountExceededError,
  RefundKeyReusedError,
  RefundWindowClosedError,
} from '../payments.errors.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { decideRefund, type RefundDecision, type RefundRequest } from './decide-refund.js';
import { RefundEntity } from './refund.entity.js';
import { openRefund, updateRefundSums } from './refund-transition.js';

export interface RecordedRefund {
  readonly refund: RefundEntity;
  readonly operationId: string;
}

/** Records refunds: the row, its operation and the money it reserves, before any request leaves (G1, G13). */
@Injectable()
export class RefundRecorder {
  constructor(
    private readonly database: Database,
    private readonly recorder: OperationRecorder,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Records a refund of a locked payment, or finds the one its key names.
   * @throws RefundKeyReusedError
   * @throws PaymentNotRefundableError
   * @throws RefundWindowClosedError
   * @throws PaymentWhollyRefundedError
   * @throws RefundAmountExceededError
   */
  async record(
    manager: EntityManager,
    locked: LockedPayment,
    request: RefundRequest,
    sentBy: SentBy,
  ): Promise<RecordedRefund> {
    const { payment } = locked;
    const known = await manager.findBy(RefundEntity, { paymentId: payment.id });
    const now = await this.database.businessTime(manager);
    const tooOld = now.getTime() - payment.createdAt.getTime() > limits.refundWindowMs.value;
    const { status, capturedMinor } = payment;
    const decision = decideRefund({ status, capturedMinor, tooOld }, known, request);
    if (decision.kind === 'same') {
      const refund = await manager.findOneByOrFail(RefundEntity, { id: decision.refundId });
      const { id: operationId } = await manager.findOneByOrFail(OperationEntity, { refundId: refund.id });
      return { refund, operationId };
    }
    if (decision.kind !== 'open') throw refusal(payment, request, decision);
    return this.#open(manager, locked, request, decision.amountMinor, sentBy);
  }

  async #open(
    manager: EntityManager,
    locked: LockedPayment,
    { refundKey, amountMinor: asked, description, metadata }: RefundRequest,
    amountMinor: number,
    sentBy: SentBy,
  ): Promise<RecordedRefund> {
    const { payment } = locked;
    const { id: paymentId, storeId, serviceId } = payment;
    if (serviceId === null) throw new Error(`Payment ${paymentId} succeeded without an id of the service.`);
    const whole = asked === null;
    const refundId = await openRefund(
      manager,
      this.database,
      payment,
      { refundKey, status: 'submitting', amountMinor, whole, description, metadata },
      { cause: 'refund', evidence: {} },
    );
    const refund = await manager.findOneByOrFail(RefundEntity, { id: refundId });
    await updateRefundSums(manager, this.database, locked, 'refund');
    await want(manager, this.database, payment, this.recorder.due(sentBy), { afresh: true });
    const operationId = await this.recorder.insert(manager, {
      storeId,
      paymentId,
      refundId,
      kind: 'refund',
      body: refundBody({
        serviceId,
        amountMinor,
        currency: payment.currency,
        description,
        metadata,
        refundId,
        profile: this.options.profile,
      }),
    });
    return { refund, operationId };
  }
}

function refusal(
  { id, capturedMinor }: PaymentEntity,
  { refundKey, amountMinor }: RefundRequest,
  decision: Exclude<RefundDecision, { kind: 'open' | 'same' }>,
): Error {
  if (decision.kind === 'key-reused') return new RefundKeyReusedError(id, refundKey);
  if (decision.kind === 'not-refundable') return new PaymentNotRefundableError(id, decision.status);
  if (decision.kind === 'too-old') return new RefundWindowClosedError(id);
  if (decision.kind === 'wholly-refunded') return new PaymentWhollyRefundedError(id);
  const { refundedMinor, inFlightMinor } = decision;
  return new RefundAmountExceededError(id, { amountMinor, capturedMinor, refundedMinor, inFlightMinor });
}
