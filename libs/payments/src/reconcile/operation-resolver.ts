import { Inject, Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { raiseAnomaly } from '../apply/anomaly.js';
import { HOUR_MS } from '../common/durations.js';
import { Database } from '../database/database.js';
import { AttemptWatch } from '../operations/attempt-watch.js';
import { HeldPayments } from '../operations/held-payments.js';
import { isOnlyLookedUp, mayResend } from '../operations/key-age.js';
import type { Attempt } from '../operations/sightings.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { isOpenOperation } from '../payment/open-work.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { OperationSender } from '../send/operation-sender.js';
import { restAskedFor } from '../stores/rate-limiter.js';
import { LostCreate } from './lost-create.js';
import type { PaymentLease } from './payment-lease.js';
import type { Resolved } from './settle-finishes.js';

const UNRESOLVED_ALARM_MS = HOUR_MS;

/** Ends operations whose own caller did not: by sending them again, by looking them up, or by a re-read. */
@Injectable()
export class OperationResolver {
  constructor(
    private readonly database: Database,
    private readonly sender: OperationSender,
    private readonly lostCreate: LostCreate,
    private readonly attempts: AttemptWatch,
    private readonly held: HeldPayments,
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
        where: [
          { paymentId, outcome: IsNull() },
          { paymentId, outcome: 'unknown' },
        ],
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
  async #reportUnresolved({ id, paymentId, storeId, kind }: PaymentsOperationEntity): Promise<void> {
    const reason = `its ${kind} has had no outcome for over an hour, and is still being resolved`;
    await this.held.changeAlone({ id: paymentId, storeId }, kind, (before) => ({
      draft: before.operations.some((one) => one.id === id && isOpenOperation(one))
        ? // The backlog has it until it ends.
          raiseAnomaly(before, reason, { cause: kind, endsByItself: true })
        : before,
    }));
  }
}
