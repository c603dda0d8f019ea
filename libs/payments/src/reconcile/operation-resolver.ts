import { Inject, Injectable } from '@nestjs/common';
import { In, IsNull, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { Database } from '../database/database.js';
import { isSentNoMore, mayResend } from '../operations/key-age.js';
import { OperationEntity } from '../operations/operation.entity.js';
import { OperationSender } from '../operations/operation-sender.js';
import { lockPayment } from '../payment/locks.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { isFinal } from '../payment/payment-status.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { raiseAnomaly } from './anomaly.js';
import { LostCreate } from './lost-create.js';

const UNRESOLVED_ALARM_MS = 3_600_000;

/** Brings operations to their end whose own caller did not: by sending them again, by looking, or by reading. */
@Injectable()
export class OperationResolver {
  constructor(
    private readonly database: Database,
    private readonly sender: OperationSender,
    private readonly lostCreate: LostCreate,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Sends what was recorded and not settled; a create whose caller is gone is only looked up (G2), and so is a refund
   * that would be sent in vain. `end` leaves the rest to others, and breaks off a look.
   */
  async resolve({ id: paymentId }: PaymentEntity, end: AbortSignal): Promise<void> {
    const live = await this.database.read((from) =>
      from.find(OperationEntity, {
        where: unsettled({ paymentId }),
        order: { recordedAt: 'ASC' },
      }),
    );
    if (live.length === 0) return;
    const now = await this.database.businessTime();
    for (const operation of live) {
      end.throwIfAborted();
      const ageMs = now.getTime() - operation.recordedAt.getTime();
      if (operation.kind === 'create' && (!operation.resendable || ageMs > this.options.createResendMs))
        await this.lostCreate.lookUp(operation, end);
      else if (!isSentNoMore(operation, now)) await this.sender.send(operation.id, 'sweep');
      if (ageMs > UNRESOLVED_ALARM_MS) await this.#tellUnresolved(operation);
    }
  }

  /** Resolution never gives up; but after so long a person should know that it is still at it. */
  #tellUnresolved({ id, paymentId, kind }: OperationEntity): Promise<void> {
    return this.database.transaction(async (manager) => {
      const { payment } = await lockPayment(manager, paymentId);
      if (!(await manager.existsBy(OperationEntity, unsettled({ id })))) return;
      const reason = `its ${kind} has had no outcome for over an hour, and is tried further`;
      await raiseAnomaly(manager, this.database, payment, reason, { cause: kind });
    });
  }

  /**
   * Settles a capture or cancel whose answer was lost by what a re-read, applied in this transaction, says. True
   * where an operation was recorded during that re-read and is still to be sent.
   */
  async settleByReading(manager: EntityManager, paymentId: string): Promise<boolean> {
    const where = unsettled({ paymentId, kind: In(['capture', 'cancel', 'refund']) });
    const live = await manager.find(OperationEntity, { where, lock: { mode: 'for_no_key_update' } });
    if (live.length === 0) return false;
    const payment = await manager.findOneByOrFail(PaymentEntity, { id: paymentId });
    const { status } = payment;
    const now = await this.database.businessTime(manager);
    let unsent = false;
    for (const operation of live) {
      // A refund is settled by the list alone. Still held, and the key may yet be used: the operation goes on.
      if (operation.kind === 'refund' || (!isFinal(status) && mayResend(operation.firstSentAt, now))) {
        unsent ||= operation.attempts === 0;
        continue;
      }
      const wanted = operation.kind === 'capture' ? 'succeeded' : 'canceled';
      const outcome = status === wanted && operation.firstSentAt !== null ? 'confirmed' : 'refused';
      await manager.update(OperationEntity, operation.id, {
        outcome,
        leaseUntil: null,
        settledAt: () => this.database.now,
      });
      if (outcome === 'refused') {
        const reason = `the ${operation.kind} did not take effect; the payment is ${status}`;
        await raiseAnomaly(manager, this.database, payment, reason, { cause: operation.kind });
      }
    }
    return unsent;
  }
}

function unsettled(where: FindOptionsWhere<OperationEntity>): FindOptionsWhere<OperationEntity>[] {
  return [
    { ...where, outcome: IsNull() },
    { ...where, outcome: 'unknown' },
  ];
}
