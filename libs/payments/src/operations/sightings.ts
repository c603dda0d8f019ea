import { IN_FLIGHT_MS } from '../api/limits.js';
import { waitedMs, type Clock } from '../common/clock.js';
import type { PaymentsOperationEntity } from '../schema/operation.entity.js';

/** The last attempt of an operation, as its row shows it. */
export type Attempt = Pick<PaymentsOperationEntity, 'id' | 'attempts' | 'leaseUntil'>;

type Attempted = Pick<Attempt, 'id' | 'attempts'>;

/** What this process has seen of an operation, by its own waiting. */
interface Sighting {
  readonly attempts: number;
  /** Its sender has said that the attempt is over, and nothing of it leaves any more. */
  readonly hasEnded: boolean;
  readonly sinceMs: number;
}

/** Who forgets an attempt waits longer; who forgets how long a key has been in use is left with the times of its row. */
const MOST_SEEN = 10_000;

/** The attempts that a process makes or has before its eyes, and for how long, by the one clock that nobody sets. */
export class Sightings {
  readonly #own = new Set<string>();
  readonly #seen = new Map<string, Sighting>();
  /** When an operation was seen first, and when it was first seen to have been sent. */
  readonly #known = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** An attempt of this process begins: somebody here waits for its answer. */
  began(attempt: Attempted): void {
    this.#own.add(nameOf(attempt));
    this.#knownSinceMs(attempt.id);
    this.#knownSinceMs(asSent(attempt));
  }

  /** It is over, up to what is written of its answer. `isOpen`: its outcome is still to be found out. */
  ended(attempt: Attempted, isOpen: boolean): void {
    this.#own.delete(nameOf(attempt));
    if (isOpen) this.#note(attempt.id, { attempts: attempt.attempts, hasEnded: true });
    else this.#forget(attempt);
  }

  /** Whether it was seen as it is for longer than a request may be on its way or worked on; and nobody here waits for it. */
  hasWaited(attempt: Attempt): boolean {
    const { sinceMs } = this.#see(attempt);
    return !this.#own.has(nameOf(attempt)) && this.#nowMs - sinceMs > IN_FLIGHT_MS;
  }

  /** For how long the operation has been known here, in ms; sees it for the first time if it is not. */
  knownForMs({ id }: Pick<Attempt, 'id'>): number {
    return this.#nowMs - this.#knownSinceMs(id);
  }

  /** For how long its key is known here to be in use, in ms. A request may wait for a day before it is sent for the first time. */
  keyUsedForMs(operation: Pick<PaymentsOperationEntity, 'id' | 'firstSentAt'>): number {
    return operation.firstSentAt === null ? 0 : this.#nowMs - this.#knownSinceMs(asSent(operation));
  }

  /** Begins anew with each attempt, and with what its sender says of the end: a process that stood still says so late. */
  #see({ id, attempts, leaseUntil }: Attempt): Sighting {
    const hasEnded = leaseUntil === null;
    const seen = this.#seen.get(id);
    const isSame = seen?.attempts === attempts && (seen.hasEnded || !hasEnded);
    return isSame ? seen : this.#note(id, { attempts, hasEnded });
  }

  #note(id: string, state: Pick<Sighting, 'attempts' | 'hasEnded'>): Sighting {
    const sighting = { ...state, sinceMs: this.#nowMs };
    keep(this.#seen, id, sighting);
    return sighting;
  }

  #forget(attempt: Attempted): void {
    this.#seen.delete(attempt.id);
    this.#known.delete(attempt.id);
    this.#known.delete(asSent(attempt));
  }

  #knownSinceMs(name: string): number {
    const sinceMs = this.#known.get(name) ?? this.#nowMs;
    keep(this.#known, name, sinceMs);
    return sinceMs;
  }

  get #nowMs(): number {
    return waitedMs(this.clock);
  }
}

/** As the newest; the oldest goes. */
function keep<T>(seen: Map<string, T>, name: string, value: T): void {
  seen.delete(name);
  seen.set(name, value);
  const [oldest] = seen.keys();
  if (seen.size > MOST_SEEN && oldest !== undefined) seen.delete(oldest);
}

const nameOf = ({ id, attempts }: Attempted) => `${id} ${attempts}`;
const asSent = ({ id }: Pick<Attempt, 'id'>) => `${id} sent`;
