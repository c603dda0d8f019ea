import { randomUUID } from 'node:crypto';
import type { SandboxClock } from '../clock/clock.js';
import { ControlError } from '../common/control-error.js';
import { oneOf } from '../common/input.js';
import { HOUR_MS } from '../common/time.js';
import { keptDetails } from '../methods/method-details.js';
import type { PaymentMethod } from '../methods/payment-method.js';
import { defaultCard } from '../methods/test-cards.js';
import type { Maker } from '../partnership/apps.js';
import type { Payment } from '../payments/payment.js';
import { usedMethod } from '../payments/used-method.js';
import { Book } from '../stores/book.js';
import { rulesOf, type Store } from '../stores/store.js';
import type { Announce } from '../wire/events.js';
import type { MethodType } from '../wire/names.js';
import type { BindingRequest, SavedMethod } from './saved-method.js';

/** How long the buyer may take to confirm that a method is saved without a payment. */
const BINDING_TERM_MS = HOUR_MS;

interface Dependencies {
  readonly clock: SandboxClock;
  readonly store: Store;
  /** Called for every binding without a payment, which is what the event is for. */
  readonly announce: Announce<SavedMethod>;
  /** Called for every change. */
  readonly changed: () => void;
}

/** All saved payment methods, and the only place that makes or changes one. */
export class SavedMethods extends Book<SavedMethod> {
  constructor(private readonly dependencies: Dependencies) {
    super('payment method', dependencies.changed);
  }

  /** Saves the method that just made a payment, under the payment's own id. */
  keep({ id, store, method, createdBy }: Payment): void {
    if (!method) return;
    const createdAt = this.dependencies.clock.now();
    this.put({ id, store, method: kept(method), status: 'active', request: null, createdBy, createdAt });
  }

  /** The buyer binds a method without paying. Throws ControlError 400 if the store has no such method that can be saved. */
  bind(type: unknown): SavedMethod {
    const { store, clock } = this.dependencies;
    const savable = store.methods.filter((known) => rulesOf(store, known).saving !== 'none');
    const known = oneOf(type, 'type', savable);
    const id = randomUUID();
    return this.#bound({
      id,
      store,
      method: methodOf(store, known),
      status: 'pending',
      request: null,
      createdBy: null,
      createdAt: clock.now(),
    });
  }

  /** A shop asks for a method without a payment: the buyer has an hour to confirm it. */
  request(type: MethodType, request: BindingRequest, by: { store: Store; createdBy: Maker }): SavedMethod {
    const method: PaymentMethod = { type, card: null, details: {} };
    const createdAt = this.dependencies.clock.now();
    const saved = this.put({ ...by, id: randomUUID(), method, status: 'pending', request, createdAt });
    this.#expect(saved);
    return saved;
  }

  /** Methods of an earlier run; one whose hour ended meanwhile ends at once. */
  override restore(saved: readonly SavedMethod[]): void {
    super.restore(saved);
    for (const method of saved) this.#expect(method);
  }

  /** The buyer confirms; `card`: as it was typed, by default the first test card. */
  confirm(id: string, card = defaultCard): SavedMethod {
    const saved = this.#pending(id);
    return this.#bound({ ...saved, method: methodOf(saved.store, saved.method.type, card) });
  }

  refuse(id: string): SavedMethod {
    return this.put({ ...this.#pending(id), status: 'inactive' });
  }

  /** The buyer withdraws the permission. Throws ControlError 404. */
  revoke(id: string): SavedMethod {
    return this.put({ ...this.get(id), status: 'inactive' });
  }

  /** The buyer has an hour. */
  #expect({ id, status, createdAt }: SavedMethod): void {
    if (status !== 'pending') return;
    this.dependencies.clock.at(new Date(createdAt.getTime() + BINDING_TERM_MS), () => {
      if (this.find(id)?.status === 'pending') this.refuse(id);
    });
  }

  #bound(saved: SavedMethod): SavedMethod {
    const active = this.put({ ...saved, status: 'active' });
    this.dependencies.announce('payment_method.active', active, this.dependencies.clock.now());
    return active;
  }

  #pending(id: string): SavedMethod {
    const saved = this.get(id);
    if (saved.status === 'pending') return saved;
    throw new ControlError(409, `Payment method ${id} is ${saved.status}, not pending`);
  }
}

function methodOf(store: Store, type: MethodType, card = defaultCard): PaymentMethod {
  return kept(usedMethod({ method: null, store }, type, type === 'bank_card' ? card : null));
}

/** Without what belongs to the payment alone that it made. */
function kept(method: PaymentMethod): PaymentMethod {
  return { ...method, details: keptDetails(method.details) };
}
