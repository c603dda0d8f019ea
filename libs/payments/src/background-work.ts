import type { Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { Deliverer } from './handlers/deliverer.js';
import { ForeignNotifications } from './notifications/foreign-notifications.js';
import { HandOver } from './notifications/hand-over.js';
import { ObjectNotifications } from './notifications/object-notifications.js';
import { AuditRuns } from './operator/audits/audit-runs.js';
import { StoreMaintenance } from './partner/store-maintenance.js';
import { QueueCheck } from './reconcile/queue-check.js';
import { UnsettledWatch } from './reconcile/receipts/unsettled-watch.js';
import { RefundWatch } from './reconcile/refunds/refund-watch.js';
import { Rereads } from './reconcile/rereads.js';
import { UnreachableHolds } from './reconcile/unreachable-holds.js';
import { Recoveries } from './recovery/recoveries.js';
import { Retention } from './retention/retention.js';
import { RollbackWatch } from './rollback/rollback-watch.js';
import type { WorkKind } from './work/work-signal.js';
import { stepwise, WorkerPool, type Work } from './work/worker-pool.js';

/** One kind of background work, ready to be woken. */
export interface BackgroundWork {
  readonly pool: Pick<WorkerPool<never>, 'wake' | 'drain' | 'stop'>;
  /** Signals in this process that give a reason to look. */
  readonly wokenBy: readonly WorkKind[];
  /** SQL condition: there is something to do. */
  readonly waits: () => string;
}

type Kind = (moduleRef: ModuleRef, onError: (error: unknown) => void) => BackgroundWork;

/** Every kind of background work, each with the signals that wake it before the next tick. */
const backgroundWork: readonly Kind[] = [
  stepped(RollbackWatch),
  pooled(Rereads, ['payments']),
  stepped(HandOver, ['notifications']),
  pooled(ObjectNotifications, ['objects']),
  pooled(ForeignNotifications),
  pooled(RefundWatch),
  pooled(Recoveries),
  stepped(QueueCheck),
  stepped(Retention),
  stepped(UnreachableHolds),
  stepped(UnsettledWatch),
  pooled(AuditRuns),
  pooled(Deliverer, ['deliveries']),
];

/** Those of a module whose stores their owners connect, or of one without. */
export function backgroundWorkOf(hasOwners: boolean): readonly Kind[] {
  return hasOwners ? [...backgroundWork, pooled(StoreMaintenance)] : backgroundWork;
}

/**
 * Claims nothing in a database that may be a copy: so nothing of it is read, adopted or removed. What leaves it asks the database itself, since
 * the copy may have come since the last look.
 */
function confirmed<Claim>(work: Work<Claim>, watch: RollbackWatch): Work<Claim> {
  return { ...work, take: (most) => (watch.isHeld ? Promise.resolve([]) : work.take(most)) };
}

/** What claims pieces of work for many slots. */
function pooled<Claim>(
  kind: Type<{ readonly waits: string; readonly work: Work<Claim> }>,
  wokenBy: readonly WorkKind[] = [],
): Kind {
  return (moduleRef, onError) => {
    const found = moduleRef.get(kind);
    const work = confirmed(found.work, moduleRef.get(RollbackWatch));
    return { pool: new WorkerPool(work, onError), wokenBy, waits: () => found.waits };
  };
}

/** What does one step after the other. */
function stepped(
  kind: Type<{ readonly waits: string; runNext(): Promise<boolean> }>,
  wokenBy: readonly WorkKind[] = [],
): Kind {
  return (moduleRef, onError) => {
    const found = moduleRef.get(kind);
    const step = stepwise(() => found.runNext());
    const work = found instanceof RollbackWatch ? step : confirmed(step, moduleRef.get(RollbackWatch));
    return { pool: new WorkerPool(work, onError), wokenBy, waits: () => found.waits };
  };
}
