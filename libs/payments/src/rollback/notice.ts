import type { NoticedReason } from '../schema/recovery.entity.js';

/** What a process knows of the commit mark, or what the row says. */
export interface MarkState {
  readonly epoch: string;
  readonly epochNumber: number;
  readonly counter: number;
}

/** The server, as far as it shows that to the role; null: it does not. */
export interface ServerIdentity {
  readonly systemIdentifier: string | null;
  readonly timeline: string | null;
}

/** What a look at the database found. */
export interface Sight {
  readonly row: MarkState & ServerIdentity;
  /** The server that was asked. */
  readonly shown: ServerIdentity;
  /** Since the last beat of any process, in the database's own time. */
  readonly silentMs: number;
}

/** Why commits are missing, or may be; null: nothing speaks for that, or another process has noticed by now. */
export function noticed(
  known: MarkState | null,
  { row, shown, silentMs }: Sight,
  /** As long as that, nothing is suspected of a silence. */
  patienceMs: number,
): NoticedReason | null {
  if (known !== null && isBehind(row, known)) return 'commits_lost';
  if (differ(row.systemIdentifier, shown.systemIdentifier)) return 'server_changed';
  if (differ(row.timeline, shown.timeline)) return 'timeline_changed';
  return silentMs > patienceMs ? 'silence' : null;
}

/**
 * Whether the row is older than what the process has seen of it. Another epoch with the same or a higher number began after that:
 * another process has noticed.
 */
function isBehind(row: MarkState, known: MarkState): boolean {
  return row.epoch === known.epoch ? row.counter < known.counter : row.epochNumber < known.epochNumber;
}

/** What is not shown says nothing. */
function differ(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}
