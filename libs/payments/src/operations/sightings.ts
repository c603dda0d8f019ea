import { IN_FLIGHT_MS } from '../api/limits.js';
import { waitedMs, type Clock } from '../common/clock.js';
import type { OperationEntity } from '../schema/operation.entity.js';

/** The last attempt of an operation, as its row shows it. */
export type Attempt = Pick<OperationEntity, 'id' | 'attempts' | 'leaseUntil'>;

type Attempted = Pick<Attempt, 'id' | 'attempts'>;

/** What this process has seen of an operation, by its own waiting. */
interface Sighting {
  readonly attempts: number;
  /** Its sender has said that the attempt is over, and nothing of it leaves any more. */
  readonly hasEnded: boolean;
  readonly sinceMs: number;
  /** When the operation was seen first. */
  readonly knownSinceMs: number;
}

/** Whoever forgets one waits longer. */
const MOST_SEEN = 10_000;

/** The attempts that a process makes or has before its eyes, and for how long, by the one clock that nobody sets. */
export class Sightings {
  readonly #own = new Set<string>();
  readonly #seen = new Map<string, Sighting>();

  constructor(private readonly clock: Clock) {}

  /** An attempt of this process begins: somebody here waits for its answer. */
  began(attempt: Attempted): void {
    this.#own.add(nameOf(attempt));
  }

  /** It is over, up to what is written of its answer. `isOpen`: its outcome is still to be found out. */
  ended(attempt: Attempted, isOpen: boolean): void {
    this.#own.delete(nameOf(attempt));
    if (isOpen) this.#note(attempt.id, { attempts: attempt.attempts, hasEnded: true });
    else this.#seen.delete(attempt.id);
  }

  /** Whether it was seen as it is for longer than a request may be on its way or worked on; and nobody here waits for it. */
  hasWaited(attempt: Attempt): boolean {
    const { sinceMs } = this.#see(attempt);
    return !this.#own.has(nameOf(attempt)) && this.#nowMs - sinceMs > IN_FLIGHT_MS;
  }

  /** For how long the operation has been known here, in ms; sees it for the first time if it is not. */
  knownForMs(attempt: Attempt): number {
    return this.#nowMs - this.#see(attempt).knownSinceMs;
  }

  /** Begins anew with each attempt, and with what its sender says of the end: a process that stood still says so late. */
  #see({ id, attempts, leaseUntil }: Attempt): Sighting {
    const hasEnded = leaseUntil === null;
    const seen = this.#seen.get(id);
    const isSame = seen?.attempts === attempts && (seen.hasEnded || !hasEnded);
    return isSame ? seen : this.#note(id, { attempts, hasEnded });
  }

  #note(id: string, state: Pick<Sighting, 'attempts' | 'hasEnded'>): Sighting {
    const sinceMs = this.#nowMs;
    const sighting = { ...state, sinceMs, knownSinceMs: this.#seen.get(id)?.knownSinceMs ?? sinceMs };
    this.#seen.delete(id);
    this.#seen.set(id, sighting);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST_SEEN && oldest !== undefined) this.#seen.delete(oldest);
    return sighting;
  }

  get #nowMs(): number {
    return waitedMs(this.clock);
  }
}

const nameOf = ({ id, attempts }: Attempted) => `${id} ${attempts}`;
