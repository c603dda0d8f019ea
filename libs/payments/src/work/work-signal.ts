import { Injectable } from '@nestjs/common';

/**
 * The kinds of work: notifications to hand over to their payments, other objects to re-read, payments to re-read, deliveries to
 * make; `all` of it.
 */
export type WorkKind = 'notifications' | 'objects' | 'payments' | 'deliveries' | 'all';

/**
 * Says “there may be something to do” inside this process, so that nothing waits for the next tick. A lost signal costs a tick,
 * no more.
 */
@Injectable()
export class WorkSignal {
  readonly #listeners = new Set<(kind: WorkKind) => void>();

  wake(kind: WorkKind = 'all'): void {
    for (const listener of this.#listeners) listener(kind);
  }

  subscribe(listener: (kind: WorkKind) => void): void {
    this.#listeners.add(listener);
  }
}
