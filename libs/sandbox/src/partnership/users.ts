import { ControlError } from '../common/control-error.js';

/** Of every user: the sandbox would learn nothing from passwords. */
export const PASSWORD = 'sandbox';

/** A person who can sign in. Only the login that a store names as its owner has the Owner role there. */
export interface User {
  readonly login: string;
  readonly name: string;
}

/** All users, and the only place that makes one. */
export class Users {
  readonly #users = new Map<string, User>();

  find(login: string): User | undefined {
    return this.#users.get(login);
  }

  /** Oldest first. */
  list(): User[] {
    return [...this.#users.values()];
  }

  /** Throws ControlError 409 if the login is taken. */
  add(user: User): User {
    if (this.#users.has(user.login)) throw new ControlError(409, `User ${user.login} exists already`);
    this.#users.set(user.login, user);
    return user;
  }
}
