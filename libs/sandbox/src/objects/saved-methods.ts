import { randomUUID } from 'node:crypto';
import type { SandboxClock } from '../clock/clock.js';
import { ControlError } from '../control/control-error.js';
import { oneOf } from '../control/input.js';
import type { Announce } from '../notifications/notifier.js';
import type { Payment } from '../payments/payment.js';
import { defaultCard } from '../payments/test-cards.js';
import type { Store } from '../store/store.js';
import type { SavedMethod } from './saved-method.js';

interface Surroundings {
  readonly clock: SandboxClock;
  readonly store: Store;
  /** Called for every binding without a payment, which is what the event is for. */
  readonly announce: Announce<SavedMethod>;
}

/** All saved payment methods, and the only place that makes or changes one. */
export class SavedMethods {
  readonly #methods = new Map<string, SavedMethod>();
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  find(id: string): SavedMethod | undefined {
    return this.#methods.get(id);
  }

  newestFirst(): SavedMethod[] {
    return [...this.#methods.values()].toReversed();
  }

  /** Saves the method that just made a payment, under the payment's own id. */
  keep({ id, store, method }: Payment): void {
    if (method) this.#methods.set(id, { id, store, method, status: 'active' });
  }

  /** The buyer binds a method without paying. Throws ControlError 400 if the store has no such method. */
  bind(type: unknown): SavedMethod {
    const { store } = this.#around;
    const known = oneOf(type, 'type', store.methods);
    const card = known === 'bank_card' ? defaultCard : null;
    const saved: SavedMethod = {
      id: randomUUID(),
      store,
      method: { type: known, card, details: {} },
      status: 'active',
    };
    this.#methods.set(saved.id, saved);
    this.#around.announce('payment_method.active', saved, this.#around.clock.now());
    return saved;
  }

  /** The buyer withdraws the permission. Throws ControlError 404. */
  revoke(id: string): SavedMethod {
    const saved = this.#methods.get(id);
    if (!saved) throw new ControlError(404, `No payment method ${id}`);
    const revoked: SavedMethod = { ...saved, status: 'inactive' };
    this.#methods.set(id, revoked);
    return revoked;
  }
}
