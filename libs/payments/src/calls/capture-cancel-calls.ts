import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IsAirline, type AirlineRequest } from '../api/requests/airline.js';
import { parseRequest } from '../api/requests/parse-request.js';
import { mustBeOptions } from '../common/arguments.js';
import type { Amount } from '../common/money.js';
import { OperationRefusedError, PaymentInputError } from '../common/payments.errors.js';
import type { StoreScope } from '../common/store.scope.js';
import { Given } from '../common/validation.js';
import { OperationRecorder } from '../operations/operation-recorder.js';
import { orUnknown } from '../operations/outcome-unknown.js';
import { OwedReceiptRecorder } from '../operations/receipts/owed-receipt-recorder.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { captureAmount } from '../payment/capture-amount.js';
import { checkExtra, IsExtra } from '../payment/inputs/extra.js';
import { PaymentReader } from '../payment/payment.reader.js';
import { checkPartReceipt, fiscalizationOf, mustTakeReceipts } from '../receipts/fiscalization.js';
import { IsReceipt, type ReceiptInput } from '../receipts/receipt.input.js';
import type { PaymentEntity } from '../schema/payment.entity.js';
import { paidWith } from '../views/paid-with.js';
import { paymentView, type Payment } from '../views/payment.view.js';
import { Shutdown } from '../work/shutdown.js';
import { OperationCalls, reasonOf, type Settled } from './operation-calls.js';

/** What a capture may say besides its amount. */
class CaptureExtrasShape {
  @Given()
  @IsAirline()
  readonly airline?: AirlineRequest;

  @Given()
  @IsReceipt()
  readonly receipt?: ReceiptInput;

  @Given()
  @IsExtra()
  readonly extra?: Readonly<Record<string, unknown>>;
}

type FinishOptions = StoreScope & {
  amount?: Amount;
  airline?: AirlineRequest;
  receipt?: ReceiptInput;
  extra?: Readonly<Record<string, unknown>>;
  manager?: EntityManager;
};

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
    return this.shutdown.waitFor(this.#finish(paymentId, kind, options));
  }

  async #finish(paymentId: string, kind: 'capture' | 'cancel', options: FinishOptions): Promise<Payment> {
    mustBeOptions(options);
    const { amount, airline: given, receipt: asked, extra: added, ...how } = options;
    const extras = parseRequest(CaptureExtrasShape, { airline: given, receipt: asked, extra: added });
    const { airline = null, receipt = null, extra = {} } = extras;
    const { profile } = this.options;
    mustTakeReceipts(receipt, profile);
    checkExtra(extra, 'capture');
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
          extras: { airline, receipt: receiptsAfter ? null : receipt, extra },
          caller,
        });
        if (receiptsAfter && receipt && isHeld) await this.owed.ofCapture(manager, payment, receipt);
        return recorded;
      },
    );
    if (settled === null) return paymentView(locked.payment, locked.order);
    return this.#outcome(paymentId, kind, settled, how).catch(orUnknown(paymentId, kind));
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

function mustBeByCard({ object }: PaymentEntity): void {
  const { paymentMethod } = paidWith(object);
  if (paymentMethod && paymentMethod.type !== 'bank_card')
    throw new PaymentInputError(
      'airline',
      `is for bank card payments only, and this one is by ${paymentMethod.type}`,
    );
}
