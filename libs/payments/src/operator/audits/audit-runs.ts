import { Injectable, Inject } from '@nestjs/common';
import { messageOf } from '../../common/message-of.js';
import { PaymentsLog } from '../../common/payments-log.js';
import { Database } from '../../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { isHopeless } from '../../recovery/decide-window.js';
import { StoreRegistry } from '../../stores/store.registry.js';
import { Shutdown } from '../../work/shutdown.js';
import type { Work } from '../../work/worker-pool.js';
import { Audit, type AuditSlice } from '../audit.js';
import {
  AuditLeaseLostError,
  auditWaits,
  takeAudit,
  keepAudit,
  advanceAudit,
  giveBackAudit,
  endAudit,
  postponeAudit,
  type AuditLease,
} from './audit-leases.js';

/** Stores at once, in one process: an audit asks the service for all that a day has. */
const SLOTS = 2;
/** A day that cannot be compared is tried again after 1, 2, 4 … 30 min, so for an hour and a half in all. */
const FIRST_RETRY_MS = 60_000;
const RETRY_CAP_MS = 30 * 60_000;
const TRIES = 8;

/**
 * Makes the audits that people ask for, a day at a time. What a day has shown is written before the next one: a process that ends leaves
 * its place to the next.
 */
@Injectable()
export class AuditRuns {
  readonly #logger = new PaymentsLog();

  constructor(
    private readonly audit: Audit,
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
    private readonly shutdown: Shutdown,
  ) {}

  /** SQL condition: there is an audit to make. */
  get waits(): string {
    return auditWaits(this.database, this.stores);
  }

  get work(): Work<AuditLease> {
    return {
      slots: SLOTS,
      take: async () => {
        const lease = this.shutdown.hasBegun
          ? null
          : await takeAudit(this.database, this.stores, this.options.leaseMs);
        return lease ? [lease] : [];
      },
      run: (lease) => this.#run(lease),
    };
  }

  async #run(lease: AuditLease): Promise<void> {
    // A day may take longer than a lease, and nobody else should begin it.
    const kept = setInterval(
      () => void keepAudit(this.database, this.options.leaseMs, lease).catch(() => undefined),
      this.options.leaseMs / 3,
    );
    let failures = lease.failures;
    try {
      for await (const slice of this.#slices(lease)) {
        await advanceAudit(this.database, this.options.leaseMs, lease, slice);
        failures = 0;
      }
      if (this.shutdown.hasBegun) await giveBackAudit(this.database, lease);
      else await endAudit(this.database, lease, null);
    } catch (error) {
      if (error instanceof AuditLeaseLostError) return;
      await this.#failed(lease, error, failures).catch(orLost);
    } finally {
      clearInterval(kept);
    }
  }

  /** Until the process ends: then the day that is being compared is left to another one. */
  async *#slices({ storeId, from, to, comparedTo }: AuditLease): AsyncGenerator<AuditSlice, void> {
    const slices = this.audit.run(from, to, { store: storeId }, comparedTo ?? from);
    const { signal } = this.shutdown;
    const end = new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null), { once: true });
    });
    while (!signal.aborted) {
      const next = slices.next();
      next.catch(() => undefined);
      const step = await Promise.race([next, end]);
      if (step === null || step.done === true) return;
      yield step.value;
    }
  }

  async #failed(lease: AuditLease, error: unknown, failures: number): Promise<void> {
    const reason = messageOf(error);
    if (!isHopeless(error) && failures + 1 < TRIES) {
      const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** failures, RETRY_CAP_MS);
      return postponeAudit(this.database, lease, reason, pauseMs);
    }
    await endAudit(this.database, lease, reason);
    const { storeId, from, to } = lease;
    this.#logger.warn(
      `The books from ${from.toISOString()} to ${to.toISOString()} could not be compared: ${reason}`,
      { storeId },
    );
  }
}

function orLost(error: unknown): void {
  if (!(error instanceof AuditLeaseLostError)) throw error;
}
