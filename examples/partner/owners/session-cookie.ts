import type { CookieOptions } from 'express';
import { IncomingMessage } from 'node:http';

/** 256 bits, base64url. */
const TOKEN = /^[\w-]{43}$/;

/** How a session's token travels. */
export class SessionCookie {
  readonly name: string;
  readonly attributes: CookieOptions;
  readonly #pattern: RegExp;

  /**
   * Over HTTPS its name begins with `__Host-`: browsers then accept it only from this very host, so that no other host of the
   * same domain can set one of its own. Cookies ignore ports: the rest of the name keeps it apart from those of others on the
   * same machine. Lax, not Strict: the way back from the service is a link of another site, and must carry it.
   */
  constructor(publicUrl: string) {
    const overHttps = publicUrl.startsWith('https:');
    this.name = overHttps ? '__Host-market_row_session' : 'market_row_session';
    this.attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure: overHttps };
    this.#pattern = new RegExp(`(?:^|;\\s*)${this.name}=([^;]*)`);
  }

  /** The token in a request; null: none, or an invalid one. */
  tokenOf(request: object): string | null {
    if (!(request instanceof IncomingMessage)) return null;
    const [, token = ''] = this.#pattern.exec(request.headers.cookie ?? '') ?? [];
    return TOKEN.test(token) ? token : null;
  }
}
