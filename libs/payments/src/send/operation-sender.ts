import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PaymentsApi } from '../api/payments-api.js';
import type { RecordedPaymentCall } from '../api/payments-api.options.js';
import { ServiceKeyReusedError } from '../api/service-errors.js';
import { parseServicePayment, type ServicePayment } from '../api/service-payment.js';
import { parseServiceReceipt } from '../api/service-receipt.js';
import { parseServiceRefund } from '../api/service-refund.js';
import { messageOf } from '../common/message-of.js';
import { elapsedAtMostMs, thisMoment } from '../common/moment.js';
import { OperationContradictedError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { isOver, leaseEnd } from '../database/lease.js';
import { AttemptWatch } from '../operations/attempt-watch.js';
import { boundId } from '../operations/bound-id.js';
import { mayResend } from '../operations/key-age.js';
import { bodyToSend } from '../operations/personal-data.js';
import { isRefused } from '../operations/refused-operation.js';
import { disagreement } from '../operations/request-agrees.js';
import { markIn } from '../operations/request-body.js';
import type { SendClaim } from '../operations/send-claim.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { markedAnother } from '../payment/payment-mark.js';
import { RecoveryGate } from '../rollback/recovery-gate.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsReceiptEntity } from '../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { ConfirmationSeal } from '../stores/confirmation-seal.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { Answers, type Answered } from './answers.js';
import { attemptRequest, type AttemptResult } from './attempt.js';
import type { OperationAnswer } from './decide-answer.js';

export type SendResult =
  | Answered
  /** What is recorded contradicts itself: it is not sent. */
  | { readonly kind: 'contradicted'; readonly error: OperationContradictedError }
  /** Its key is too old or was refused, or its body is stored nowhere: only reading and listing can find its outcome. */
  | { readonly kind: 'expired' };

/** A recorded operation, and what of its rows it contradicts. */
interface Contradiction {
  readonly operation: PaymentsOperationEntity;
  readonly payment: PaymentsPaymentEntity;
  readonly contradicted: string;
}

/** What an operation contradicts whose payment is bound to another one's id. */
const NOT_ITS_OWN = "the service's id of its payment";

/** Sends recorded operations and settles them: counted before each attempt, settled only by the newest one. */
@Injectable()
export class OperationSender {
  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly seal: ConfirmationSeal,
    private readonly answers: Answers,
    private readonly attempts: AttemptWatch,
    private readonly gate: RecoveryGate,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Before the store is looked for in which something is to be recorded.
   * @throws UnconfirmedDatabaseError
   */
  mustBeConfirmed(): Promise<void> {
    return this.gate.mustBeConfirmed();
  }

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
    const claim = await this.database.transaction((manager) =>
      this.#claim(manager, operationId, unstoredBody !== null),
    );
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
    const result = await attemptRequest((attempt) => this.#request(claim, attempt, unstoredBody), {
      earlierUnknown: claim.earlierUnknown,
      // A repeat that starts later than this could outlive its call; the sweep comes back by itself.
      startBeforeMs: sentBy === 'sweep' ? 0 : this.options.callDeadlineMs - this.options.requestTimeoutMs,
    });
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
    const said = await this.database.read((from) => boundId(from, this.database, payment));
    const { serviceId, storeId } = payment;
    const { metadataKey } = this.options.profile;
    if (said !== 'unsaid' || serviceId === null || metadataKey === null) return said !== 'another';
    const object = parseServicePayment(await this.api.fetchPayment(serviceId, this.stores.call(storeId)));
    return markedAnother(payment, object.metadata[metadataKey]) === null;
  }

  /**
   * Counts the attempt and marks its outcome as unknown, committed before the request is sent. Decided and counted under the
   * operation's lock: of two simultaneous senders one gets it, and no key becomes too old in between.
   */
  async #claim(
    manager: EntityManager,
    operationId: string,
    hasBody: boolean,
  ): Promise<SendClaim | Contradiction | SendResult> {
    const begunAt = thisMoment();
    const { operation, isFree } = await this.#lock(manager, operationId);
    const { outcome } = operation;
    if (outcome === 'confirmed' || outcome === 'refused') return { kind: 'settled', outcome, error: null };
    if (!isFree) return { kind: 'busy' };
    await this.gate.mustBeConfirmedIn(manager);
    if (!(operation.resendable || hasBody) || (await this.#isSpent(manager, operation)))
      return { kind: 'expired' };
    const payment = await manager.findOneByOrFail(PaymentsPaymentEntity, { id: operation.paymentId });
    const contradicted = await this.#disagreement(manager, operation, payment);
    if (contradicted !== null) return { operation, payment, contradicted };
    const attempts = operation.attempts + 1;
    await manager.update(PaymentsOperationEntity, operationId, {
      attempts,
      outcome: 'unknown',
      ...(operation.firstSentAt === null && { firstSentAt: () => this.database.now }),
      lastSentAt: () => this.database.now,
      leaseUntil: () => leaseEnd(this.options.leaseMs),
      // The error of an earlier attempt says nothing about this one, should its answer be lost.
      lastError: null,
    });
    return { operation, payment, attempts, earlierUnknown: outcome === 'unknown', begunAt };
  }

  /** A refused refund may be requested again by its caller; a re-read decides what its payment waits for. */
  async #isSpent(manager: EntityManager, operation: PaymentsOperationEntity): Promise<boolean> {
    const { kind, firstSentAt } = operation;
    const now = await this.database.businessTime(manager);
    const keyUsedMs = this.attempts.keyUsedForMs(operation);
    if (!mayResend(operation, now, keyUsedMs) || (kind !== 'refund' && isRefused(operation))) return true;
    // A second capture or cancel would be refused, and a hold does not wait.
    const isRepeatable = kind === 'refund' || kind === 'receipt';
    return isRepeatable && firstSentAt === null && (await this.gate.mayHaveBeenSent(manager, operation));
  }

  /** A request that contradicts its rows was written past this module and is not sent: a person must look at it. */
  async #report({ operation: { id, kind }, payment, contradicted }: Contradiction): Promise<SendResult> {
    await this.answers.raise(payment, kind, unsentReason(kind, contradicted));
    return { kind: 'contradicted', error: new OperationContradictedError(id, kind, contradicted) };
  }

  /** What of its rows a recorded request contradicts; null: none. */
  async #disagreement(
    manager: EntityManager,
    operation: PaymentsOperationEntity,
    payment: PaymentsPaymentEntity,
  ): Promise<string | null> {
    const { receiptId } = operation;
    const receipt =
      receiptId === null ? null : await manager.findOneBy(PaymentsReceiptEntity, { id: receiptId });
    const refundId = operation.refundId ?? receipt?.refundId ?? null;
    const refund = refundId === null ? null : await manager.findOneBy(PaymentsRefundEntity, { id: refundId });
    return disagreement({ operation, payment, refund, receipt }, this.options.profile);
  }

  async #lock(
    manager: EntityManager,
    operationId: string,
  ): Promise<{ operation: PaymentsOperationEntity; isFree: boolean }> {
    const { raw, entities } = await manager
      .createQueryBuilder(PaymentsOperationEntity, 'operation')
      .addSelect(isOver('operation.leaseUntil'), 'free')
      .where({ id: operationId })
      .setLock('for_no_key_update')
      .getRawAndEntities<{ free: boolean }>();
    const [operation] = entities;
    if (!operation) throw new Error(`There is no operation ${operationId}.`);
    return { operation, isFree: raw[0]?.free === true };
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
    return { of: 'payment', object: await this.seal.sealed(payment, object) };
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
