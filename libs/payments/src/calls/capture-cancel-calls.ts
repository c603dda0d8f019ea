import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { mustBeOptions } from '../common/arguments.js';
import type { Amount } from '../common/money.js';
import { OperationRefusedError } from '../common/payments.errors.js';
import type { StoreScope } from '../common/store.scope.js';
import { Database } from '../database/database.js';
import { decideFinish, type FinishRequest } from '../operations/decide-finish.js';
import { Recorder } from '../operations/recorder.js';
import type { RequestTerms } from '../operations/request-terms.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { Draft } from '../payment/draft.js';
import { parseCaptureExtras, type CaptureExtrasInput } from '../payment/inputs/capture.input.js';
import { PaymentReader } from '../payment/payment.reader.js';
import { paymentView, type Payment } from '../views/payment.view.js';
import { Shutdown } from '../work/shutdown.js';
import { OperationCalls, reasonOf, type Settled } from './operation-calls.js';

type FinishOptions = StoreScope & CaptureExtrasInput & { amount?: Amount; manager?: EntityManager };

/** What a caller of capture or cancel waits for: a hold that is captured or released. */
@Injectable()
export class CaptureCancelCalls {
  constructor(
    private readonly reader: PaymentReader,
    private readonly database: Database,
    private readonly recorder: Recorder,
    private readonly calls: OperationCalls,
    private readonly shutdown: Shutdown,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** As {@link PaymentsService.capture} and {@link PaymentsService.cancel} say. */
  finish(paymentId: string, kind: 'capture' | 'cancel', options: FinishOptions): Promise<Payment> {
    return this.shutdown.waitFor(this.calls.asSpan(kind, () => this.#finish(paymentId, kind, options)));
  }

  async #finish(paymentId: string, kind: 'capture' | 'cancel', options: FinishOptions): Promise<Payment> {
    mustBeOptions(options);
    const { amount, airline, receipt, extra, keepsDue, manager, ...scope } = options;
    const extras = parseCaptureExtras({ airline, receipt, extra, keepsDue }, this.options.profile);
    const request: FinishRequest = kind === 'cancel' ? { kind } : { kind, amount, ...extras };
    const store = await this.calls.storeOf(paymentId, kind, { manager, ...scope });
    const decide = (before: Draft, terms: RequestTerms) => decideFinish(before, request, terms);
    if (manager !== undefined) {
      const record = (within: EntityManager) => this.recorder.recordWithin(within, paymentId, store, decide);
      const { payment, order } = await this.database.within(manager, record);
      return paymentView(payment, order);
    }
    const recording = this.recorder.record(paymentId, store, decide);
    const { settled } = await this.calls.send(paymentId, kind, recording);
    return this.calls.onceSent(paymentId, kind, () => this.#outcome(paymentId, kind, settled, scope));
  }

  async #outcome(
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
}
