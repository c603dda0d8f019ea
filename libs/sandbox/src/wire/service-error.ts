import { randomUUID } from 'node:crypto';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface ErrorDetails {
  readonly description: string;
  readonly parameter?: string;
  /** Milliseconds. */
  readonly retry_after?: number;
}

/** A refusal in the service's words. */
export class ServiceError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly details: ErrorDetails,
  ) {
    super(details.description);
  }
}

export function invalidRequest(description: string, parameter?: string): ServiceError {
  return new ServiceError(400, 'invalid_request', {
    description,
    ...(parameter !== undefined && { parameter }),
  });
}

export function notFound(description: string, parameter?: string): ServiceError {
  return new ServiceError(404, 'not_found', { description, ...(parameter !== undefined && { parameter }) });
}

/** The error body `{type: 'error', id, code, description, parameter?, retry_after?}`. */
export function errorAnswer({ status, code, details }: ServiceError): Answer {
  return { status, body: { type: 'error', id: randomUUID(), code, ...details } };
}
