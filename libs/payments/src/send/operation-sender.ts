import { Inject, Injectable } from '@nestjs/common';
import { PaymentsApi } from '../api/payments-api.js';
import type { RecordedPaymentCall } from '../api/payments-api.options.js';
import { ServiceKeyReusedError } from '../api/service-errors.js';
import { parseServicePayment, type ServicePayment } from '../api/service-payment.js';
import { parseServiceReceipt } from '../api/service-receipt.js';
import { parseServiceRefund } from '../api/service-refund.js';
import { messageOf } from '../common/message-of.js';
import { elapsedAtMostMs } from '../common/moment.js';
import { OperationContradictedError } from '../common/payments.errors.js';
import { AttemptWatch } from '../operations/attempt-watch.js';
import { bodyToSend } from '../operations/personal-data.js';
import { markIn } from '../operations/request-body.js';
import type { SendClaim } from '../operations/send-claim.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { markedAnother } from '../payment/payment-mark.js';
import type { PaymentsOperationEntity } from '../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { Answers, type Answered } from './answers.js';
import { attemptRequest, type AttemptResult } from './attempt.js';
import type { OperationAnswer } from './decide-answer.js';
import { SendClaims, type Contradiction, type Expired } from './send-claims.js';

export type SendResult =
  | Answered
  /** What is recorded contradicts itself: it is not sent. */
  | { readonly kind: 'contradicted'; readonly error: OperationContradictedError }
  | Expired;

/** What an operation contradicts whose payment is bound to another one's id. */
const NOT_ITS_OWN = "the service's id of its payment";

/** Sends recorded operations and settles them: counted before each attempt, settled only by the newest one. */
@Injectable()
export class OperationSender {
  constructor(
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly claims: SendClaims,
    private readonly answers: Answers,
    private readonly attempts: AttemptWatch,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Sends the operation under its stored key, unless it is settled, too old, or another sender has it. What the service refuses
   * to the sweep is reported to the operator: there is no caller who would learn of it. `unstoredBody` is sent in place of the
   * stored one, if it contains card data that no row may contain.
   */
  async send(
    operationId: string,
    sentBy: 'caller' | 'sweep',
    unstoredBody: string | null = null,
  ): Promise<SendResult> {
    const claim = await this.claims.take(operationId, unstoredBody !== null);
    if ('contradicted' in claim) return this.#report(claim);
    return 'kind' in claim ? claim : this.sendClaimed(claim, sentBy, unstoredBody);
  }

  /** Sends an operation that was claimed, perhaps in the transaction that recorded it. */
  async sendClaimed(
    claim: SendClaim,
    sentBy: 'caller' | 'sweep',
    unstoredBody: string | null = null,
  ): Promise<SendResult> {
    const attempt = { id: claim.operation.id, attempts: claim.attempts };
    let isOpen = true;
    this.attempts.began(attempt);
    try {
      const result = await this.#sendAndSettle(claim, sentBy, unstoredBody);
      isOpen = result.kind !== 'settled';
      return result;
    } finally {
      this.attempts.ended(attempt, isOpen);
    }
  }

  async #sendAndSettle(
    claim: SendClaim,
    sentBy: 'caller' | 'sweep',
    unstoredBody: string | null,
  ): Promise<SendResult> {
    const unfit = await this.#unfit(claim);
    if (unfit) return unfit;
    const attempted = await attemptRequest((attempt) => this.#request(claim, attempt, unstoredBody), {
      earlierUnknown: claim.earlierUnknown,
      // A repeat that starts later than this could outlive its call; the sweep comes back by itself.
      startBeforeMs: sentBy === 'sweep' ? 0 : this.options.callDeadlineMs - this.options.requestTimeoutMs,
    });
    const result = await this.answers.sealed(claim.payment, attempted);
    const offered = result.kind === 'answered' ? await this.answers.offer(claim, result.answer) : null;
    return (
      offered ?? this.answers.settle(claim, claim.operation.resendable ? result : asRefusal(result), sentBy)
    );
  }

  /**
   * What keeps a request from being sent for a payment of the service that the row names and may not be its own: whoever swaps the ids of two
   * rows would have one order's money captured, released or refunded for the other. null: nothing does.
   */
  async #unfit(claim: SendClaim): Promise<SendResult | null> {
    const { id, kind } = claim.operation;
    if (kind === 'create') return null;
    const contradicted = new OperationContradictedError(id, kind, NOT_ITS_OWN);
    const isOwn = await this.#isBoundToOwn(claim.payment).catch(asError);
    if (isOwn === true) return null;
    const look = isOwn instanceof Error ? { isOwn: null, error: isOwn } : { isOwn, error: contradicted };
    const left = await this.answers.unsent(claim, look, unsentReason(kind, NOT_ITS_OWN));
    if (left === 'busy') return { kind: 'busy' };
    return look.isOwn === null
      ? { kind: 'unknown', error: look.error }
      : { kind: 'contradicted', error: contradicted };
  }

  /** Where no event says it, the service does, if it has our mark. */
  async #isBoundToOwn(payment: PaymentsPaymentEntity): Promise<boolean> {
    const said = await this.claims.boundId(payment);
    const { serviceId, storeId } = payment;
    const { metadataKey } = this.options.profile;
    if (said !== 'unsaid' || serviceId === null || metadataKey === null) return said !== 'another';
    const object = parseServicePayment(await this.api.fetchPayment(serviceId, this.stores.call(storeId)));
    return markedAnother(payment, object.metadata[metadataKey]) === null;
  }

  /** A request that contradicts its rows was written past this module and is not sent: a person must look at it. */
  async #report({ operation: { id, kind }, payment, contradicted }: Contradiction): Promise<SendResult> {
    await this.answers.raise(payment, kind, unsentReason(kind, contradicted));
    return { kind: 'contradicted', error: new OperationContradictedError(id, kind, contradicted) };
  }

  async #request(
    { operation, payment, begunAt }: SendClaim,
    attempt: number,
    unstoredBody: string | null,
  ): Promise<OperationAnswer> {
    // We were paused, and meanwhile it may have been found never received: sent now, it would be a second charge.
    if (elapsedAtMostMs(begunAt) >= this.options.leaseMs)
      throw new Error('The lease expired before the request was sent.');
    const { kind, idempotenceKey, storeId } = operation;
    const options = { ...this.stores.call(storeId), attempt };
    const request = { body: unstoredBody ?? bodyToSend(operation), idempotenceKey };
    if (kind === 'refund') {
      const answer = await this.api.sendRecorded({ kind }, request, options);
      return { of: 'refund', object: parseServiceRefund(answer) };
    }
    if (kind === 'receipt') {
      const answer = await this.api.sendRecorded({ kind }, request, options);
      return { of: 'receipt', object: parseServiceReceipt(answer) };
    }
    const answer = await this.api.sendRecorded(paymentCall(kind, payment), request, options);
    const object = parseServicePayment(answer);
    if (kind === 'create' && isAnothers(object, operation.body, this.options.profile.metadataKey))
      throw new ServiceKeyReusedError(`it answered with payment ${object.id}, made by another request`, {
        request: 'create',
        idempotenceKey,
      });
    return { of: 'payment', object };
  }
}

function unsentReason(kind: PaymentsOperationEntity['kind'], what: string): string {
  return `its recorded ${kind} is not sent, since ${what} contradicts the rows`;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(messageOf(error));
}

/** Whether the answer is what another request has made under the same key, before the database forgot that request. */
function isAnothers({ metadata }: ServicePayment, body: string, metadataKey: string | null): boolean {
  const mark = metadataKey === null ? undefined : metadata[metadataKey];
  return metadataKey !== null && typeof mark === 'string' && mark !== markIn(body, metadataKey);
}

/** Turned away every time, and never to be sent again: that is a refusal. */
function asRefusal<T>(result: AttemptResult<T>): AttemptResult<T> {
  return result.kind === 'deferred' ? { kind: 'refused', error: result.error } : result;
}

function paymentCall(
  kind: 'create' | 'capture' | 'cancel',
  { id, serviceId }: PaymentsPaymentEntity,
): RecordedPaymentCall {
  if (kind === 'create') return { kind };
  if (serviceId === null) throw new Error(`Payment ${id} cannot be finished before the service knows it.`);
  return { kind, serviceId };
}
