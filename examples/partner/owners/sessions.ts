import { UnauthorizedException } from '@nestjs/common';
import type { Response } from 'express';
import { IncomingMessage } from 'node:http';

import { findOwner, type Owner } from './owners.js';
import { issueToken, readToken } from './session-token.js';

/** Cookies know no ports: the name keeps it apart from those of others on the same machine. */
const COOKIE = 'market_row_session';
const cookiePattern = new RegExp(`(?:^|;\\s*)${COOKIE}=([^;]*)`);
const LIFETIME_MS = 12 * 60 * 60_000;

/** Who is signed in. */
export class Sessions {
  constructor(private readonly settings: { readonly secret: string; readonly overHttps: boolean }) {}

  /** Whose session the request is in; null: nobody is signed in. */
  ownerOf(request: object): Owner | null {
    if (!(request instanceof IncomingMessage)) return null;
    const [, token = ''] = cookiePattern.exec(request.headers.cookie ?? '') ?? [];
    const ownerId = readToken(token, Date.now(), this.settings.secret);
    return ownerId === null ? null : findOwner(ownerId);
  }

  /** @throws UnauthorizedException */
  mustBeSignedIn(request: object): Owner {
    const owner = this.ownerOf(request);
    if (owner === null) throw new UnauthorizedException();
    return owner;
  }

  /** Lax, not Strict: the way back from the service is a link of another site, and has to carry it. */
  signIn(response: Response, { id }: Owner): void {
    const token = issueToken(id, Date.now() + LIFETIME_MS, this.settings.secret);
    response.cookie(COOKIE, token, { ...this.attributes, maxAge: LIFETIME_MS });
  }

  signOut(response: Response): void {
    response.clearCookie(COOKIE, this.attributes);
  }

  private get attributes() {
    return { httpOnly: true, sameSite: 'lax', path: '/', secure: this.settings.overHttps } as const;
  }
}
