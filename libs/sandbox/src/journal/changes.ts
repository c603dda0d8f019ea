/** Tells whoever looks at the sandbox that something has changed, but not what. */
export class Changes {
  readonly #listeners = new Set<() => void>();

  announce(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` at every change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
