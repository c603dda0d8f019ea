import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { FindOptionsWhere } from 'typeorm';
import { ServiceError } from '../api/service-errors.js';
import {
  PaymentOutcomeUnknownError,
  StoreNotConnectedError,
  UnconfirmedDatabaseError,
} from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { NoDatabaseConnectionError } from '../database/deadline-error.js';
import { orUnknown, outcomeUnknown } from '../operations/outcome-unknown.js';
import type { Asked } from '../operations/request-terms.js';
import type { SendClaim } from '../operations/send-claim.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { Reconciler } from '../reconcile/reconciler.js';
import { PaymentsOperationEntity, type OperationKind } from '../schema/operation.entity.js';
import { OperationSender, type SendResult } from '../send/operation-sender.js';
import { WorkSignal } from '../work/work-signal.js';

const WAIT_FOR_OTHER_MS = 50;

/** How an operation ended. */
export type Settled = Extract<SendResult, { kind: 'settled' }>;

/** How the sending of an operation began in the transaction that recorded it: with a claim, or with what prevented one. */
type Begun = SendClaim | SendResult;

/** What was recorded, and the attempt that its caller makes. */
interface Sendable {
  readonly asked: Asked;
  readonly claim: SendClaim | null;
}

/** What a caller waits for: an operation settled, or a re-read, within the time of one call. */
@Injectable()
export class OperationCalls {
  constructor(
    private readonly database: Database,
    private readonly sender: OperationSender,
    private readonly reconciler: Reconciler,
    private readonly signal: WorkSignal,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Sends what was recorded, and waits until it is settled. */
  async send<Result extends Sendable>(
    paymentId: string,
    kind: Exclude<OperationKind, 'create'>,
    recording: Promise<Result>,
  ): Promise<{ recorded: Result; settled: Settled }> {
    const recorded = await recording.catch((error: unknown) => {
      // If it is recorded, the sweep sends it.
      throw this.database.mayHaveCommitted(error) ? outcomeUnknown(paymentId, kind, error) : error;
    });
    const { asked, claim } = recorded;
    const settled = await this.settle(paymentId, asked.operation.id, kind, { begun: claim });
    return { recorded, settled };
  }

  /** Whatever follows a request: what ends it without an answer of the module's own leaves the caller without the outcome. */
  onceSent<T>(paymentId: string, kind: OperationKind, work: () => Promise<T>): Promise<T> {
    return this.database.onceRecorded(work).catch(orUnknown(paymentId, kind));
  }

  /**
   * Sends an operation, or waits for another sender, until it is settled; if nothing could be sent, throws the reason. `begun`:
   * if its sending began as it was recorded. `unstoredBody` as in {@link OperationSender.send}: it lives no longer than this
   * call.
   */
  settle(
    paymentId: string,
    operationId: string,
    kind: OperationKind,
    how: { begun?: Begun | null; unstoredBody?: string | null } = {},
  ): Promise<Settled> {
    return this.database.onceRecorded(() => this.#settle(paymentId, operationId, kind, how));
  }

  async #settle(
    paymentId: string,
    operationId: string,
    kind: OperationKind,
    { begun = null, unstoredBody = null }: { begun?: Begun | null; unstoredBody?: string | null },
  ): Promise<Settled> {
    const deadline = performance.now() + this.options.callDeadlineMs;
    let looked = false;
    let first = begun;
    do {
      const result =
        first !== null && 'kind' in first
          ? first
          : await this.#send(paymentId, operationId, kind, first, unstoredBody);
      first = null;
      if (result.kind === 'settled') {
        for (const work of result.wakes ?? []) this.signal.wake(work);
        return result;
      }
      if (result.kind === 'unsent' || result.kind === 'contradicted' || result.kind === 'late')
        throw result.error;
      if (result.kind === 'unknown') throw outcomeUnknown(paymentId, kind, result.error);
      if (result.kind === 'expired' || result.kind === 'unclear') {
        // One look finds out all there is to know; another fifty milliseconds later would only load the service.
        if (looked) throw outcomeUnknown(paymentId, kind, 'error' in result ? result.error : null);
        await this.reread(paymentId);
        looked = true;
        continue;
      }
      await delay(WAIT_FOR_OTHER_MS);
    } while (performance.now() < deadline);
    throw new PaymentOutcomeUnknownError(paymentId, kind);
  }

  /** Settles what was recorded earlier. */
  async resume(
    paymentId: string,
    kind: OperationKind,
    which: FindOptionsWhere<PaymentsOperationEntity>,
  ): Promise<Settled> {
    const { id } = await this.onceSent(paymentId, kind, () =>
      this.database.read((from) => from.findOneByOrFail(PaymentsOperationEntity, which)),
    );
    return this.settle(paymentId, id, kind);
  }

  /** A database that fails half-way leaves the outcome unknown too, which is the same case for the caller. */
  async #send(
    paymentId: string,
    operationId: string,
    kind: OperationKind,
    claim: SendClaim | null,
    unstoredBody: string | null,
  ): Promise<SendResult> {
    try {
      return await (claim
        ? this.sender.sendClaimed(claim, 'caller', unstoredBody)
        : this.sender.send(operationId, 'caller', unstoredBody));
    } catch (error) {
      if (error instanceof UnconfirmedDatabaseError) throw error;
      throw outcomeUnknown(paymentId, kind, error);
    }
  }

  /** A re-read that a create depends on, which has requested nothing yet. */
  async rereadFirst(paymentId: string): Promise<void> {
    try {
      await this.reread(paymentId);
    } catch (error) {
      const cause = error instanceof Error ? error.cause : null;
      const isOfTheCreate =
        cause instanceof StoreNotConnectedError || cause instanceof NoDatabaseConnectionError;
      throw isOfTheCreate ? cause : error;
    }
  }

  /** A re-read that an operation depends on; without it the operation's own outcome is not known. */
  async reread(paymentId: string): Promise<void> {
    try {
      await this.reconciler.refresh(paymentId);
    } catch (error) {
      if (error instanceof UnconfirmedDatabaseError) throw error;
      throw outcomeUnknown(paymentId, 're-read', error);
    }
  }
}

/** A refusal's message for a person. */
export function reasonOf(error: unknown): string {
  return error instanceof ServiceError ? (error.details.description ?? error.reason) : 'see its timeline.';
}
