import { Injectable } from '@nestjs/common';
import { messageOf } from '../../common/message-of.js';
import { PaymentsLog } from '../../common/payments-log.js';
import { isHopeless } from '../../recovery/decide-window.js';
import { Shutdown } from '../../work/shutdown.js';
import type { Work } from '../../work/worker-pool.js';
import { Audit, type AuditSlice } from '../audit.js';
import { AuditLeaseLostError, AuditLeases, type AuditLease } from './audit-leases.js';

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
    private readonly leases: AuditLeases,
    private readonly shutdown: Shutdown,
  ) {}

  /** SQL condition: there is an audit to make. */
  get waits(): string {
    return this.leases.waits;
  }

  get work(): Work<AuditLease> {
    return {
      slots: SLOTS,
      take: async () => {
        const lease = this.shutdown.hasBegun ? null : await this.leases.take();
        return lease ? [lease] : [];
      },
      run: (lease) => this.#run(lease),
    };
  }

  async #run(lease: AuditLease): Promise<void> {
    // A day may take longer than a lease, and nobody else should begin it.
    const kept = setInterval(
      () => void this.leases.keep(lease).catch(() => undefined),
      this.leases.lastsMs / 3,
    );
    let failures = lease.failures;
    try {
      for await (const slice of this.#slices(lease)) {
        await this.leases.advance(lease, slice);
        failures = 0;
      }
      if (this.shutdown.hasBegun) await this.leases.giveBack(lease);
      else await this.leases.end(lease, null);
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
      return this.leases.postpone(lease, reason, pauseMs);
    }
    await this.leases.end(lease, reason);
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
