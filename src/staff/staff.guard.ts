import {
  ForbiddenException,
  Injectable,
  NotFoundException,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { Request, Response } from 'express';
import { createHash, timingSafeEqual } from 'node:crypto';
import { isCrossSite } from '../../examples/shared/web/cross-site.js';
import { KnownBrowsers } from '../../examples/shared/web/known-browsers.js';
import { mustNotWait } from '../../examples/shared/web/rate-limit.js';
import { SignInAttempts } from '../../examples/shared/web/sign-in-attempts.js';
import type { ShopOptions } from '../config/shop-options.js';

const COOKIE = 'staff_browser';
const YEAR_MS = 365 * 86_400_000;

/** Lets in whoever has the staff's password (HTTP Basic, any user name), and no form of another site. */
@Injectable()
export class StaffGuard implements CanActivate {
  readonly #password: string | null;
  readonly #browsers: KnownBrowsers | null;

  constructor(
    config: ConfigService<ShopOptions, true>,
    private readonly attempts: SignInAttempts,
  ) {
    this.#password = config.get('staffPassword', { infer: true });
    this.#browsers = this.#password === null ? null : new KnownBrowsers(this.#password);
  }

  canActivate(context: ExecutionContext): boolean {
    if (this.#password === null || this.#browsers === null) throw new NotFoundException();
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const browser = this.#knownIn(request);
    this.#signIn(request, response, this.#password, browser);
    if (browser === null)
      response.cookie(COOKIE, this.#browsers.newCookie(), {
        httpOnly: true,
        // It grants nothing, and whoever follows a link from a message is the same browser.
        sameSite: 'lax',
        path: '/staff',
        secure: request.secure,
        maxAge: YEAR_MS,
      });
    if (request.method !== 'GET' && isCrossSite(request.headers)) throw new ForbiddenException();
    return true;
  }

  /** A neighbouring host may have set a cookie of this name too, and the browser may send that one first. */
  #knownIn({ headers }: Request): string | null {
    const cookies = (headers.cookie ?? '').split(/;\s*/).map((cookie) => cookie.split('=', 2));
    for (const [name, value] of cookies) {
      const id = name === COOKIE ? (this.#browsers?.idOf(value) ?? null) : null;
      if (id !== null) return id;
    }
    return null;
  }

  /** A request without a password is answered with a request for it, and does not count as an attempt. */
  #signIn(
    { headers: { authorization }, ip = '' }: Request,
    response: Response,
    password: string,
    browser: string | null,
  ): void {
    if (authorization !== undefined) {
      mustNotWait(this.attempts.begin(ip, browser), response);
      if (isSame(passwordOf(authorization), password)) return this.attempts.succeeded(ip, browser);
    }
    response.setHeader('WWW-Authenticate', 'Basic realm="Kettle & Leaf staff", charset="UTF-8"');
    throw new UnauthorizedException();
  }
}

/** The name that a member of the staff signed in with. Anybody who has the password can take any: it says who wants to be asked. */
export function nameOf({ headers: { authorization = '' } }: Pick<Request, 'headers'>): string {
  return credentialsOf(authorization).name || 'staff';
}

/** Empty if none is set: then no password is right. */
function passwordOf(authorization: string): string {
  return credentialsOf(authorization).password;
}

function credentialsOf(authorization: string): { name: string; password: string } {
  const [, credentials = ''] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization) ?? [];
  const text = Buffer.from(credentials, 'base64').toString();
  const colon = text.indexOf(':');
  return { name: text.slice(0, Math.max(0, colon)), password: text.slice(colon + 1) };
}

/** The time it takes does not depend on where they differ. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
