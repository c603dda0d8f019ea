import { ControlError } from '../common/control-error.js';
import { digest } from '../common/secrets.js';
import type { Permission } from '../wire/permissions.js';

/** An app of the partnership program as it was registered. */
export interface App {
  readonly clientId: string;
  readonly name: string;
  /** null if none was given. */
  readonly description: string | null;
  readonly siteUrl: string | null;
  /** The one address that owners are sent back to. */
  readonly callbackUrl: string;
  readonly permissions: readonly Permission[];
}

/** All apps, and the only place that makes one. */
export class Apps {
  readonly #apps = new Map<string, App>();
  readonly #byCredentials = new Map<string, App>();

  find(clientId: string): App | undefined {
    return this.#apps.get(clientId);
  }

  /** `client id:client secret`, as HTTP Basic carries it. */
  withCredentials(credentials: string): App | undefined {
    return this.#byCredentials.get(digest(credentials));
  }

  /** Oldest first. */
  list(): App[] {
    return [...this.#apps.values()];
  }

  /** Throws ControlError 409 if the client id is taken. */
  register(app: App, clientSecret: string): App {
    const { clientId } = app;
    if (this.#apps.has(clientId)) throw new ControlError(409, `App ${clientId} exists already`);
    this.#apps.set(clientId, app);
    this.#byCredentials.set(digest(`${clientId}:${clientSecret}`), app);
    return app;
  }
}

/** Client id of the app that made an object; null: the shop made it itself. */
export type Maker = string | null;
