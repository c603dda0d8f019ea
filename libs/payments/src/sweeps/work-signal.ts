import { Injectable } from '@nestjs/common';

/** Says “there may be something to do” inside this process, so that nothing waits for the next tick. Losing it costs a tick, no more. */
@Injectable()
export class WorkSignal {
  readonly #listeners = new Set<() => void>();

  wake(): void {
    for (const listener of this.#listeners) listener();
  }

  subscribe(listener: () => void): void {
    this.#listeners.add(listener);
  }
}
