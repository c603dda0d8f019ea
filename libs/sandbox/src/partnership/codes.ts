import type { SandboxClock } from '../clock/clock.js';
import { digest, newSecret } from '../common/secrets.js';
import { MINUTE_MS } from '../common/time.js';
import type { App } from './apps.js';
import { OAuthError } from './oauth-error.js';
import type { Grant, IssuedToken, Tokens } from './tokens.js';

/** How long a code is valid. */
const CODE_LIFETIME_MS = 5 * MINUTE_MS;

interface Code {
  readonly grant: Grant;
  readonly expiresAt: Date;
  /** The token it was exchanged for; null before that. */
  tokenId: string | null;
}

/** Authorization codes, from an owner's consent to the token. */
export class Codes {
  readonly #codes = new Map<string, Code>();

  constructor(
    private readonly clock: SandboxClock,
    private readonly tokens: Tokens,
  ) {}

  /** The code itself is returned only here. */
  issue(grant: Grant): string {
    const code = newSecret();
    const expiresAt = new Date(this.clock.now().getTime() + CODE_LIFETIME_MS);
    this.#codes.set(digest(code), { grant, expiresAt, tokenId: null });
    return code;
  }

  /** Throws OAuthError invalid_grant if the code is unknown, another app's, used or too old. */
  exchange(text: string, app: App): IssuedToken {
    const code = this.#codes.get(digest(text));
    if (code?.grant.app !== app) throw new OAuthError('invalid_grant', 'There is no such code');
    if (code.tokenId !== null) {
      // Somebody else may have got hold of it, and of the token (assumed, as RFC 6749 advises in section 4.1.2).
      this.tokens.revoke(code.tokenId);
      throw new OAuthError('invalid_grant', 'The code was used already; its token is revoked');
    }
    if (this.clock.now() >= code.expiresAt) throw new OAuthError('invalid_grant', 'The code has expired');
    const issued = this.tokens.issue(code.grant);
    code.tokenId = issued.token.id;
    return issued;
  }
}
