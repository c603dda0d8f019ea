import { Inject, Injectable } from '@nestjs/common';
import type { ServicePayment } from '../api/service-payment.js';
import { raiseAnomaly } from '../apply/anomaly.js';
import { Applier, type Reading } from '../apply/applier.js';
import { decideUnlocked } from '../apply/decide-unlocked.js';
import type { Verdict } from '../apply/judge.js';
import { delayWithoutNewsMs, nextCheckAt, termMsOf } from '../apply/poll-plan.js';
import type { ListedRefunds } from '../apply/refunds/judge-refunds.js';
import { elapsedMs } from '../common/moment.js';
import type { ServiceStatus } from '../common/payment-status.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { Place, Written } from '../payment/change.js';
import { lockDue } from '../payment/due.js';
import { Ledger } from '../payment/ledger.js';
import { lockPayment } from '../payment/locks.js';
import { isSummed } from '../payment/order-sums.js';
import type { Decided } from '../payment/status-change.js';
import { StoreRegistry } from '../stores/store.registry.js';
import type { Claim } from './claim.js';
import { HoldKeeper, type HoldChoice } from './hold-keeper.js';
import { OperationResolver, type Resolved } from './operation-resolver.js';

/** All that a re-read has found, and what to do with a hold that is due. */
export interface FullReading extends Reading {
  readonly refunds: ListedRefunds;
  readonly hold: HoldChoice | null;
  /** Before it was read. */
  readonly resolved: Resolved;
}

/** Writes what a re-read has found, and returns the payment to the queue. */
@Injectable()
export class ReadingWriter {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly stores: StoreRegistry,
    private readonly applier: Applier,
    private readonly operations: OperationResolver,
    private readonly holds: HoldKeeper,
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
    const { profile, holdLeadTimeMs: leadTimeMs, receiptLateMs, unsettledAfterMs } = this.options;
    const now = new Date(claimedAt.getTime() + elapsedMs(begunAt));
    const known = { accountId: store.accountId, isTest: this.stores.isTest(store), askedMinor: null };
    const state = { payment, order, ...known };
    const terms = { now, leadTimeMs, profile, receiptLateMs, unsettledAfterMs };
    const decision = decideUnlocked(state, object, decided, terms, due.checks);
    if (decision === null) return null;
    const { movedTo, change, place } = decision;
    const written = await this.ledger.offer({
      ...(change ?? { payment, order, after: null, totals: null, events: [] }),
      answered: seen,
      fence,
      place: this.#place(claim, place, movedTo === null),
    });
    return written && { movedTo, written };
  }

  /**
   * Writes it under the locks; null if another worker has taken over: nothing is written (G11). `again`: the object was read a
   * second time, since the first one was older than what is known.
   */
  write(claim: Claim, reading: FullReading, again = false): Promise<Verdict | null> {
    const { paymentId, fence, seen } = claim;
    return this.database.transaction(async (manager) => {
      const locked = await lockPayment(manager, this.database, paymentId);
      const { payment, order } = locked;
      const due = await lockDue(manager, paymentId);
      if (due?.fence !== fence) return null;
      const { verdict, place } = await this.applier.apply(manager, locked, reading, due);
      const reason =
        verdict.kind === 'anomaly'
          ? verdict.reason
          : verdict.kind === 'stale' && again
            ? `status went back to ${verdict.status}`
            : null;
      if (reason !== null) await raiseAnomaly(manager, this.database, payment, reason, reading);
      const fits = verdict.kind === 'move' || verdict.kind === 'unchanged';
      const lookAt = fits ? await this.operations.settleByReading(manager, payment, reading.resolved) : null;
      if (fits && reading.hold) await this.holds.keep(manager, reading.hold, locked);
      if (verdict.kind === 'stale' && !again) return verdict;
      const next = {
        ...place,
        at: earlier(place.at, lookAt),
        answeredSignals: fits ? reading.refunds.signals : 0,
      };
      await this.ledger.write(manager, {
        payment,
        order,
        after: null,
        totals: null,
        events: [],
        answered: seen,
        fence,
        place: this.#place(claim, next, verdict.kind === 'unchanged'),
      });
      return verdict;
    });
  }

  /** Still no answer to the create: look again later. */
  async postpone(claim: Claim): Promise<void> {
    const { paymentId, fence, due } = claim;
    await this.database.transaction(async (manager) => {
      const { payment, order } = await lockPayment(manager, this.database, paymentId);
      if ((await lockDue(manager, paymentId))?.fence !== fence) return;
      const now = await this.database.businessTime(manager);
      const termMs = termMsOf(payment, this.options.profile);
      const at = nextCheckAt(payment, now, { checks: due.checks, termMs });
      const place = { at, checks: due.checks + 1, checksBefore: due.checks };
      await this.ledger.write(manager, {
        payment,
        order,
        after: null,
        totals: null,
        events: [],
        fence,
        place,
      });
    });
  }

  /** A payment that the service gave us and no longer knows is left to a person; it stays due all the same. */
  async raiseUnknown(claim: Claim, serviceId: string, cause: Decided['cause']): Promise<void> {
    const { paymentId, fence } = claim;
    await this.database.transaction(async (manager) => {
      const { payment } = await lockPayment(manager, this.database, paymentId);
      if ((await lockDue(manager, paymentId))?.fence !== fence) return;
      const reason = `the service does not know payment ${serviceId} any more`;
      await raiseAnomaly(manager, this.database, payment, reason, { cause });
    });
  }

  #place({ due: { checks: checksBefore }, seen }: Claim, place: Place, isFruitless: boolean): Place {
    const notified = isFruitless ? Math.max(0, ...seen.map(({ count }) => count)) : 0;
    return { ...place, checksBefore, restMs: delayWithoutNewsMs(notified) };
  }
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** Whether everything about a claimed payment is in its own row and its order's. */
export function isAlone({
  payment,
  order,
  due,
  isUnsettled,
}: Pick<Claim, 'isUnsettled'> & {
  readonly payment: Pick<Claim['payment'], 'supersededAt'>;
  readonly order: Pick<Claim['order'], 'version' | 'summedVersion'>;
  readonly due: Pick<Claim['due'], 'refundSignals'>;
}): boolean {
  return !isUnsettled && isSummed(order) && payment.supersededAt === null && due.refundSignals === 0;
}
