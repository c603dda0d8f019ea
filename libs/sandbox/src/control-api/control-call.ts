import type { Request } from 'express';

/** One call of the control API; answered with its return value, or `{}` if there is none. */
export interface ControlCall {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  readonly work: (request: Request) => unknown;
}

/** The `:id` of the path. */
export function idOf(request: Request): string {
  return String(request.params['id']);
}
