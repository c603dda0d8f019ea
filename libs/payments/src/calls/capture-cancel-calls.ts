import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { mustBeOptions } from '../common/arguments.js';
import type { Amount } from '../common/money.js';
import { OperationRefusedError } from '../common/payments.errors.js';
import type { StoreScope } from '../common/store.scope.js';
import { OperationRecorder } from '../operations/operation-recorder.js';
import { OwedReceiptRecorder } from '../operations/receipts/owed-receipt-recorder.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { captureAmount } from '../payment/capture-amount.js';
import {
  mustBeByCard,
  parseCaptureExtras,
  type CaptureExtrasInput,
} from '../payment/inputs/capture.input.js';
import { PaymentReader } from '../payment/payment.reader.js';
import { checkPartReceipt, fiscalizationOf } from '../receipts/fiscalization.js';
import { paymentView, type Payment } from '../views/payment.view.js';
import { Shutdown } from '../work/shutdown.js';
import { OperationCalls, reasonOf, type Settled } from './operation-calls.js';

type FinishOptions = StoreScope & CaptureExtrasInput & { amount?: Amount; manager?: EntityManager };

/** What a caller of capture or cancel waits for: a hold that is captured or released. */
@Injectable()
export class CaptureCancelCalls {
  constructor(
    private readonly reader: PaymentReader,
    private readonly recorder: OperationRecorder,
    private readonly owed: OwedReceiptRecorder,
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
    const { amount, airline: given, receipt: asked, extra: added, keepsDue: keeps, ...how } = options;
    const { profile } = this.options;
    const extras = parseCaptureExtras(
      { airline: given, receipt: asked, extra: added, keepsDue: keeps },
      profile,
    );
    const { airline, receipt, extra, keepsDue } = extras;
    const { locked, settled } = await this.calls.act(
      paymentId,
      kind,
      how,
      async (manager, held, { store, caller }) => {
        const { payment } = held;
        const { receiptsAfter } = payment;
        const isHeld = payment.status === 'waiting_for_capture';
        const { authorizedMinor: wholeMinor } = payment;
        const amountMinor = amount === undefined ? wholeMinor : captureAmount(payment, amount, profile);
        if (airline) mustBeByCard(payment);
        if (kind === 'capture' && isHeld) {
          const hasReceipt = payment.receiptStatus !== null || this.owed.has(payment);
          const fiscalization = fiscalizationOf(store, this.options.fiscalization);
          checkPartReceipt(
            { receipt, amountMinor, receiptsAfter },
            { wholeMinor, hasReceipt },
            fiscalization,
          );
        }
        const recorded = await this.recorder.recordFinish(manager, held, {
          kind,
          amountMinor,
          keepsDue,
          extras: { airline, receipt: receiptsAfter ? null : receipt, extra },
          caller,
        });
        if (receiptsAfter && receipt && isHeld) await this.owed.ofCapture(manager, payment, receipt);
        return recorded;
      },
    );
    if (settled === null) return paymentView(locked.payment, locked.order);
    return this.calls.onceSent(paymentId, kind, () => this.#outcome(paymentId, kind, settled, how));
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
