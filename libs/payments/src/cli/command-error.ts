import { isRecord } from '../common/is-record.js';
import { messageOf } from '../common/message-of.js';
import type { ExitCode } from './exit-codes.js';

/** Why a command cannot go on, with what to do. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** With the causes, because those of the network and of the database say what happened. By shape: what is thrown may be of another realm. */
export function reasonOf(error: unknown): string {
  if (!isRecord(error) || typeof error['message'] !== 'string') return messageOf(error);
  const { message, cause } = error;
  const inner = firstOf(error) ?? cause;
  return [message, inner === undefined ? '' : reasonOf(inner)].filter((part) => part !== '').join(': ');
}

/** `ECONNREFUSED`, `28P01`: of a connection to a name with several addresses, that of the first. */
export function codeOf(error: unknown): string | null {
  const first = firstOf(error) ?? error;
  return isRecord(first) && typeof first['code'] === 'string' ? first['code'] : null;
}

/** What an AggregateError contains. */
function firstOf(error: unknown): unknown {
  const errors = isRecord(error) ? error['errors'] : undefined;
  return Array.isArray(errors) ? errors[0] : undefined;
}
