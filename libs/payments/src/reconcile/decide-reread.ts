import { raiseAnomaly } from '../apply/anomaly.js';
import { applyReading } from '../apply/apply-reading.js';
import type { Reading, ReadingFacts, ReadingTerms } from '../apply/decide-reading.js';
import type { Verdict } from '../apply/judge.js';
import { delayWithoutNewsMs } from '../apply/poll-plan.js';
import type { ListedRefunds } from '../apply/refunds/judge-refunds.js';
import type { Draft } from '../payment/draft.js';
import { openLookAt } from '../payment/open-work.js';
import { returned } from '../payment/planned.js';
import { earlier } from '../payment/queue.js';
import type { Claim } from './claim.js';
import { keepHold, type HoldChoice } from './keep-hold.js';
import { settleFinishes, type KeyUsedMs, type Resolved } from './settle-finishes.js';

/** All that a re-read has found, and what to do with a hold that is due. */
export interface FullReading extends Reading {
  readonly refunds: ListedRefunds;
  readonly hold: HoldChoice | null;
  /** Before it was read. */
  readonly resolved: Resolved;
  /** The object was read a second time, since the first one was older than what is known. */
  readonly isAgain: boolean;
}

interface Known {
  readonly facts: ReadingFacts;
  /** As it was claimed. */
  readonly claim: {
    readonly due: Pick<Claim['due'], 'checks'>;
    readonly seen: Claim['seen'];
  };
}

interface Terms extends ReadingTerms {
  readonly keyUsedMs: KeyUsedMs;
}

/** What a re-read means for a payment and all that hangs on it, and when to look again; no place: only a second read can tell. */
export function decideReread(
  before: Draft,
  reading: FullReading,
  { facts, claim }: Known,
  terms: Terms,
): { readonly draft: Draft; readonly verdict: Verdict } {
  const { draft: applied, verdict, plan } = applyReading(before, reading, facts, terms);
  // Backwards in one read is a stale replica on their side; backwards in two is a fact to report.
  if (verdict.kind === 'stale' && !reading.isAgain) return { draft: applied, verdict };
  const reason = misfitOf(verdict);
  const { draft, lookAt, answeredSignals } =
    reason === null
      ? followed(applied, reading, facts, terms)
      : { draft: raiseAnomaly(applied, reason, reading), lookAt: null, answeredSignals: 0 };
  const at = earlier(plan.at, lookAt);
  const isListWanted = (draft.queued?.refundSignals ?? 0) > answeredSignals;
  const next = {
    ...plan,
    at: at === null && isListWanted ? openLookAt(draft.now, plan) : at,
    answeredSignals,
    restMs: restMsOf(claim, verdict.kind === 'unchanged'),
  };
  return { draft: returned(draft, next, claim.due.checks), verdict };
}

/** With what follows from an object that fits. */
function followed(
  applied: Draft,
  { resolved, hold, refunds }: FullReading,
  { mustWait, fiscalization }: ReadingFacts,
  terms: Terms,
) {
  const { draft, lookAt } = settleFinishes(applied, resolved, terms.keyUsedMs);
  const { profile } = terms;
  return {
    draft: hold ? keepHold(draft, hold, mustWait, { profile, fiscalization }) : draft,
    lookAt,
    answeredSignals: refunds.signals,
  };
}

function misfitOf(verdict: Verdict): string | null {
  if (verdict.kind === 'anomaly') return verdict.reason;
  return verdict.kind === 'stale' ? `status went back to ${verdict.status}` : null;
}

/** How long a payment rests whose re-read bore nothing out: by the notification that was sent most often. */
export function restMsOf({ seen }: Pick<Claim, 'seen'>, isFruitless: boolean): number {
  const notified = Math.max(0, ...seen.map(({ count }) => count));
  return isFruitless ? delayWithoutNewsMs(notified) : 0;
}
