/** How often the work of one key may begin: so many times at once, and then once in this time. */
interface Pace {
  readonly atOnce: number;
  readonly everyMs: number;
}

/** Work of one key that is under way or rests, and what follows it for all who asked meanwhile. */
interface Turn<T> {
  readonly done: Promise<T>;
  /** Until when what has begun so far takes up the pace, in the time of `performance.now()`. */
  readonly takenTo: number;
  next: Promise<T> | null;
}

/**
 * Does the work of many who ask for the same at the same moment once: whoever asks while it is under way waits for the next one,
 * and so do all others until that begins. So each result is of work that began after it was asked for. With a pace, the next one
 * waits for that too: nobody is told what is old, and whoever asks all the time is told as often as the pace allows.
 */
export class Shared<T> {
  readonly #turns = new Map<string, Turn<T>>();
  readonly #pace: Pace;

  constructor(pace: Pace = { atOnce: 1, everyMs: 0 }) {
    this.#pace = pace;
  }

  run(key: string, work: () => Promise<T>): Promise<T> {
    const current = this.#turns.get(key);
    if (!current) return this.#begin(key, work, 0);
    const { done, takenTo } = current;
    const begin = async () => {
      await this.#rest(takenTo);
      return this.#begin(key, work, takenTo);
    };
    current.next ??= done.then(begin, begin);
    return current.next;
  }

  #begin(key: string, work: () => Promise<T>, takenTo: number): Promise<T> {
    const done = work();
    const { everyMs } = this.#pace;
    const turn: Turn<T> = { done, takenTo: Math.max(performance.now(), takenTo) + everyMs, next: null };
    this.#turns.set(key, turn);
    // What waits for its end begins after this, and takes its place.
    const forget = () => {
      if (turn.next === null && this.#turns.get(key) === turn) this.#turns.delete(key);
    };
    const end = () => {
      const restMs = turn.takenTo - performance.now();
      if (restMs <= 0) forget();
      else setTimeout(forget, restMs).unref();
    };
    done.then(end, end);
    return done;
  }

  async #rest(takenTo: number): Promise<void> {
    const { atOnce, everyMs } = this.#pace;
    const restMs = takenTo - (atOnce - 1) * everyMs - performance.now();
    if (restMs > 0) await new Promise((resolve) => void setTimeout(resolve, restMs));
  }
}
