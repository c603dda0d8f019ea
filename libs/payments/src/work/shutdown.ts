import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';

/**
 * The end of this process. Work under a lease is finished first, since others would have to wait for the lease; mere reads of the
 * sweeps are broken off and left to other processes.
 */
@Injectable()
export class Shutdown implements OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #calls = new Set<Promise<unknown>>();
  readonly #begun = new AbortController();

  /** Aborted when the shutdown begins. */
  get signal(): AbortSignal {
    return this.#begun.signal;
  }

  get hasBegun(): boolean {
    return this.signal.aborted;
  }

  /** The process ends only after this call of the host's, which has a deadline of its own. */
  async waitFor<T>(call: Promise<T>): Promise<T> {
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Resolves once the calls that are under way have ended; whether there were any. For tests. */
  async callsEnd(): Promise<boolean> {
    const calls = [...this.#calls];
    await Promise.allSettled(calls);
    return calls.length > 0;
  }

  /** The first phase of the end: Nest may await the later hooks one by one, and the sweeps wait for what this breaks off. */
  onModuleDestroy(): void {
    this.#begun.abort();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.#calls);
  }

  /** Calls that came in while the host's server was still open. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.#calls);
  }
}
