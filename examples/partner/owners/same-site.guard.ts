import { ForbiddenException, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

import { isCrossSite } from '../../shared/web/cross-site.js';

/** Accepts no form of another site's page: the browser would send the owner's session along. */
@Injectable()
export class SameSiteGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { method, headers } = context.switchToHttp().getRequest<Request>();
    if (method !== 'GET' && isCrossSite(headers)) throw new ForbiddenException();
    return true;
  }
}
