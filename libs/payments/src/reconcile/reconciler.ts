import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { PaymentNotFoundError, PaymentOutcomeUnknownError } from '../common/payments.errors.js';
import { pauseMs } from '../database/lock-wait.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { Shared } from '../work/shared.js';
import { Shutdown } from '../work/shutdown.js';
import { WorkSignal } from '../work/work-signal.js';
import type { Claim } from './claim.js';
import { Claims } from './claims.js';
import { rereadSpan } from './reread-span.js';
import { Reread } from './reread.js';

/** Of one payment. A buyer who reloads a page, or presses a button, all the time costs the shop no more requests than that. */
const LOOKS = { atOnce: 3, everyMs: 1_000 };

/** A caller waits for its re-read, also in a process that is ending. */
const NEVER = new AbortController().signal;

/**
 * Level-triggered: re-reads the object and applies what it finds. A notification, the sweep, the buyer's return and
 * an operator's button only decide when.
 */
@Injectable()
export class Reconciler {
  readonly #looks = new Shared<void>(LOOKS);

  constructor(
    private readonly claims: Claims,
    private readonly reread: Reread,
    private readonly signal: WorkSignal,
    private readonly shutdown: Shutdown,
    private readonly telemetry: Telemetry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Re-reads one payment now and waits for it; if a worker has it already, waits for that first. Those who ask at the same moment
   * share one re-read, which began after all of them had asked; who asks again and again waits for the pace.
   * @throws ServiceError if the service gives no answer
   * @throws UnconfirmedDatabaseError
   */
  refresh(paymentId: string): Promise<void> {
    // Time for a call counts from the moment it was made, whatever it waits for.
    const began = performance.now();
    return this.#looks.run(paymentId, () => this.#refresh(paymentId, began));
  }

  async #refresh(paymentId: string, began: number): Promise<void> {
    let exists = false;
    for (;;) {
      const claim = await this.claims.one(paymentId);
      if (claim) return this.run(claim, 'refresh');
      exists ||= await this.claims.exists(paymentId);
      if (!exists) throw new PaymentNotFoundError(paymentId);
      const waitedMs = performance.now() - began;
      if (waitedMs > this.options.callDeadlineMs) throw new PaymentOutcomeUnknownError(paymentId, 're-read');
      await delay(pauseMs(waitedMs));
    }
  }

  /**
   * Re-reads a claimed payment and applies what it finds; the claim is always returned.
   * @throws what prevented the re-read
   */
  run(claim: Claim, asked: 'sweep' | 'refresh'): Promise<void> {
    return this.telemetry.inSpan(
      () => rereadSpan(claim, asked),
      () => this.#run(claim, asked),
    );
  }

  async #run(claim: Claim, asked: 'sweep' | 'refresh'): Promise<void> {
    const lease = this.claims.lease(claim);
    const end = asked === 'sweep' ? this.shutdown.signal : NEVER;
    try {
      for (const kind of await this.reread.run({ claim, lease, asked, end })) this.signal.wake(kind);
    } catch (error) {
      // Broken off, not failed: another process may take it at once.
      if (asked === 'sweep' && this.shutdown.hasBegun) await this.claims.giveBack(claim);
      else await this.claims.fail(claim, error);
      throw error;
    } finally {
      // A caller's own requests are the caller's.
      if (asked === 'sweep') await this.claims.pay(claim, lease.requests);
    }
  }
}
