import { randomUUID } from 'node:crypto';
import type { SandboxClock } from '../clock/clock.js';
import { ControlError } from '../common/control-error.js';
import type { Store } from '../stores/store.js';
import type { Cancellation } from '../wire/cancellation.js';
import type { Announce } from '../wire/events.js';
import type { Payout } from './payout.js';

interface Surroundings {
  readonly clock: SandboxClock;
  readonly store: Store;
  /** Called for every payout that ends, at that moment. */
  readonly announce: Announce<Payout>;
}

/** All payouts, and the only place that makes or changes one. */
export class Payouts {
  readonly #payouts = new Map<string, Payout>();
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  find(id: string): Payout | undefined {
    return this.#payouts.get(id);
  }

  newestFirst(): Payout[] {
    return [...this.#payouts.values()].toReversed();
  }

  create(amountMinor: number): Payout {
    const payout: Payout = {
      id: `po-${randomUUID()}`,
      store: this.#around.store,
      status: 'pending',
      amountMinor,
      cancellation: null,
      createdAt: this.#around.clock.now(),
      succeededAt: null,
    };
    this.#payouts.set(payout.id, payout);
    return payout;
  }

  /** Ends a pending payout; null: it succeeds. Throws ControlError (404, 409). */
  finish(id: string, cancellation: Cancellation | null): Payout {
    const payout = this.#payouts.get(id);
    if (!payout) throw new ControlError(404, `No payout ${id}`);
    if (payout.status !== 'pending') {
      throw new ControlError(409, `Payout ${id} is ${payout.status}, not pending`);
    }
    const at = this.#around.clock.now();
    const finished: Payout = cancellation
      ? { ...payout, status: 'canceled', cancellation }
      : { ...payout, status: 'succeeded', succeededAt: at };
    this.#payouts.set(id, finished);
    this.#around.announce(cancellation ? 'payout.canceled' : 'payout.succeeded', finished, at);
    return finished;
  }
}
