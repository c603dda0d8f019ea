const EVERY_MS = 20;

/** The maximum resident memory of this process while it was watched. */
export class MemoryWatch {
  #timer: NodeJS.Timeout | undefined;
  #most = 0;

  start(): void {
    this.#most = process.memoryUsage.rss();
    this.#timer = setInterval(() => (this.#most = Math.max(this.#most, process.memoryUsage.rss())), EVERY_MS);
  }

  /** In bytes. */
  stop(): number {
    clearInterval(this.#timer);
    return this.#most;
  }
}
