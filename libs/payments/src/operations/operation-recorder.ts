import { Inject, Injectable } from '@nestjs/common';
import { In, IsNull, Not, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { plusMs } from '../common/clock.js';
import { derivedKey } from '../common/derived.js';
import { thisMoment } from '../common/moment.js';
import { OperationInProgressError, PaymentNotHeldError } from '../common/payments.errors.js';
import { newId } from '../common/uuid.js';
import { Database } from '../database/database.js';
import { leaseEnd } from '../database/lease.js';
import { nextHoldTry } from '../holds/hold-plan.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { wantSql } from '../payment/due.js';
import { Ledger } from '../payment/ledger.js';
import type { LockedPayment } from '../payment/locks.js';
import { aboutPayment } from '../payment/record-event.js';
import { RecoveryGate } from '../rollback/recovery-gate.js';
import { withFields } from '../schema/ledger-fields.js';
import { PaymentsOperationEntity, type OperationKind } from '../schema/operation.entity.js';
import type { PaymentsStoreEntity } from '../schema/store.entity.js';
import type { RecordedBody } from './personal-data.js';
import { waitsForRecovery } from './release-gate.js';
import { CANCEL_BODY, captureBody, fingerprint, type CaptureExtras } from './request-body.js';
import type { SendClaim } from './send-claim.js';

/** What is requested for a payment that the service knows. */
export interface NewOperation {
  readonly refundId?: string | null;
  readonly receiptId?: string | null;
  readonly kind: Exclude<OperationKind, 'create'>;
  readonly request: RecordedBody;
}

/** An operation that was recorded, or found. */
export interface Recorded {
  readonly operationId: string;
  /** The attempt that its caller makes, counted and leased with it; null: it was there before, or the sweep sends it. */
  readonly claim: SendClaim | null;
}

/** Records what is to be done to a payment: operations with their key and body, before any request is sent (G1). */
@Injectable()
export class OperationRecorder {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly gate: RecoveryGate,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Records the capture or cancel of a locked payment. If the same finish is already in progress, or done, the caller joins it,
   * so that a double click is one operation. `keepsDue`: what a capture of less leaves stays due; a part that was refused said so of
   * itself alone.
   * @throws PaymentNotHeldError
   * @throws OperationInProgressError
   */
  async recordFinish(
    manager: EntityManager,
    locked: LockedPayment,
    {
      kind,
      amountMinor = locked.payment.authorizedMinor,
      extras = {},
      keepsDue: keeps = false,
      caller,
    }: {
      kind: 'capture' | 'cancel';
      amountMinor?: number | undefined;
      extras?: CaptureExtras;
      keepsDue?: boolean;
      caller: PaymentsStoreEntity | null;
    },
  ): Promise<Recorded> {
    const { payment, order } = locked;
    const keepsDue = keeps && amountMinor < payment.authorizedMinor;
    const request = kind === 'capture' ? captureBody(amountMinor, payment.currency, extras) : CANCEL_BODY;
    const earlier = await this.#findFinish(manager, payment.id);
    const isSame = kind === 'cancel' || keepsDue === (payment.keepsDue ?? false);
    if (isSame && earlier?.fingerprint === fingerprint(kind, request))
      return { operationId: earlier.id, claim: null };
    if (payment.status !== 'waiting_for_capture')
      throw new PaymentNotHeldError(payment.id, kind, payment.status);
    if (earlier) throw new OperationInProgressError(payment.id, kind, earlier.kind);
    if (!isSame) {
      const after = withFields(payment, { keepsDue });
      await this.ledger.write(manager, { payment, order, after, totals: null, events: [] });
    }
    return this.insert(manager, locked, { kind, request }, caller);
  }

  /** The capture or cancel that counts: in progress or confirmed. A refused one has left the payment unchanged. */
  #findFinish(manager: EntityManager, paymentId: string): Promise<PaymentsOperationEntity | null> {
    const finish = { paymentId, kind: In(['capture', 'cancel']) };
    return manager.findOne(PaymentsOperationEntity, {
      where: [
        { ...finish, outcome: IsNull() },
        { ...finish, outcome: Not('refused') },
      ],
    });
  }

  /**
   * Gives a payment up for another one of its order, which is opened now, or was and is found again (`recovery`).
   * @throws OperationInProgressError if another one would be opened now
   */
  async supersede(
    manager: EntityManager,
    locked: LockedPayment,
    cause: 'replace' | 'recovery',
  ): Promise<void> {
    const { payment, order } = locked;
    const supersededAt = await this.database.businessTime(manager);
    await this.ledger.write(manager, {
      payment,
      order,
      after: withFields(payment, { supersededAt }),
      isDated: true,
      totals: null,
      events: [{ ...aboutPayment(payment), name: 'payment.superseded', cause, evidence: {} }],
    });
    const finish = await this.#findFinish(manager, payment.id);
    // Its money is being captured: one more payment beside it would be a second charge.
    if (finish?.kind === 'capture' && cause === 'replace')
      throw new OperationInProgressError(payment.id, 'replace', finish.kind);
    await this.#letGo(manager, locked, finish);
  }

  /**
   * A superseded payment that is held captures nothing: its hold is canceled, and due again, with growing pauses, until it is
   * released. While what the database has forgotten is looked for, nothing is canceled.
   */
  async releaseSuperseded(manager: EntityManager, locked: LockedPayment): Promise<void> {
    const { id, status, supersededAt } = locked.payment;
    if (supersededAt === null || status !== 'waiting_for_capture') return;
    await this.#letGo(manager, locked, await this.#findFinish(manager, id));
  }

  async #letGo(
    manager: EntityManager,
    locked: LockedPayment,
    finish: PaymentsOperationEntity | null,
  ): Promise<void> {
    const { payment, order } = locked;
    if (payment.status !== 'waiting_for_capture') return;
    const now = await this.database.businessTime(manager);
    const waits = finish !== null || (await waitsForRecovery(manager, this.database, payment));
    const after = withFields(payment, nextHoldTry(payment, now));
    await this.ledger.write(manager, { payment, order, after, totals: null, events: [] });
    if (!waits) await this.insert(manager, locked, { kind: 'cancel', request: CANCEL_BODY }, null);
  }

  /**
   * Records an operation of a locked payment with a key of its own, and makes the payment due. `caller`: the store of the caller
   * who sends it first, with the next attempt counted and leased; the sweep takes over once that call's time is up. null: the
   * sweep sends it.
   * @throws UnconfirmedDatabaseError
   */
  async insert(
    manager: EntityManager,
    { order, payment }: LockedPayment,
    { refundId = null, receiptId = null, kind, request }: NewOperation,
    caller: PaymentsStoreEntity | null,
  ): Promise<Recorded> {
    const { database } = this;
    const { now } = database;
    const { leaseMs, callDeadlineMs } = this.options;
    const begunAt = thisMoment();
    const operationId = newId();
    const { id: paymentId, storeId } = payment;
    const operation = {
      id: operationId,
      storeId,
      kind,
      ...request,
      resendable: true,
    };
    const name = derivedKey(payment.intentKey, kind, refundId, receiptId);
    // A hold that was polled for days would otherwise see its capture repeated once an hour.
    const due = wantSql(database, caller ? plusMs(now, callDeadlineMs) : now, {
      afresh: true,
      urgent: !caller,
    });
    const attempt = caller
      ? `'unknown', 1, ${leaseEnd(leaseMs)}, ${now}, ${now}`
      : 'NULL, 0, NULL, NULL, NULL';
    const [row] = await manager.query<{ recordedAt: Date; idempotenceKey: string }[]>(
      `WITH queued AS (
         ${due}
       )
       INSERT INTO ${database.table(PaymentsOperationEntity)} (id, store_id, payment_id, refund_id, receipt_id, kind, idempotence_key, body,
         personal, has_personal, fingerprint, recorded_at, outcome, attempts, lease_until, first_sent_at, last_sent_at)
       SELECT $3, $2, $1, $4, $10, $5, $6 || '.' || (${this.#earlier}), $7, $8::text, $8 IS NOT NULL, $9, ${now}, ${attempt}
       WHERE ${this.gate.confirmed('$11')}
       RETURNING recorded_at AS "recordedAt", idempotence_key AS "idempotenceKey", ${database.durableForRequest}`,
      [
        paymentId,
        storeId,
        operationId,
        refundId,
        kind,
        name,
        operation.body,
        operation.personal,
        fingerprint(kind, operation),
        receiptId,
        this.gate.ownSeed,
      ],
    );
    if (!row) return this.gate.refuse();
    if (caller === null) return { operationId, claim: null };
    const { recordedAt, idempotenceKey } = row;
    const claim = { payment, attempts: 1, earlierUnknown: false, begunAt };
    return {
      operationId,
      claim: {
        ...claim,
        operation: { ...operation, recordedAt, idempotenceKey },
        ...(payment.supersededAt === null && { asRecorded: { order, store: caller } }),
      },
    };
  }

  /** SQL of how many there were before, each of which the service has refused: the next one has a key of its own (G2). */
  get #earlier(): string {
    return `SELECT count(*) FROM ${this.database.table(PaymentsOperationEntity)}
         WHERE payment_id = $1 AND kind = $5 AND refund_id IS NOT DISTINCT FROM $4 AND receipt_id IS NOT DISTINCT FROM $10`;
  }
}

/** Ends an operation, whoever found its outcome; the caller holds its payment's lock. */
export async function settleOperation(
  manager: EntityManager,
  database: Database,
  which: FindOptionsWhere<PaymentsOperationEntity>,
  outcome: 'confirmed' | 'refused',
  said: { readonly lastError?: object | null } = {},
): Promise<void> {
  const ended = { outcome, leaseUntil: null, settledAt: () => database.now };
  await manager.update(PaymentsOperationEntity, which, { ...ended, ...said });
}
