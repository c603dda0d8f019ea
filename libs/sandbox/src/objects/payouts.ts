import { randomUUID } from 'node:crypto';
import type { SandboxClock } from '../clock/clock.js';
import { ControlError } from '../common/control-error.js';
import { Book } from '../stores/book.js';
import type { Store } from '../stores/store.js';
import type { Cancellation } from '../wire/cancellation.js';
import type { Announce } from '../wire/events.js';
import type { Payout } from './payout.js';

interface Dependencies {
  readonly clock: SandboxClock;
  readonly store: Store;
  /** Called for every payout that ends, at that moment. */
  readonly announce: Announce<Payout>;
}

/** All payouts, and the only place that makes or changes one. */
export class Payouts extends Book<Payout> {
  constructor(private readonly dependencies: Dependencies) {
    super('payout');
  }

  create(amountMinor: number): Payout {
    return this.put({
      id: `po-${randomUUID()}`,
      store: this.dependencies.store,
      status: 'pending',
      amountMinor,
      cancellation: null,
      createdAt: this.dependencies.clock.now(),
      succeededAt: null,
    });
  }

  /** Ends a pending payout; null: it succeeds. Throws ControlError (404, 409). */
  finish(id: string, cancellation: Cancellation | null): Payout {
    const payout = this.get(id);
    if (payout.status !== 'pending') {
      throw new ControlError(409, `Payout ${id} is ${payout.status}, not pending`);
    }
    const at = this.dependencies.clock.now();
    const finished: Payout = cancellation
      ? { ...payout, status: 'canceled', cancellation }
      : { ...payout, status: 'succeeded', succeededAt: at };
    this.put(finished);
    this.dependencies.announce(cancellation ? 'payout.canceled' : 'payout.succeeded', finished, at);
    return finished;
  }
}
