import { MINUTE_MS } from '../common/durations.js';
import type { NoticedReason } from '../schema/recovery.entity.js';

/** What the row of the commit mark says. */
export interface MarkState {
  readonly epoch: string;
  readonly epochNumber: number;
  readonly counter: number;
}

/** An epoch with the time whose commits were missing, or may have been, as it began; in business time. */
export interface Epoch {
  readonly id: string;
  readonly from: Date;
  readonly to: Date;
}

/** What a process knows of the commit mark. */
export interface KnownMark extends MarkState {
  /** The newest, oldest first. */
  readonly epochs: readonly Epoch[];
  /** The latest that the process has seen committed, in business time. */
  readonly seenAt: Date;
}

/** The server, as far as it shows that to the role; null: it does not. */
export interface ServerIdentity {
  readonly systemIdentifier: string | null;
  readonly timeline: string | null;
  /** Which database on it: `<oid> <name>`. */
  readonly database: string | null;
  /** What the host calls it; null: nothing. */
  readonly installation: string | null;
}

/** By what a database shows that it is not the one that its mark names. */
const places = ['systemIdentifier', 'database', 'installation'] as const;
/** One of {@link places}, as the mark has it and as it is. */
export interface OtherPlace {
  readonly by: (typeof places)[number];
  readonly was: string;
  readonly is: string;
}

/** What a look at the database found. */
export interface Sight {
  readonly row: MarkState & ServerIdentity;
  /** The server that was asked. */
  readonly shown: ServerIdentity;
  /** The newest, oldest first. */
  readonly epochs: readonly Epoch[];
  /** Since the last beat of any process, in the database's own time. */
  readonly silentMs: number;
  /** In business time: what was committed before the row's last beat is there. */
  readonly reachedAt: Date;
  readonly now: Date;
}

/** Two servers whose clocks differ by less are not taken for two that were written to at the same time. */
const APART_MS = MINUTE_MS;

/** What a look at the database leads to. */
interface Look {
  /** What a person has to say, before anything is done; null: nothing. */
  readonly other: OtherPlace | null;
  /** The mark is counted up. */
  readonly isCounted: boolean;
  /** A time whose commits are missing, or may be: it begins an epoch, and is looked for at the service. */
  readonly missing: { readonly reason: NoticedReason; readonly from: Date; readonly to: Date } | null;
}

/** How whoever looks does so. */
interface LookTerms {
  /** A person has said that the database goes on. */
  readonly goesOn: boolean;
  readonly patienceMs: number;
  /** false: its beat would hide that nobody else was there. */
  readonly sweeps: boolean;
}

export function decideLook(known: KnownMark | null, sight: Sight, terms: LookTerms): Look {
  const other = otherPlace(sight);
  if (other !== null && !terms.goesOn) return { other, isCounted: false, missing: null };
  const reason = noticed(known, sight, terms.patienceMs);
  const missing = reason && { reason, ...missingTime(known, sight) };
  return { other: null, isCounted: missing !== null || terms.sweeps, missing };
}

/** Why commits are missing, or may be; null: nothing speaks for that, or another process has noticed by now. */
export function noticed(
  known: KnownMark | null,
  sight: Sight,
  /** As long as that, nothing is suspected of a silence. */
  patienceMs: number,
): NoticedReason | null {
  const { row, shown, silentMs } = sight;
  if (known !== null && isBehind(sight, known)) return 'commits_lost';
  if (otherPlace(sight) !== null) return 'server_changed';
  if (differ(row.timeline, shown.timeline)) return 'timeline_changed';
  return silentMs > patienceMs ? 'silence' : null;
}

/**
 * A failover keeps the server's identity and raises its timeline. Another server, another database or another name was a person's doing: a
 * restored backup, a move, or a copy beside the original. Which of them it is, no look can tell. null: it is where its mark was written.
 */
export function otherPlace({ row, shown }: Pick<Sight, 'row' | 'shown'>): OtherPlace | null {
  for (const by of places) {
    const [was, is] = [row[by], shown[by]];
    if (was !== null && is !== null && was !== is) return { by, was, is };
  }
  return null;
}

/**
 * The time whose commits are missing, or may be: from the row's last beat until now; of a process that has seen more, from where the
 * database it has seen and this one part to the latest that it has seen.
 */
export function missingTime(
  known: KnownMark | null,
  sight: Sight,
): { readonly from: Date; readonly to: Date } {
  const { row, reachedAt, now, epochs } = sight;
  // A new server's clock may be behind that of the old one.
  const times = [reachedAt, now];
  if (known !== null && isBehind(sight, known)) {
    const parting = [...newTo(known, epochs), ...newTo({ epoch: row.epoch, epochs }, known.epochs)];
    times.push(known.seenAt, ...parting.map(({ from }) => from));
  }
  const ms = times.map((time) => time.getTime());
  return { from: new Date(Math.min(...ms)), to: new Date(Math.max(...ms)) };
}

/**
 * Whether the row is older than what the process has seen. Another epoch with the same or a higher number began after that, and another
 * process has noticed; unless this one has seen commits elsewhere since, as on an old primary that lived on.
 */
function isBehind({ row, epochs }: Sight, known: KnownMark): boolean {
  if (row.epoch === known.epoch) return row.counter < known.counter;
  const [first] = newTo(known, epochs);
  if (first !== undefined) return known.seenAt.getTime() > first.to.getTime() + APART_MS;
  return row.epochNumber < known.epochNumber;
}

/** The later ones of these epochs, after the last that is known. */
function newTo(known: Pick<KnownMark, 'epoch' | 'epochs'>, epochs: readonly Epoch[]): readonly Epoch[] {
  const ids = new Set([known.epoch, ...known.epochs.map(({ id }) => id)]);
  return epochs.slice(epochs.findLastIndex(({ id }) => ids.has(id)) + 1);
}

/** What is not shown says nothing. */
function differ(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}
