import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { thisMoment } from '../common/moment.js';
import { RecoveryInProgressError } from '../common/payments.errors.js';
import { Database, type Reader } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { Written } from '../payment/change.js';
import { changeTo, draftOf, type Draft } from '../payment/draft.js';
import { Ledger } from '../payment/ledger.js';
import { lockPayment, withPayment } from '../payment/locks.js';
import type { State } from '../payment/state.js';
import { fiscalizationOf } from '../receipts/fiscalization.js';
import { RecoveryGate } from '../rollback/recovery-gate.js';
import { withFields } from '../schema/ledger-fields.js';
import type { OrderRow, PaymentRow } from '../schema/rows.js';
import type { PaymentsStoreEntity } from '../schema/store.entity.js';
import type { Asked, RequestTerms } from './request-terms.js';
import type { SendClaim } from './send-claim.js';
import { readState, type ReadState } from './state-reader.js';

/** Pure; throws what its caller is told where the request is refused. */
type Decide<Result extends Asked> = (before: Draft, terms: RequestTerms) => Result;

interface Recorded<Result extends Asked> {
  readonly asked: Result;
  /** As they are now. */
  readonly payment: PaymentRow;
  readonly order: OrderRow;
  /** The attempt that its caller makes, counted and leased with it; null: it was there before, or the sweep sends it. */
  readonly claim: SendClaim | null;
}

/** Who sends what is recorded. */
type Caller = Pick<SendClaim, 'begunAt'> & { readonly store: PaymentsStoreEntity };

/** Written without the lock, before it is waited for. */
const TRIES = 2;

/** Records what a host asks for, before any request is sent (G1): one read, one decision, one write. */
@Injectable()
export class Recorder {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly gate: RecoveryGate,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * For a caller who sends it.
   * @throws PaymentNotFoundError
   * @throws RecoveryInProgressError
   * @throws UnconfirmedDatabaseError
   */
  async record<Result extends Asked>(
    paymentId: string,
    store: PaymentsStoreEntity,
    decide: Decide<Result>,
  ): Promise<Recorded<Result>> {
    await this.gate.learn();
    const caller = { store, begunAt: thisMoment() };
    for (let tries = 0; tries < TRIES; tries += 1) {
      const state = await this.database.read((from) => this.#read(from, paymentId, store));
      const asked = decide(draftOf(state), this.#terms(state, store, true));
      if (asked.draft === null) return recorded(asked, state, null, null);
      const change = changeTo(asked.draft, state, asked.operation.kind);
      const written = await this.ledger.record(change, this.gate.recordingTerms(asked));
      if (written) return recorded(asked, { ...asked.draft, order: state.order }, written, caller);
    }
    return withPayment(this.database, { id: paymentId, storeId: store.id }, (manager) =>
      this.recordHeld(manager, paymentId, store, decide, caller),
    );
  }

  /** In a transaction of the host's: the sweep sends it after the commit. */
  async recordWithin<Result extends Asked>(
    manager: EntityManager,
    paymentId: string,
    store: PaymentsStoreEntity,
    decide: Decide<Result>,
  ): Promise<Recorded<Result>> {
    await lockPayment(manager, this.database, paymentId, store.id);
    return this.recordHeld(manager, paymentId, store, decide);
  }

  /** Of a payment that is locked in this transaction. `caller`: who sends it first; null: the sweep. */
  async recordHeld<Result extends Asked>(
    manager: EntityManager,
    paymentId: string,
    store: PaymentsStoreEntity,
    decide: Decide<Result>,
    caller: Caller | null = null,
  ): Promise<Recorded<Result>> {
    const state = await this.#read(manager, paymentId, store);
    const asked = decide(draftOf(state), this.#terms(state, store, caller !== null));
    if (asked.draft === null) return recorded(asked, state, null, null);
    const change = changeTo(asked.draft, state, asked.operation.kind);
    const written = await this.ledger.write(manager, change, this.gate.recordingTerms(asked));
    if (!written && asked.isAnew) throw new RecoveryInProgressError(state.order.reference);
    if (!written) return this.gate.refuse();
    return recorded(asked, { ...asked.draft, order: state.order }, written, caller);
  }

  #read(from: Reader, paymentId: string, store: PaymentsStoreEntity): Promise<ReadState> {
    return readState(this.database, from, paymentId, store.id, this.gate.admission);
  }

  #terms(state: State, store: PaymentsStoreEntity, isSent: boolean): RequestTerms {
    const { profile, fiscalization } = this.options;
    return {
      profile,
      fiscalization: fiscalizationOf(store, fiscalization),
      isLetIn: () => this.gate.isLetIn(state),
      mayHaveBeenSent: () => !this.gate.knowsKeys(state),
      caller: isSent ? this.options : null,
    };
  }
}

function recorded<Result extends Asked>(
  asked: Result,
  read: ReadState,
  written: Written | null,
  caller: Caller | null,
): Recorded<Result> {
  const { payment } = read;
  const order = { ...read.order, version: written?.version ?? read.order.version };
  const isClaimed = asked.operation.outcome === 'unknown' && asked.draft !== null;
  if (caller === null || !isClaimed) return { asked, payment, order, claim: null };
  const { store, begunAt } = caller;
  const asRecorded = { order, store, state: { ...read, order } };
  const claim = {
    operation: asked.operation,
    payment: withFields(payment, {}),
    attempts: 1,
    earlierUnknown: false,
    begunAt,
    ...(payment.supersededAt === null && { asRecorded }),
  };
  return { asked, payment, order, claim };
}
