import {
  ForbiddenException,
  HttpException,
  HttpStatus,
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
import { SignInAttempts } from '../../examples/shared/web/sign-in-attempts.js';
import type { ShopOptions } from '../config/shop-options.js';

/** Lets in whoever has the staff's password (HTTP Basic, any user name), and no form of another site. */
@Injectable()
export class StaffGuard implements CanActivate {
  constructor(
    private readonly config: ConfigService<ShopOptions, true>,
    private readonly attempts: SignInAttempts,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const password = this.config.get('staffPassword', { infer: true });
    if (password === null) throw new NotFoundException();
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    this.#signIn(request, response, password);
    if (request.method !== 'GET' && isCrossSite(request.headers)) throw new ForbiddenException();
    return true;
  }

  /** A request without a password is answered with a request for it, and does not count as an attempt. */
  #signIn({ headers: { authorization }, ip = '' }: Request, response: Response, password: string): void {
    if (authorization !== undefined) {
      const waitMs = this.attempts.begin(ip);
      if (waitMs > 0) {
        response.setHeader('Retry-After', Math.ceil(waitMs / 1_000));
        throw new HttpException('Too many tries', HttpStatus.TOO_MANY_REQUESTS);
      }
      if (isSame(passwordOf(authorization), password)) return this.attempts.succeeded(ip);
    }
    response.setHeader('WWW-Authenticate', 'Basic realm="Kettle & Leaf staff", charset="UTF-8"');
    throw new UnauthorizedException();
  }
}

/** Empty if none is set: then no password is right. */
function passwordOf(authorization: string): string {
  const [, credentials = ''] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization) ?? [];
  const text = Buffer.from(credentials, 'base64').toString();
  return text.slice(text.indexOf(':') + 1);
}

/** The time it takes does not depend on where they differ. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
