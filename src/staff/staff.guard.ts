import { createHash, timingSafeEqual } from 'node:crypto';

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

import type { ShopOptions } from '../config/shop-options.js';
import { isCrossSite } from './cross-site.js';

/** Lets in whoever has the staff's password (HTTP Basic, any user name), and no form of another site. */
@Injectable()
export class StaffGuard implements CanActivate {
  constructor(private readonly config: ConfigService<ShopOptions, true>) {}

  canActivate(context: ExecutionContext): boolean {
    const password = this.config.get('staffPassword', { infer: true });
    if (password === null) throw new NotFoundException();
    const request = context.switchToHttp().getRequest<Request>();
    if (!isSame(passwordOf(request.headers.authorization), password)) {
      const response = context.switchToHttp().getResponse<Response>();
      response.setHeader('WWW-Authenticate', 'Basic realm="Kettle & Leaf staff", charset="UTF-8"');
      throw new UnauthorizedException();
    }
    if (request.method !== 'GET' && isCrossSite(request.headers)) throw new ForbiddenException();
    return true;
  }
}

/** Empty where there is none: no password is. */
function passwordOf(authorization = ''): string {
  const [, credentials = ''] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization) ?? [];
  const text = Buffer.from(credentials, 'base64').toString();
  return text.slice(text.indexOf(':') + 1);
}

/** In a time that tells nothing about where they differ. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
