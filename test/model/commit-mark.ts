import { noticed } from '../../libs/payments/src/rollback/notice.js';
import { at, type CommitMark, type State } from './state.js';

/** What the processes know of the database's commits, and what they notice. */

const PATIENCE_MS = 30_000;

/** Nobody writes to two servers at the same time. */
const NOW = new Date(0);
const AT_ONCE = { epochs: [], reachedAt: NOW, now: NOW };

const server = (timeline: string | null) => ({
  systemIdentifier: 'server',
  timeline,
  database: 'database',
  installation: null,
});

function sightOf({ mark, failedOver }: State) {
  const isNoted = mark.epoch > 0;
  return {
    row: { ...stateOf(mark), ...server(isNoted || failedOver === 'hidden' ? null : '1') },
    shown: server(failedOver === 'shown' ? '2' : failedOver === null ? '1' : null),
    // Who comes back at once sees no silence.
    silentMs: 0,
    ...AT_ONCE,
  };
}

const stateOf = ({ epoch, counter }: CommitMark) => ({
  epoch: `epoch-${epoch}`,
  epochNumber: epoch,
  counter,
});

/** The condition of the statement that records a create. */
export function isAsKnown(state: State, knows: CommitMark | null): boolean {
  const { mark, failedOver } = state;
  // The row names the old server until somebody has noticed.
  const isSameServer = failedOver !== 'shown' || mark.epoch > 0;
  return knows !== null && mark.epoch === knows.epoch && mark.counter >= knows.counter && isSameServer;
}

/** Whether what was never sent, as far as its row knows, may have been sent long ago. */
export function mayHaveBeenSent(state: State): boolean {
  const { callers, keysGone, window } = state;
  const isBeingRead = window !== null && window !== 'again';
  return callers.some(({ knows }) => !isAsKnown(state, knows)) || (keysGone && isBeingRead);
}

/** Notices that commits are gone, or learns that another process has. */
export function look(next: State, caller: number): void {
  const process = at(next.callers, caller);
  const { knows, ...rest } = process;
  const reason = noticed(knows && { ...stateOf(knows), epochs: [], seenAt: NOW }, sightOf(next), PATIENCE_MS);
  const { mark } = next;
  if (reason !== null) {
    next.mark = { epoch: Math.max(mark.epoch, knows?.epoch ?? 0) + 1, counter: mark.counter };
    next.window = 'open';
  }
  next.callers[caller] = { ...rest, knows: next.mark };
}
