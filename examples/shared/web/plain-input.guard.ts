import { BadRequestException, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

import { isPlain } from './plain-input.js';

/** For routes that take plain fields alone: everything else is answered 400, before any of it is used. */
@Injectable()
export class PlainInputGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { params, query, body } = context.switchToHttp().getRequest<Request>();
    if (![params, query, body].every(isPlain)) throw new BadRequestException();
    return true;
  }
}
