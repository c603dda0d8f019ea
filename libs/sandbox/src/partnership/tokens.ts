import { randomUUID } from 'node:crypto';
import type { SandboxClock } from '../clock/clock.js';
import { ControlError } from '../common/control-error.js';
import { digest, newSecret } from '../common/secrets.js';
import type { Store } from '../stores/store.js';
import type { Permission } from '../wire/permissions.js';
import type { App } from './apps.js';

/** As the service interface says: five years; assumed, that a year has 365 days. */
export const TOKEN_LIFETIME_S = 5 * 365 * 24 * 60 * 60;

/** What an owner granted to an app: to act for one store. */
export interface Grant {
  readonly app: App;
  readonly store: Store;
  /** As the owner saw them. */
  readonly permissions: readonly Permission[];
}

/** An app's token. The text of the token itself is not stored. */
export interface AppToken extends Grant {
  readonly id: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** Requests with it are no longer executed. */
  readonly revokedAt: Date | null;
}

export interface IssuedToken {
  readonly token: AppToken;
  /** Returned only here. */
  readonly accessToken: string;
}

type Writable = AppToken & { expiresAt: Date; revokedAt: Date | null };

/** All tokens, and the only place that makes or changes one. */
export class Tokens {
  readonly #tokens = new Map<string, Writable>();
  readonly #byDigest = new Map<string, Writable>();

  constructor(private readonly clock: SandboxClock) {}

  issue({ app, store, permissions }: Grant, accessToken = newSecret()): IssuedToken {
    const issuedAt = this.clock.now();
    const token: Writable = {
      id: randomUUID(),
      app,
      store,
      permissions,
      issuedAt,
      expiresAt: new Date(issuedAt.getTime() + TOKEN_LIFETIME_S * 1000),
      revokedAt: null,
    };
    this.#tokens.set(token.id, token);
    this.#byDigest.set(digest(accessToken), token);
    return { token, accessToken };
  }

  /** The token behind this text, valid or not. */
  behind(accessToken: string): AppToken | undefined {
    return this.#byDigest.get(digest(accessToken));
  }

  isGood({ revokedAt, expiresAt }: AppToken): boolean {
    return revokedAt === null && this.clock.now() < expiresAt;
  }

  /** Oldest first. */
  list(): AppToken[] {
    return [...this.#tokens.values()];
  }

  /** Ends it for good; one that is revoked already stays as it is. Throws ControlError 404. */
  revoke(id: string): AppToken {
    const token = this.#existing(id);
    token.revokedAt ??= this.clock.now();
    return token;
  }

  /** Ends its lifetime now. Throws ControlError 404. */
  expire(id: string): AppToken {
    const token = this.#existing(id);
    const now = this.clock.now();
    if (now < token.expiresAt) token.expiresAt = now;
    return token;
  }

  #existing(id: string): Writable {
    const token = this.#tokens.get(id);
    if (!token) throw new ControlError(404, `No token ${id}`);
    return token;
  }
}
