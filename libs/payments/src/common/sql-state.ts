import { QueryFailedError } from 'typeorm';
import { isThrown } from './message-of.js';

/** PostgreSQL's own code of a failed statement; null for any other error. */
export function sqlState(error: unknown): string | null {
  if (!isThrown(error, QueryFailedError)) return null;
  const driverError: unknown = error.driverError;
  if (typeof driverError !== 'object' || driverError === null || !('code' in driverError)) return null;
  return typeof driverError.code === 'string' ? driverError.code : null;
}

/** The classes of errors that are about the connection or the server: each separate row would meet the same. */
const OF_THE_SERVER = /^(08|25|53|57|58)/;

/** Whether a statement failed because of its rows: one of them may be at fault, and the others not. */
export function isOfOneRow(error: unknown): boolean {
  const state = sqlState(error);
  return state !== null && !OF_THE_SERVER.test(state);
}
