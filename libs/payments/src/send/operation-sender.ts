import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { StoredConfirmation } from '../api/objects/confirmation.js';
import { PaymentsApi } from '../api/payments-api.js';
import type { RecordedPaymentCall } from '../api/payments-api.options.js';
import { ServiceKeyReusedError } from '../api/service-errors.js';
import { parseServicePayment, type ServicePayment } from '../api/service-payment.js';
import { parseServiceReceipt } from '../api/service-receipt.js';
import { parseServiceRefund } from '../api/service-refund.js';
import { raiseAnomaly } from '../apply/anomaly.js';
import { elapsedAtMostMs, thisMoment } from '../common/moment.js';
import {
  OperationContradictedError,
  type PaymentClosedError,
  type PaymentsError,
} from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { isOver, leaseEnd } from '../database/lease.js';
import { AttemptWatch } from '../operations/attempt-watch.js';
import { boundId } from '../operations/bound-id.js';
import { mayResend } from '../operations/key-age.js';
import { settleOperation } from '../operations/operation-recorder.js';
import { bodyToSend } from '../operations/personal-data.js';
import { isAboutCredentials, isRefused } from '../operations/refused-operation.js';
import { disagreement } from '../operations/request-agrees.js';
import { markIn } from '../operations/request-body.js';
import type { SendClaim } from '../operations/send-claim.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { withPayment } from '../payment/locks.js';
import { markedAnother } from '../payment/payment-mark.js';
import { RecoveryGate } from '../rollback/recovery-gate.js';
import { withFields } from '../schema/ledger-fields.js';
import { PaymentsOperationEntity, type OperationOutcome } from '../schema/operation.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsReceiptEntity } from '../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { ConfirmationSeal } from '../stores/confirmation-seal.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { paymentView, type Payment } from '../views/payment.view.js';
import type { Receipt } from '../views/receipt.view.js';
import type { Refund } from '../views/refund.view.js';
import type { WorkKind } from '../work/work-signal.js';
import { answerChange } from './answer-change.js';
import { attemptRequest, type AttemptResult } from './attempt.js';
import { describeError, OperationEffects, type OperationAnswer } from './operation-effects.js';

export type SendResult =
  | {
      readonly kind: 'settled';
      readonly outcome: 'confirmed' | 'refused';
      readonly error: unknown;
      /** As it is now, if that is known without another look; for a refund, the refund. */
      readonly payment?: Payment;
      readonly refund?: Refund;
      /** For a receipt of its own, the receipt. */
      readonly receipt?: Receipt;
      /** What there may be to do now. */
      readonly wakes?: readonly WorkKind[];
    }
  | { readonly kind: 'unknown'; readonly error: unknown }
  /** Nothing was sent, and nothing will be: the operation is refused. */
  | { readonly kind: 'unsent'; readonly error: PaymentsError }
  /** Answered, and a re-read finds out what the answer means. */
  | { readonly kind: 'unclear'; readonly error: unknown }
  /** Answered, and closed before as never received. */
  | { readonly kind: 'late'; readonly error: PaymentClosedError }
  /** What is recorded contradicts itself: it is not sent. */
  | { readonly kind: 'contradicted'; readonly error: OperationContradictedError }
  /** Another sender has the request in flight. */
  | { readonly kind: 'busy' }
  /** Its key is too old or was refused, or its body is stored nowhere: only reading and listing can find its outcome. */
  | { readonly kind: 'expired' };

/** What an operation contradicts whose payment is bound to another one's id. */
const NOT_ITS_OWN = "the service's id of its payment";

/** After a change whose effects were not looked at one by one. */
const MAY_BE_ANY = ['payments', 'deliveries'] as const;

/** Sends recorded operations and settles them: counted before each attempt, settled only by the newest one. */
@Injectable()
export class OperationSender {
  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly seal: ConfirmationSeal,
    private readonly effects: OperationEffects,
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
      this.claim(manager, operationId, unstoredBody !== null),
    );
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
    if (result.kind === 'answered' && result.answer.of === 'payment') {
      const settled = await this.#offer(claim, result.answer.object);
      if (settled) return settled;
    }
    return this.#settle(claim, claim.operation.resendable ? result : asRefusal(result), sentBy);
  }

  /**
   * What keeps a request from being sent for a payment of the service that the row names and may not be its own: whoever swaps the ids of two
   * rows would have one order's money captured, released or refunded for the other. null: nothing does.
   */
  async #unfit(claim: SendClaim): Promise<SendResult | null> {
    const { payment, earlierUnknown } = claim;
    const { id, kind } = claim.operation;
    if (kind === 'create') return null;
    const look = await this.#isBoundToOwn(payment).then(
      (isOwn) => ({ isOwn, error: new OperationContradictedError(id, kind, NOT_ITS_OWN) }),
      (error: unknown) => ({ isOwn: null, error }),
    );
    if (look.isOwn === true) return null;
    return withPayment(this.database, payment, async (manager, locked) => {
      const operation = await manager.findOneOrFail(PaymentsOperationEntity, {
        where: { id },
        lock: { mode: 'for_no_key_update' },
      });
      if (operation.attempts !== claim.attempts || operation.outcome !== 'unknown') return { kind: 'busy' };
      // Nothing was sent by this attempt.
      const before = earlierUnknown ? 'unknown' : null;
      if (look.isOwn === null) {
        await this.#release(manager, operation, before, look.error);
        return { kind: 'unknown', error: look.error };
      }
      await this.#raise(manager, locked.payment, kind, NOT_ITS_OWN);
      // A refund's body names that other payment: with the row put right, it would be sent no more.
      if (before === null) await this.effects.refuse(manager, locked, operation, look.error);
      await this.#release(manager, operation, before ?? 'refused', look.error);
      return { kind: 'contradicted', error: look.error };
    });
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

  /** Null if it has to be settled under the locks. */
  async #offer(claim: SendClaim, object: ServicePayment): Promise<SendResult | null> {
    const { payment, asRecorded } = claim;
    if (asRecorded === undefined) return null;
    const change = answerChange(claim, object, this.stores.isTest(asRecorded.store), this.options);
    const written = change && (await this.effects.offer(change));
    if (!written) return null;
    const { isReady, isAnnounced, updatedAt } = written;
    const now = withFields(payment, { ...change.after, updatedAt: updatedAt ?? payment.updatedAt });
    const wakes = [
      ...(isReady ? (['payments'] as const) : []),
      ...(isAnnounced ? (['deliveries'] as const) : []),
    ];
    return {
      kind: 'settled',
      outcome: 'confirmed',
      error: null,
      payment: paymentView(now, asRecorded.order, object.confirmation),
      wakes,
    };
  }

  /**
   * Counts the attempt and marks its outcome as unknown, committed before the request is sent. Decided and counted under the
   * operation's lock: of two simultaneous senders one gets it, and no key becomes too old in between.
   */
  async claim(
    manager: EntityManager,
    operationId: string,
    hasBody: boolean,
  ): Promise<SendClaim | SendResult> {
    const begunAt = thisMoment();
    const { operation, isFree } = await this.#lock(manager, operationId);
    const { outcome } = operation;
    if (outcome === 'confirmed' || outcome === 'refused') return { kind: 'settled', outcome, error: null };
    if (!isFree) return { kind: 'busy' };
    await this.gate.mustBeConfirmedIn(manager);
    if (!(operation.resendable || hasBody) || (await this.#isSpent(manager, operation)))
      return { kind: 'expired' };
    const payment = await manager.findOneByOrFail(PaymentsPaymentEntity, { id: operation.paymentId });
    const error = await this.#contradiction(manager, operation, payment);
    if (error) return { kind: 'contradicted', error };
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
  async #contradiction(
    manager: EntityManager,
    operation: PaymentsOperationEntity,
    payment: PaymentsPaymentEntity,
  ): Promise<OperationContradictedError | null> {
    const { id, kind, receiptId } = operation;
    const receipt =
      receiptId === null ? null : await manager.findOneBy(PaymentsReceiptEntity, { id: receiptId });
    const refundId = operation.refundId ?? receipt?.refundId ?? null;
    const refund = refundId === null ? null : await manager.findOneBy(PaymentsRefundEntity, { id: refundId });
    const what = disagreement({ operation, payment, refund, receipt }, this.options.profile);
    if (what === null) return null;
    await this.#raise(manager, payment, kind, what);
    return new OperationContradictedError(id, kind, what);
  }

  #raise(
    manager: EntityManager,
    payment: PaymentsPaymentEntity,
    kind: PaymentsOperationEntity['kind'],
    what: string,
  ): Promise<void> {
    const reason = `its recorded ${kind} is not sent, since ${what} contradicts the rows`;
    return raiseAnomaly(manager, this.database, payment, reason, { cause: kind });
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

  #settle(
    claim: SendClaim,
    result: AttemptResult<OperationAnswer>,
    sentBy: 'caller' | 'sweep',
  ): Promise<SendResult> {
    return withPayment(this.database, claim.payment, async (manager, locked) => {
      const operation = await manager.findOneOrFail(PaymentsOperationEntity, {
        where: { id: claim.operation.id },
        lock: { mode: 'for_no_key_update' },
      });
      const { outcome } = operation;
      if (outcome === 'confirmed') return { kind: 'settled', outcome, error: null };
      if (outcome === 'refused') {
        if (result.kind === 'answered')
          return this.effects.answeredAfterAll(manager, locked, operation, result.answer);
        // Closed by a look that says nothing of this attempt.
        if (result.kind === 'unknown') return result;
        return { kind: 'settled', outcome, error: result.error };
      }
      // Another sender took over when our lease expired: the answer is theirs to apply.
      if (operation.attempts !== claim.attempts) return { kind: 'busy' };
      if (result.kind === 'answered') {
        const { open, refund, receipt } = await this.effects.confirm(
          manager,
          locked,
          operation,
          result.answer,
        );
        await this.#release(manager, operation, open ? 'unknown' : 'confirmed', null);
        if (open) return open;
        const now = receipt
          ? { receipt }
          : refund
            ? { refund }
            : { payment: paymentView(locked.payment, locked.order, confirmationIn(result.answer)) };
        return { kind: 'settled', outcome: 'confirmed', error: null, ...now, wakes: MAY_BE_ANY };
      }
      if (result.kind === 'unsent' && sentBy === 'caller') {
        await this.effects.refuse(manager, locked, operation, result.error);
        await this.#release(manager, operation, 'refused', result.error);
        return { kind: 'unsent', error: result.error };
      }
      // The service has a refund under that key, which the database has forgotten: the list of refunds shows it.
      if (
        result.kind === 'refused' &&
        operation.kind === 'refund' &&
        result.error instanceof ServiceKeyReusedError
      ) {
        await this.#release(manager, operation, 'unknown', result.error);
        return { kind: 'unclear', error: result.error };
      }
      if (result.kind === 'refused') {
        if (operation.kind !== 'create' && sentBy === 'sweep') {
          const reason = `the service refused the ${operation.kind}: ${result.error.reason}`;
          await raiseAnomaly(manager, this.database, locked.payment, reason, { cause: operation.kind });
          if (isAboutCredentials(result.error)) {
            await this.#release(manager, operation, null, result.error);
            return { kind: 'unknown', error: result.error };
          }
        }
        await this.effects.refuse(manager, locked, operation, result.error);
        await this.#release(manager, operation, 'refused', result.error);
        return { kind: 'settled', outcome: 'refused', error: result.error, wakes: MAY_BE_ANY };
      }
      await this.#release(manager, operation, result.kind === 'unknown' ? 'unknown' : null, result.error);
      return { kind: 'unknown', error: result.error };
    });
  }

  async #release(
    manager: EntityManager,
    { id }: Pick<PaymentsOperationEntity, 'id'>,
    outcome: OperationOutcome | null,
    error: unknown,
  ): Promise<void> {
    const lastError = error === null ? null : describeError(error);
    if (outcome === 'confirmed' || outcome === 'refused')
      await settleOperation(manager, this.database, { id }, outcome, { lastError });
    else await manager.update(PaymentsOperationEntity, id, { outcome, leaseUntil: null, lastError });
  }
}

function confirmationIn(answer: OperationAnswer): StoredConfirmation | null {
  return answer.of === 'payment' ? answer.object.confirmation : null;
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
