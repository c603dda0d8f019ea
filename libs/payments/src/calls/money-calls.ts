import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { mustBeOptions } from '../common/arguments.js';
import { isRecord } from '../common/is-record.js';
import type { Amount } from '../common/money.js';
import { OperationRefusedError, RecoveryInProgressError } from '../common/payments.errors.js';
import { scopeOf, type StoreScope } from '../common/store.scope.js';
import { Database } from '../database/database.js';
import { decideFinish, type FinishRequest } from '../operations/decide-finish.js';
import { Recorder } from '../operations/recorder.js';
import { decideRefundRequest } from '../operations/refunds/decide-refund-request.js';
import type { RequestTerms } from '../operations/request-terms.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { Draft } from '../payment/draft.js';
import { parseCaptureExtras, type CaptureExtrasInput } from '../payment/inputs/capture.input.js';
import { PaymentReader } from '../payment/payment.reader.js';
import { parseRefundInput, type RefundInput } from '../payment/refunds/refund.input.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { paymentView, type Payment } from '../views/payment.view.js';
import { refundView, type Refund } from '../views/refund.view.js';
import { HostCalls } from './host-calls.js';
import { OperationCalls, reasonOf, type Settled } from './operation-calls.js';

type FinishOptions = StoreScope & CaptureExtrasInput & { amount?: Amount; manager?: EntityManager };

type RefundOptions = RefundInput & StoreScope & { readonly manager?: EntityManager };

/** Captures, cancels and refunds: recorded before they are sent, and sent until their outcome is known. */
@Injectable()
export class MoneyCalls {
  constructor(
    private readonly database: Database,
    private readonly reader: PaymentReader,
    private readonly recorder: Recorder,
    private readonly calls: OperationCalls,
    private readonly host: HostCalls,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** As {@link PaymentsService.capture} and {@link PaymentsService.cancel} say. */
  finish(paymentId: string, kind: 'capture' | 'cancel', options: FinishOptions): Promise<Payment> {
    return this.host.asSpan(kind, () => this.#finish(paymentId, kind, options));
  }

  async #finish(paymentId: string, kind: 'capture' | 'cancel', options: FinishOptions): Promise<Payment> {
    mustBeOptions(options);
    const { amount, airline, receipt, extra, keepsDue, manager, ...scope } = options;
    const extras = parseCaptureExtras({ airline, receipt, extra, keepsDue }, this.options.profile);
    const request: FinishRequest = kind === 'cancel' ? { kind } : { kind, amount, ...extras };
    const store = await this.host.storeOf(paymentId, kind, { manager, ...scope });
    const decide = (before: Draft, terms: RequestTerms) => decideFinish(before, request, terms);
    if (manager !== undefined) {
      const record = (within: EntityManager) => this.recorder.recordWithin(within, paymentId, store, decide);
      const { payment, order } = await this.database.within(manager, record);
      return paymentView(payment, order);
    }
    const recording = this.recorder.record(paymentId, store, decide);
    const { settled } = await this.calls.send(paymentId, kind, recording);
    return this.calls.onceSent(paymentId, kind, () => this.#finished(paymentId, kind, settled, scope));
  }

  async #finished(
    paymentId: string,
    kind: 'capture' | 'cancel',
    { outcome, error, payment }: Settled,
    scope: StoreScope,
  ): Promise<Payment> {
    if (outcome === 'confirmed') return payment ?? this.reader.get(paymentId, scope);
    // Whatever the reason of the refusal: re-read, so that the caller learns the true state.
    await this.calls.reread(paymentId).catch(() => undefined);
    const { status } = await this.reader.get(paymentId, scope);
    throw new OperationRefusedError(paymentId, kind, status, reasonOf(error), { cause: error });
  }

  /** As {@link PaymentsService.refund} says. */
  refund(paymentId: string, options: RefundOptions): Promise<Refund> {
    return this.host.asSpan('refund', () => this.#refund(paymentId, options));
  }

  async #refund(paymentId: string, options: RefundOptions): Promise<Refund> {
    mustBeOptions(options);
    const { manager, store: named, ...input } = options;
    const request = parseRefundInput(input, this.options.profile);
    // Asked for anew with each try: it may be given up meanwhile.
    const store = () => this.host.storeOf(paymentId, 'refund', { manager, ...scopeOf(named) });
    const decide = (before: Draft, terms: RequestTerms) => decideRefundRequest(before, request, terms);
    if (manager !== undefined) {
      const of = await store();
      const record = (within: EntityManager) => this.recorder.recordWithin(within, paymentId, of, decide);
      const { asked } = await this.#atOnce(() => this.database.within(manager, record));
      return refundView(asked.refund);
    }
    const recording = this.host.pass(async () => this.recorder.record(paymentId, await store(), decide));
    const { recorded, settled } = await this.calls.send(paymentId, 'refund', recording);
    const { id } = recorded.asked.refund;
    return this.calls.onceSent(paymentId, 'refund', () => this.#refunded(id, settled));
  }

  /** In the host's transaction nothing is waited for: it may hold the only connection. */
  async #atOnce<T>(record: () => Promise<T>): Promise<T> {
    try {
      return await record();
    } catch (error) {
      if (error instanceof RecoveryInProgressError) this.host.lookAhead();
      throw error;
    }
  }

  async #refunded(refundId: string, { refund: known, error }: Settled): Promise<Refund> {
    const refund = known ?? (await this.#refundView(refundId));
    if (refund.status === 'rejected') throw await this.#refused(refund, error);
    return refund;
  }

  async #refundView(id: string): Promise<Refund> {
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
