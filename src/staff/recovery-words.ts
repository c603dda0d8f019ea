import type { DatabaseEvent, Recovery, RecoveryReason } from '@holdfast/payments';

import { moment } from '../../examples/shared/pages/format.js';

const reasons: Record<RecoveryReason, string> = {
  commits_lost: 'the database is as it was before',
  server_changed: 'the database is on another server, as after a restored backup',
  timeline_changed: 'another database server took over',
  silence: 'nothing reached the database, which may be an older copy since then',
  in_flight: 'requests were on their way as the time before was read',
  requested: 'somebody had it read again',
};

/** Ended ones beside those that need somebody. */
const READ_SHOWN = 5;

/** What became of a time of lost commits. `unread`: nobody reads it any more by itself. */
export type RecoveryState = 'open' | 'unread' | 'read';

export function recoveryState({ doneAt, error }: Pick<Recovery, 'doneAt' | 'error'>): RecoveryState {
  if (doneAt === null) return 'open';
  return error === null ? 'read' : 'unread';
}

/** What is not read yet, and the last few that were; a silence or a second look that brought nothing is of no interest. */
export function recoveriesAtDesk(recoveries: readonly Recovery[]): Recovery[] {
  const waiting = recoveries.filter((recovery) => recoveryState(recovery) !== 'read');
  const read = recoveries.filter(
    (recovery) =>
      recoveryState(recovery) === 'read' &&
      (!['silence', 'in_flight'].includes(recovery.reason) || foundIn(recovery) > 0),
  );
  return [...waiting, ...read.slice(0, READ_SHOWN)];
}

/** `from 1 Mar 2030, 10:00:00 UTC to …: another database server took over`. */
export function periodWords({ from, to, reason }: Pick<Recovery, 'from' | 'to' | 'reason'>): string {
  return `from ${moment(from)} to ${moment(to)}: ${reasons[reason]}`;
}

/** How far it is, in a sentence. */
export function progressWords(recovery: Recovery): string {
  const { doneAt, error } = recovery;
  if (doneAt === null)
    return error === null
      ? 'It is being read at the payment service.'
      : `It could not be read yet, and is tried again: ${error}`;
  return error === null
    ? `It was read at the payment service, ${moment(doneAt)}.`
    : `It could not be read: ${error}`;
}

/** What was recorded again, in a sentence. */
export function foundWords(recovery: Recovery): string {
  const { paymentsAdopted, paymentsWithRefunds } = recovery;
  if (foundIn(recovery) === 0) return 'Nothing was missing so far.';
  return `Recorded again: ${counted(paymentsAdopted)}. With refunds that were not known: ${counted(paymentsWithRefunds)}.`;
}

/** What the staff must know about a database that has forgotten commits. */
export function noteOfRollback(event: Pick<DatabaseEvent, 'from' | 'to' | 'reason'>): string {
  return (
    `The shop may have forgotten what happened ${periodWords(event)}. Payments and refunds of that time are read at the payment service ` +
    'and recorded again; “Lost times” shows how far that is. Orders of that time, and what you did about them, may be missing.'
  );
}

function foundIn({ paymentsAdopted, paymentsWithRefunds }: Recovery): number {
  return paymentsAdopted + paymentsWithRefunds;
}

function counted(payments: number): string {
  return payments === 1 ? '1 payment' : `${payments} payments`;
}
