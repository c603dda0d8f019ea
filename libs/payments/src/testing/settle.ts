import type { Sandbox } from '@holdfast/sandbox';
import { setTimeout as delay } from 'node:timers/promises';
import { PaymentsOperator } from '../operator/payments-operator.service.js';
import { Sweeper } from '../sweeper.js';
import { Shutdown } from '../work/shutdown.js';
import type { RunningApplication } from './companion.js';

/** Between two looks at what the module leaves alone for a moment, though it is due. */
const REST_MS = 25;

/**
 * Resolves when nothing is under way and nothing is due: the twin has no notification on its way, no call of the module is open, and
 * a pass through all background work that began after both finds nothing to do. What one of these does may lead to another, so each round
 * begins anew until one changes nothing. After a failure the module leaves a store alone for seconds of real time: that is waited for.
 */
export async function settle(
  sandbox: Pick<Sandbox, 'clock'>,
  application: RunningApplication,
): Promise<void> {
  for (;;) {
    await sandbox.clock.advance(0);
    const hadCalls = await application.get(Shutdown).callsEnd();
    const hadWork = await application.get(Sweeper).drain();
    if (hadCalls || hadWork) continue;
    const { payments } = await application.get(PaymentsOperator).backlog();
    if (payments.count === 0) return;
    await delay(REST_MS);
  }
}
