import { ControlError } from '../common/control-error.js';
import { digest } from '../common/secrets.js';
import { methodRules } from '../methods/methods.js';
import { methodsOf, wireNames, type MethodType, type ProfileName } from '../wire/names.js';
import type { Fiscalization } from './fiscalization.js';
import { demoMethods, type Store, type StoreStatus } from './store.js';

/** The settings of a new store. */
interface NewStore {
  readonly accountId: string;
  readonly secretKey: string;
  readonly owner: string;
  readonly name: string;
}

/** What the owner and the service may change in a store. */
interface StoreSettings {
  readonly status?: StoreStatus;
  readonly methods?: readonly MethodType[];
  readonly cardApp?: boolean;
  readonly receipts?: Fiscalization | null;
  readonly recurring?: boolean;
}

type WritableStore = { -readonly [Setting in keyof Store]: Store[Setting] };

/** The first number that the service gives to a gateway. */
const FIRST_GATEWAY = 1_000_001;

/** All stores, and the only place that makes or changes one. */
export class Stores {
  readonly #stores = new Map<string, WritableStore>();
  readonly #byCredentials = new Map<string, Store>();

  constructor(private readonly profile: ProfileName) {}

  find(accountId: string): Store | undefined {
    return this.#stores.get(accountId);
  }

  /** Throws ControlError 404. */
  get(accountId: string): Store {
    return this.#existing(accountId);
  }

  /** The sandbox's own: that of its options. */
  get own(): Store {
    const [first] = this.#stores.values();
    if (!first) throw new Error('The sandbox has no store of its own yet');
    return first;
  }

  /** `shop id:secret key`, as HTTP Basic carries it. */
  withCredentials(credentials: string): Store | undefined {
    return this.#byCredentials.get(digest(credentials));
  }

  /** Oldest first. */
  list(): Store[] {
    return [...this.#stores.values()];
  }

  /** An id of a demo store that no store has. */
  freeId(): string {
    for (let number = this.#stores.size + 1; ; number += 1) {
      const accountId = `test_store_${number}`;
      if (!this.#stores.has(accountId)) return accountId;
    }
  }

  /** Throws ControlError 409 if the id is taken. */
  add({ accountId, secretKey, owner, name }: NewStore): Store {
    if (this.#stores.has(accountId)) throw new ControlError(409, `Store ${accountId} exists already`);
    const demo = accountId.startsWith('test_');
    const store: WritableStore = {
      accountId,
      gatewayId: String(FIRST_GATEWAY + this.#stores.size),
      name,
      owner,
      demo,
      status: 'enabled',
      methods: demo ? demoMethods : methodsOf(wireNames[this.profile]),
      // Like the bank application, which a demo store does not have either.
      cardApp: !demo,
      receipts: null,
      recurring: true,
      names: wireNames[this.profile],
      rules: methodRules[this.profile],
    };
    this.#stores.set(accountId, store);
    this.setSecretKeys(store, [secretKey]);
    return store;
  }

  /** Only these are valid from now on: several while the store's key changes. */
  setSecretKeys(store: Store, keys: readonly string[]): void {
    for (const [known, whose] of this.#byCredentials) if (whose === store) this.#byCredentials.delete(known);
    for (const key of keys) this.#byCredentials.set(digest(`${store.accountId}:${key}`), store);
  }

  /** Throws ControlError (400, 404). */
  change(accountId: string, { status, methods, cardApp, receipts, recurring }: StoreSettings): Store {
    const store = this.#existing(accountId);
    const untestable = methods?.filter((method) => store.demo && !demoMethods.includes(method)) ?? [];
    if (untestable.length > 0) {
      throw new ControlError(400, `A demo store cannot have ${untestable.join(', ')}`);
    }
    if (receipts && !store.names.isPublic)
      throw new ControlError(400, 'The interface has no receipts; the profile yookassa has them');
    if (cardApp === true && store.demo) throw new ControlError(400, 'A demo store cannot have the card app');
    store.status = status ?? store.status;
    store.methods = methods ?? store.methods;
    store.cardApp = cardApp ?? store.cardApp;
    store.recurring = recurring ?? store.recurring;
    if (receipts !== undefined) store.receipts = receipts;
    return store;
  }

  #existing(accountId: string): WritableStore {
    const store = this.#stores.get(accountId);
    if (!store) throw new ControlError(404, `No store ${accountId}`);
    return store;
  }
}
