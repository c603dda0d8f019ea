import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { mustBeOptions } from '../common/arguments.js';
import { isRecord } from '../common/is-record.js';
import { OperationRefusedError, RecoveryInProgressError } from '../common/payments.errors.js';
import { scopeOf, type StoreScope } from '../common/store.scope.js';
import { Database } from '../database/database.js';
import { Recorder } from '../operations/recorder.js';
import { decideRefundRequest } from '../operations/refunds/decide-refund-request.js';
import type { RequestTerms } from '../operations/request-terms.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { Draft } from '../payment/draft.js';
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
    private readonly recorder: Recorder,
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
    const { manager, store: named, ...input } = options;
    const request = parseRefundInput(input, this.options.profile);
    // Asked for anew with each try: it may be given up meanwhile.
    const store = () => this.calls.storeOf(paymentId, 'refund', { manager, ...scopeOf(named) });
    const decide = (before: Draft, terms: RequestTerms) => decideRefundRequest(before, request, terms);
    if (manager !== undefined) {
      const of = await store();
      const record = (within: EntityManager) => this.recorder.recordWithin(within, paymentId, of, decide);
      const { asked } = await this.#atOnce(() => this.database.within(manager, record));
      return refundView(asked.refund);
    }
    const recording = this.gate.pass(async () => this.recorder.record(paymentId, await store(), decide));
    const { recorded, settled } = await this.calls.send(paymentId, 'refund', recording);
    const { id } = recorded.asked.refund;
    return this.calls.onceSent(paymentId, 'refund', () => this.#outcome(id, settled));
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
