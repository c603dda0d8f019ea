import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AirlineRequest } from '../api/requests/airline.js';
import { CapturePaymentRequestShape } from '../api/requests/capture-payment.js';
import { parseRequest } from '../api/requests/parse-request.js';
import { mustBeOptions } from '../common/arguments.js';
import type { Amount } from '../common/money.js';
import { OperationRefusedError, PaymentInputError } from '../common/payments.errors.js';
import type { StoreScope } from '../common/store.scope.js';
import { OperationRecorder } from '../operations/operation-recorder.js';
import { captureAmount } from '../payment/capture-amount.js';
import { PaymentReader } from '../payment/payment.reader.js';
import type { PaymentEntity } from '../schema/payment.entity.js';
import { paidWith } from '../views/paid-with.js';
import { paymentView, type Payment } from '../views/payment.view.js';
import { OperationCalls, reasonOf } from './operation-calls.js';

/** What a caller of capture or cancel waits for: a hold that is captured or released. */
@Injectable()
export class CaptureCancelCalls {
  constructor(
    private readonly reader: PaymentReader,
    private readonly recorder: OperationRecorder,
    private readonly calls: OperationCalls,
  ) {}

  /** As {@link PaymentsService.capture} and {@link PaymentsService.cancel} say. */
  async finish(
    paymentId: string,
    kind: 'capture' | 'cancel',
    options: StoreScope & { amount?: Amount; airline?: AirlineRequest; manager?: EntityManager },
  ): Promise<Payment> {
    mustBeOptions(options);
    const { amount, airline, ...how } = options;
    const tickets =
      airline === undefined ? null : (parseRequest(CapturePaymentRequestShape, { airline }).airline ?? null);
    const { locked, settled } = await this.calls.act(paymentId, kind, how, (manager, held, caller) => {
      const amountMinor = amount === undefined ? undefined : captureAmount(held.payment, amount);
      if (tickets) mustBeByCard(held.payment);
      return this.recorder.recordFinish(manager, held, { kind, amountMinor, airline: tickets, caller });
    });
    if (settled === null) return paymentView(locked.payment, locked.order);
    const { outcome, error, payment } = settled;
    if (outcome === 'confirmed') return payment ?? this.reader.get(paymentId, how);
    // Whatever the reason of the refusal: re-read, so that the caller learns the true state.
    await this.calls.reread(paymentId).catch(() => undefined);
    const { status } = await this.reader.get(paymentId, how);
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
