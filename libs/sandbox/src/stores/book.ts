import { ControlError } from '../common/control-error.js';
import type { Store } from './store.js';

/** All objects of one kind. The class of the kind alone makes and changes them; a change is a new object. */
export abstract class Book<Kind extends { readonly id: string; readonly store: Store }> {
  readonly #objects = new Map<string, Kind>();

  /** `kind`: its name in errors. `changed`: told of every change. */
  constructor(
    private readonly kind: string,
    private readonly changed: () => void = () => {},
  ) {}

  /** Of this store, or of any. */
  find(id: string, store?: Store): Kind | undefined {
    const object = this.#objects.get(id);
    return store && object?.store !== store ? undefined : object;
  }

  /** Throws ControlError 404. */
  get(id: string): Kind {
    const object = this.#objects.get(id);
    if (!object) throw new ControlError(404, `No ${this.kind} ${id}`);
    return object;
  }

  /** Of one store, or of all of them. */
  oldestFirst(store?: Store): Kind[] {
    const all = [...this.#objects.values()];
    return store ? all.filter((object) => object.store === store) : all;
  }

  newestFirst(store?: Store): Kind[] {
    return this.oldestFirst(store).toReversed();
  }

  /** Restores those of an earlier run, oldest first. */
  restore(objects: readonly Kind[]): void {
    for (const object of objects) this.#objects.set(object.id, object);
  }

  protected nextSequence(): number {
    return this.#objects.size + 1;
  }

  protected put(object: Kind): Kind {
    this.#objects.set(object.id, object);
    this.changed();
    return object;
  }
}
