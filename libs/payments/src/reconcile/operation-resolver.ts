import { Inject, Injectable } from '@nestjs/common';
import { In, IsNull, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { raiseAnomaly } from '../apply/anomaly.js';
import { HOUR_MS } from '../common/durations.js';
import { valueFromMinor } from '../common/money.js';
import { Database } from '../database/database.js';
import { AttemptWatch } from '../operations/attempt-watch.js';
import { decideFinish, type FinishDecision } from '../operations/finish-outcome.js';
import { isOnlyLookedUp, mayResend } from '../operations/key-age.js';
import { settleOperation } from '../operations/operation-recorder.js';
import type { Attempt } from '../operations/sightings.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { lockPayment } from '../payment/locks.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { OperationSender } from '../send/operation-sender.js';
import { restAskedFor } from '../stores/rate-limiter.js';
import { LostCreate } from './lost-create.js';
import type { PaymentLease } from './payment-lease.js';

const UNRESOLVED_ALARM_MS = HOUR_MS;
const GOES_ON = { kind: 'open', lookAt: null } as const;

/** How far a payment's operations were before it was re-read. */
export interface Resolved {
  /** Before all that is read from here on. */
  readonly askedAt: Date;
  /** Nothing of these captures and cancels can arrive any more. */
  readonly over: readonly Attempt[];
}

/** Ends operations whose own caller did not: by sending them again, by looking them up, or by a re-read. */
@Injectable()
export class OperationResolver {
  constructor(
    private readonly database: Database,
    private readonly sender: OperationSender,
    private readonly lostCreate: LostCreate,
    private readonly attempts: AttemptWatch,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Sends what was recorded and not settled; a create whose caller is gone is only looked up (G2), and so is a refund
   * or finish that would be sent in vain. `end` leaves the rest to others, and breaks off a look.
   */
  async resolve(
    { id: paymentId }: PaymentsPaymentEntity,
    end: AbortSignal,
    lease: PaymentLease,
  ): Promise<Resolved> {
    const live = await this.database.read((from) =>
      from.find(PaymentsOperationEntity, {
        where: unsettled({ paymentId }),
        order: { recordedAt: 'ASC' },
      }),
    );
    const now = await this.database.businessTime();
    const over: Attempt[] = [];
    for (const operation of live) {
      end.throwIfAborted();
      // Whoever lived through it knows better than a database whose clock was set back.
      const ageMs = Math.max(
        now.getTime() - operation.recordedAt.getTime(),
        this.attempts.knownForMs(operation),
      );
      const keyUsedMs = this.attempts.keyUsedForMs(operation);
      const maySend = operation.resendable && mayResend(operation, now, keyUsedMs);
      if (operation.kind === 'create' && (!maySend || ageMs > this.options.createResendMs)) {
        const isOver = await this.attempts.isOver(operation);
        await this.lostCreate.lookUp(operation, { isOver, maySend }, end, lease);
      } else if (!isOnlyLookedUp(operation, now, keyUsedMs)) {
        await lease.request();
        const sent = await this.sender.send(operation.id, 'sweep');
        // The service asks to be left alone: no more requests now.
        if ('error' in sent && restAskedFor(sent.error) !== null) throw sent.error;
      } else if (await this.attempts.isOver(operation)) {
        over.push(operation);
      }
      if (ageMs > UNRESOLVED_ALARM_MS) await this.#reportUnresolved(operation);
    }
    return { askedAt: now, over };
  }

  /** Resolution never gives up; but after this long a person should know that it continues. */
  #reportUnresolved({ id, paymentId, kind }: PaymentsOperationEntity): Promise<void> {
    return this.database.transaction(async (manager) => {
      const { payment } = await lockPayment(manager, this.database, paymentId);
      if (!(await manager.existsBy(PaymentsOperationEntity, unsettled({ id })))) return;
      const reason = `its ${kind} has had no outcome for over an hour, and is still being resolved`;
      // The backlog has it until it ends.
      await raiseAnomaly(manager, this.database, payment, reason, { cause: kind, endsByItself: true });
    });
  }

  /**
   * Settles a capture or cancel whose answer was lost by a re-read that was requested after `resolved` and applied in this
   * transaction. Returns when to look again, if that may be sooner than the poll plan says.
   */
  async settleByReading(
    manager: EntityManager,
    payment: PaymentsPaymentEntity,
    { askedAt, over }: Resolved,
  ): Promise<Date | null> {
    const where = unsettled({ paymentId: payment.id, kind: In(['capture', 'cancel', 'refund']) });
    const live = await manager.find(PaymentsOperationEntity, { where, lock: { mode: 'for_no_key_update' } });
    if (live.length === 0) return null;
    const { status, capturedMinor } = payment;
    const looks: (Date | null)[] = [];
    for (const operation of live) {
      // Only the list settles a refund.
      const decision: FinishDecision =
        operation.kind === 'refund'
          ? GOES_ON
          : decideFinish(operation, {
              status,
              capturedMinor,
              askedAt,
              isOver: over.some(({ id, attempts }) => id === operation.id && attempts === operation.attempts),
              keyUsedMs: this.attempts.keyUsedForMs(operation),
            });
      if (decision.kind !== 'open') await this.#settle(manager, payment, operation, decision.kind);
      // Operations recorded during the read, or by what we applied, are due when their recorder said.
      else if (operation.attempts > 0) looks.push(decision.lookAt);
    }
    const [next] = looks.filter((at) => at !== null).toSorted((a, b) => a.getTime() - b.getTime());
    return next ?? null;
  }

  async #settle(
    manager: EntityManager,
    payment: PaymentsPaymentEntity,
    { id, kind }: PaymentsOperationEntity,
    outcome: 'confirmed' | 'refused',
  ): Promise<void> {
    await settleOperation(manager, this.database, { id }, outcome);
    if (outcome === 'confirmed') return;
    const taken =
      payment.status === 'succeeded' ? `, with ${valueFromMinor(payment.capturedMinor)} captured` : '';
    const reason = `the ${kind} did not take effect; the payment is ${payment.status}${taken}`;
    await raiseAnomaly(manager, this.database, payment, reason, { cause: kind });
  }
}

function unsettled(
  where: FindOptionsWhere<PaymentsOperationEntity>,
): FindOptionsWhere<PaymentsOperationEntity>[] {
  return [
    { ...where, outcome: IsNull() },
    { ...where, outcome: 'unknown' },
  ];
}
