/** Work of one key that is under way, and what follows it for all who asked meanwhile. */
interface Turn<T> {
  readonly done: Promise<T>;
  next: Promise<T> | null;
}

/**
 * Does the work of many who ask for the same at the same moment once: whoever asks while it is under way waits for the next one,
 * and so do all others until that begins. So each result is of work that began after it was asked for.
 */
export class Shared<T> {
  readonly #turns = new Map<string, Turn<T>>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    const current = this.#turns.get(key);
    if (!current) return this.#begin(key, work);
    current.next ??= current.done.then(
      () => this.#begin(key, work),
      () => this.#begin(key, work),
    );
    return current.next;
  }

  #begin(key: string, work: () => Promise<T>): Promise<T> {
    const done = work();
    const turn: Turn<T> = { done, next: null };
    this.#turns.set(key, turn);
    const end = () => {
      // What waits for its end begins after this, and takes its place.
      if (turn.next === null) this.#turns.delete(key);
    };
    done.then(end, end);
    return done;
  }
}
