import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { mustBeName } from '../common/arguments.js';
import { HOUR_MS } from '../common/durations.js';
import { andOthers, LogLimit } from '../common/log-limit.js';
import { PaymentsLog } from '../common/payments-log.js';
import { PaymentNotFoundError } from '../common/payments.errors.js';
import type { StoreScope } from '../common/store.scope.js';
import { isUuid } from '../common/uuid.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { RecoveryGate } from '../rollback/recovery-gate.js';
import type { OperationKind } from '../schema/operation.entity.js';
import type { PaymentsStoreEntity } from '../schema/store.entity.js';
import { checkAct } from '../stores/store-rules.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { Shutdown } from '../work/shutdown.js';
import { hostTransactionAdvice, type CallInTransaction } from './host-transaction-advice.js';

/** What every call of the host's goes through before and while it works. */
@Injectable()
export class HostCalls {
  readonly #logger = new PaymentsLog();
  readonly #limits = new Map<CallInTransaction, LogLimit>();

  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly gate: RecoveryGate,
    private readonly shutdown: Shutdown,
    private readonly telemetry: Telemetry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Before a call without `manager` looks for its store: in a copy that was detached since, it is another one.
   * @throws UnconfirmedDatabaseError
   */
  prepare(call: CallInTransaction): Promise<void> {
    this.#noticeTransaction(call);
    return this.gate.mustBeConfirmed();
  }

  /** A whole call, as a part of the trace that is under way. */
  asSpan<T>(kind: Exclude<OperationKind, 'receipt'>, work: () => Promise<T>): Promise<T> {
    return this.waitFor(this.telemetry.inSpan(() => ({ name: `holdfast.${kind}` }), work));
  }

  /** The span under way, as a row keeps it. */
  traceparent(): string | null {
    return this.telemetry.traceparent();
  }

  /** The process ends only after it. */
  waitFor<T>(call: Promise<T>): Promise<T> {
    return this.shutdown.waitFor(call);
  }

  /** Records a refund once the database is let in. */
  pass<T>(record: () => Promise<T>): Promise<T> {
    return this.gate.pass(record);
  }

  /** Looks whether it is let in now. Not awaited, so that it goes on once the host's transaction is over. If it fails, the next call looks. */
  lookAhead(): void {
    void this.waitFor(this.gate.look()).catch(() => undefined);
  }

  /** The store of a call that names no payment. {@link prepare} comes before. */
  storeIn(scope: StoreScope): Promise<PaymentsStoreEntity> {
    return this.stores.find(scope);
  }

  /**
   * The store for whose payment something is recorded.
   * @throws PaymentNotFoundError
   */
  async storeOf(
    paymentId: string,
    kind: Exclude<OperationKind, 'create'>,
    { manager, ...scope }: StoreScope & { manager?: EntityManager | undefined },
  ): Promise<PaymentsStoreEntity> {
    mustBeName('paymentId', paymentId);
    if (manager === undefined) await this.prepare(kind);
    const store = await this.stores.find(scope);
    // A receipt belongs to a payment that the app may create (assumed: receipts have no permission of their own).
    checkAct(this.options, store, kind === 'receipt' ? 'create' : kind, { recorded: manager !== undefined });
    if (!isUuid(paymentId)) throw new PaymentNotFoundError(paymentId);
    return store;
  }

  /**
   * A call that sends a request while a transaction of the host's is open around it. A warning and no error: whether the host's rows matter to the
   * payment, only the host knows.
   */
  #noticeTransaction(call: CallInTransaction): void {
    if (!this.database.isInHostTransaction) return;
    const limit = this.#limits.get(call) ?? new LogLimit(HOUR_MS);
    this.#limits.set(call, limit);
    const count = limit.take();
    if (count !== null) this.#logger.warn(`${hostTransactionAdvice(call)}${andOthers(count)}`);
  }
}
