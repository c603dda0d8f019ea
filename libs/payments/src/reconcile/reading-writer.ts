import { Inject, Injectable } from '@nestjs/common';
import type { ServicePayment } from '../api/service-payment.js';
import { raiseAnomaly } from '../apply/anomaly.js';
import { decideAlone } from '../apply/decide-alone.js';
import { readFacts } from '../apply/fact-reader.js';
import type { Verdict } from '../apply/judge.js';
import { nextCheckAt, termMsOf } from '../apply/poll-plan.js';
import { elapsedMs } from '../common/moment.js';
import type { ServiceStatus } from '../common/payment-status.js';
import { Database } from '../database/database.js';
import { AttemptWatch } from '../operations/attempt-watch.js';
import { HeldPayments } from '../operations/held-payments.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { Written } from '../payment/change.js';
import { changeTo } from '../payment/draft.js';
import { lockDue } from '../payment/due.js';
import { Ledger } from '../payment/ledger.js';
import { withPayment } from '../payment/locks.js';
import { returned } from '../payment/planned.js';
import type { Decided } from '../payment/status-change.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { queuedOf, type Claim } from './claim.js';
import { decideReread, restMsOf, type FullReading } from './decide-reread.js';

/** Writes what a re-read has found, and returns the payment to the queue. */
@Injectable()
export class ReadingWriter {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly stores: StoreRegistry,
    private readonly held: HeldPayments,
    private readonly attempts: AttemptWatch,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Null if it has to be written under the locks: it is not only about the payment itself, or something came in between. */
  async writeUnlocked(
    claim: Claim,
    object: ServicePayment,
    decided: Decided,
  ): Promise<{ readonly movedTo: ServiceStatus | null; readonly written: Written } | null> {
    if (!isAlone(claim)) return null;
    const { payment, order, due, store, fence, seen, claimedAt, begunAt } = claim;
    const { checks } = due;
    const now = new Date(claimedAt.getTime() + elapsedMs(begunAt));
    const facts = { accountId: store.accountId, isTest: this.stores.isTest(store) };
    const known = { now, payment, order, queued: queuedOf(claim) };
    const decision = decideAlone(known, object, decided, facts, this.options);
    if (decision === null) return null;
    const { state, draft, plan, movedTo } = decision;
    const next = { ...plan, restMs: restMsOf(claim, movedTo === null) };
    const change = changeTo(returned(draft, next, checks), state, decided.cause);
    const written = await this.ledger.offer({ ...change, answered: seen, fence });
    return written && { movedTo, written };
  }

  /** Writes it under the locks; null if another worker has taken over: nothing is written (G11). */
  write(claim: Claim, reading: FullReading): Promise<Verdict | null> {
    const { payment, fence, seen } = claim;
    return withPayment(this.database, payment, async (manager, locked) => {
      if ((await lockDue(manager, payment.id))?.fence !== fence) return null;
      const facts = await readFacts(
        this.database,
        this.stores,
        this.options,
        manager,
        locked,
        reading.object,
      );
      const terms = { ...this.options, keyUsedMs: this.attempts.keyUsedForMs.bind(this.attempts) };
      const { verdict } = await this.held.change(
        manager,
        locked,
        reading.cause,
        (before) => decideReread(before, reading, { facts, claim }, terms),
        { fence, answered: seen },
      );
      return verdict;
    });
  }

  /** Still no answer to the create: look again later. */
  postpone(claim: Claim): Promise<void> {
    const { fence, due, payment } = claim;
    return withPayment(this.database, payment, async (manager, locked) => {
      if ((await lockDue(manager, payment.id))?.fence !== fence) return;
      await this.held.change(
        manager,
        locked,
        'sweep',
        (before) => {
          const termMs = termMsOf(before.payment, this.options.profile);
          const at = nextCheckAt(before.payment, before.now, { checks: due.checks, termMs });
          return { draft: returned(before, { at, checks: due.checks + 1 }, due.checks) };
        },
        { fence },
      );
    });
  }

  /** A payment that the service gave us and no longer knows is left to a person; it stays due all the same. */
  raiseUnknown({ payment, fence }: Claim, serviceId: string, cause: Decided['cause']): Promise<void> {
    return withPayment(this.database, payment, async (manager, locked) => {
      if ((await lockDue(manager, payment.id))?.fence !== fence) return;
      const reason = `the service does not know payment ${serviceId} any more`;
      await this.held.change(manager, locked, cause, (before) => ({
        draft: raiseAnomaly(before, reason, { cause }),
      }));
    });
  }
}

/** Whether everything about a claimed payment is in its own row and its order's. */
export function isAlone({
  payment,
  due,
  isUnsettled,
}: Pick<Claim, 'isUnsettled'> & {
  readonly payment: Pick<Claim['payment'], 'supersededAt'>;
  readonly due: Pick<Claim['due'], 'refundSignals'>;
}): boolean {
  return !isUnsettled && payment.supersededAt === null && due.refundSignals === 0;
}
