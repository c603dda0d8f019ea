import type { Logger } from '@nestjs/common';
import type { Request } from 'express';

/**
 * Logs a failed request that is the application's fault. What a person has to look at is an error with its stack; a service that
 * does not answer is a warning.
 */
export function reportFailure(logger: Logger, status: number, request: Request, error: unknown): void {
  if (status < 500) return;
  const route = routeOf(request);
  if (status === 500) logger.error(route, error instanceof Error ? error.stack : String(error));
  else logger.warn(`${route}: ${String(error)}`);
}

/** The pattern and not the address, which opens an order, or is a store's webhook: a secret either way. */
function routeOf({ method, route }: Request): string {
  const path: unknown = Reflect.get(Object(route), 'path');
  return typeof path === 'string' ? `${method} ${path}` : method;
}
