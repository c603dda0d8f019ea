import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Cause } from '../common/cause.js';
import { Database } from '../database/database.js';
import type { Change } from '../payment/change.js';
import { changeTo, draftOf, isNothing, type Draft } from '../payment/draft.js';
import { Ledger } from '../payment/ledger.js';
import { withPayment, type LockedPayment } from '../payment/locks.js';
import { RecoveryGate } from '../rollback/recovery-gate.js';
import { lastRecovery } from '../rollback/recovery-windows.js';
import type { PaymentRow } from '../schema/rows.js';
import { supersede } from './let-go.js';
import { readHeldState } from './state-reader.js';

interface Decided {
  readonly draft: Draft;
}

/** Reads, decides and writes under a payment's lock. */
@Injectable()
export class HeldPayments {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly gate: RecoveryGate,
  ) {}

  /** In a transaction of its own. */
  changeAlone<Decision extends Decided>(
    payment: Pick<PaymentRow, 'id' | 'storeId'>,
    cause: Cause,
    decide: (before: Draft) => Decision,
  ): Promise<Decision> {
    return withPayment(this.database, payment, (manager, locked) =>
      this.change(manager, locked, cause, decide),
    );
  }

  /**
   * Writes what was decided, which `locked` shows from then on, and returns the decision. `claim`: what a re-read answers and holds, given
   * back with the payment's place.
   */
  async change<Decision extends Decided>(
    manager: EntityManager,
    locked: LockedPayment,
    cause: Cause,
    decide: (before: Draft) => Decision,
    claim: Pick<Change, 'fence' | 'answered'> = {},
  ): Promise<Decision> {
    const read = await readHeldState(this.database, manager, locked.payment.id);
    const state = { ...read, ...locked };
    const decision = decide(draftOf(state));
    const { draft } = decision;
    const change = { ...changeTo(draft, state, cause), ...(draft.place && claim) };
    if (isNothing(change)) return decision;
    const isRequest = change.rows?.operations?.opened.some(({ outcome }) => outcome !== 'confirmed') ?? false;
    if (!isRequest) await this.ledger.write(manager, change);
    else if (!(await this.ledger.write(manager, change, this.gate.recordingTerms()))) this.gate.refuse();
    return decision;
  }

  /**
   * Gives a payment up for another one of its order, whose lock this transaction has.
   * @throws OperationInProgressError if another one would be opened now
   */
  async supersede(
    manager: EntityManager,
    locked: LockedPayment,
    cause: 'replace' | 'recovery',
  ): Promise<void> {
    const { isOpen } = await lastRecovery(manager, this.database, locked.payment.storeId);
    await this.change(manager, locked, cause, (before) => ({ draft: supersede(before, cause, isOpen) }));
  }
}
