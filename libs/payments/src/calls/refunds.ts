import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { mustBeName } from '../common/arguments.js';
import { isRecord } from '../common/is-record.js';
import { Database } from '../database/database.js';
import { isUuid } from '../common/uuid.js';
import { OperationCalls } from './operation-calls.js';
import { OperationEntity } from '../schema/operation.entity.js';
import { StoreRules } from '../stores/store-rules.js';
import { lockPayment, withPayment } from '../payment/locks.js';
import { PaymentEntity } from '../schema/payment.entity.js';
import { PaymentReader } from '../payment/payment.reader.js';
import { OperationRefusedError, PaymentNotFoundError } from '../common/payments.errors.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { StoreRegistry } from '../stores/store.registry.js';
import type { StoreScope } from '../common/store.scope.js';
import { RefundRecorder } from '../operations/refund-recorder.js';
import { RefundEntity } from '../schema/refund.entity.js';
import { parseRefundInput, type RefundInput } from '../payment/refund.input.js';
import { refundView, type Refund } from '../views/refund.view.js';

/** Gives money back. Every refund may be asked for twice, at once, or again after a crash. */
@Injectable()
export class Refunds {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly rules: StoreRules,
    private readonly reader: PaymentReader,
    private readonly recorder: RefundRecorder,
    private readonly calls: OperationCalls,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** As {@link PaymentsService.refund} says. */
  async make(
    paymentId: string,
    input: RefundInput,
    { manager, ...scope }: StoreScope & { manager?: EntityManager | undefined },
  ): Promise<Refund> {
    mustBeName('paymentId', paymentId);
    const request = parseRefundInput(input, this.options.profile);
    const store = await this.stores.find(scope);
    this.rules.checkAct(store, 'refund', { recorded: manager !== undefined });
    if (!isUuid(paymentId)) throw new PaymentNotFoundError(paymentId);
    if (manager !== undefined)
      return this.database.within(manager, async (transaction) => {
        const locked = await lockPayment(transaction, this.database, paymentId, store.id);
        const { refund } = await this.recorder.record(transaction, locked, request, null);
        return refundView(refund);
      });
    const of = { id: paymentId, storeId: store.id };
    const { id, operationId, begun } = await withPayment(this.database, of, async (transaction, locked) => {
      const recorded = await this.recorder.record(transaction, locked, request, store);
      return {
        id: recorded.refund.id,
        operationId: recorded.operationId,
        begun: await this.calls.begin(transaction, recorded),
      };
    });
    const settled = await this.calls.settle(paymentId, operationId, 'refund', { begun });
    const { refund = refundView(await this.#get(id)) } = settled;
    if (refund.status === 'rejected') throw await this.#refused(refund, settled.error);
    return refund;
  }

  /** Oldest first. */
  async list(paymentId: string, scope: StoreScope): Promise<Refund[]> {
    await this.reader.find(paymentId, scope);
    const refunds = await this.database.read((from) =>
      from.find(RefundEntity, {
        where: { paymentId },
        order: { createdAt: 'ASC', id: 'ASC' },
      }),
    );
    return refunds.map(refundView);
  }

  #get(id: string): Promise<RefundEntity> {
    return this.database.read((from) => from.findOneByOrFail(RefundEntity, { id }));
  }

  async #refused({ id, paymentId }: Refund, cause: unknown): Promise<OperationRefusedError> {
    // More may have been given back than we know of: find out, so that the caller learns the true state.
    await this.calls.reread(paymentId).catch(() => undefined);
    const [{ lastError }, { status }] = await this.database.read(
      async (from) =>
        [
          await from.findOneByOrFail(OperationEntity, { refundId: id }),
          await from.findOneByOrFail(PaymentEntity, { id: paymentId }),
        ] as const,
    );
    const said = isRecord(lastError) ? lastError['description'] : undefined;
    const reason = typeof said === 'string' ? said : "see the payment's timeline";
    const advice = `${reason}. To try again once that is mended, pass another refundKey.`;
    return new OperationRefusedError(paymentId, 'refund', status, advice, { cause });
  }
}
