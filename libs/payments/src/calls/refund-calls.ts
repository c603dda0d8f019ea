import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { mustBeOptions } from '../common/arguments.js';
import { isRecord } from '../common/is-record.js';
import { OperationRefusedError, RecoveryInProgressError } from '../common/payments.errors.js';
import { scopeOf, type StoreScope } from '../common/store.scope.js';
import { Database } from '../database/database.js';
import { RefundRecorder } from '../operations/refunds/refund-recorder.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { parseRefundInput, type RefundInput } from '../payment/refunds/refund.input.js';
import { RecoveryGate } from '../rollback/recovery-gate.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { refundView, type Refund } from '../views/refund.view.js';
import { Shutdown } from '../work/shutdown.js';
import { OperationCalls, type Settled } from './operation-calls.js';

type RefundOptions = RefundInput & StoreScope & { readonly manager?: EntityManager };

/** What a caller of refund waits for: money refunded, or on its way. */
@Injectable()
export class RefundCalls {
  constructor(
    private readonly database: Database,
    private readonly recorder: RefundRecorder,
    private readonly calls: OperationCalls,
    private readonly gate: RecoveryGate,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** As {@link PaymentsService.refund} says. */
  refund(paymentId: string, options: RefundOptions): Promise<Refund> {
    return this.shutdown.waitFor(this.calls.asSpan('refund', () => this.#refund(paymentId, options)));
  }

  async #refund(paymentId: string, options: RefundOptions): Promise<Refund> {
    mustBeOptions(options);
    const { manager: given, store, ...input } = options;
    const how = { manager: given, ...scopeOf(store) };
    const request = parseRefundInput(input, this.options.profile);
    const record = () =>
      this.calls.act(paymentId, 'refund', how, (manager, locked, by) =>
        this.recorder.record(manager, locked, request, by),
      );
    const { recorded, settled } = await (given === undefined ? this.gate.pass(record) : this.#atOnce(record));
    if (settled === null) return refundView(recorded.refund);
    return this.calls.onceSent(paymentId, 'refund', () => this.#outcome(recorded.refund.id, settled));
  }

  /** In the host's transaction nothing is waited for: it may hold the only connection. */
  async #atOnce<T>(record: () => Promise<T>): Promise<T> {
    try {
      return await record();
    } catch (error) {
      // Not awaited, so that it goes on once that transaction is over. If it fails, the next call looks.
      if (error instanceof RecoveryInProgressError)
        void this.shutdown.waitFor(this.gate.look()).catch(() => undefined);
      throw error;
    }
  }

  async #outcome(refundId: string, { refund: known, error }: Settled): Promise<Refund> {
    const refund = known ?? (await this.#get(refundId));
    if (refund.status === 'rejected') throw await this.#refused(refund, error);
    return refund;
  }

  async #get(id: string): Promise<Refund> {
    return refundView(await this.database.read((from) => from.findOneByOrFail(PaymentsRefundEntity, { id })));
  }

  async #refused({ id, paymentId }: Refund, cause: unknown): Promise<OperationRefusedError> {
    // More may have been refunded than we know of: find out, so that the caller learns the true state.
    await this.calls.reread(paymentId).catch(() => undefined);
    const [{ lastError }, { status }] = await this.database.read(
      async (from) =>
        [
          await from.findOneByOrFail(PaymentsOperationEntity, { refundId: id }),
          await from.findOneByOrFail(PaymentsPaymentEntity, { id: paymentId }),
        ] as const,
    );
    const said = isRecord(lastError) ? lastError['description'] : undefined;
    const reason = typeof said === 'string' ? said : "see the payment's timeline";
    const advice = `${reason}. To try again once that is fixed, pass another refundKey.`;
    return new OperationRefusedError(paymentId, 'refund', status, advice, { cause });
  }
}
