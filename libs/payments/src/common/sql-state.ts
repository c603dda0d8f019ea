import { QueryFailedError } from 'typeorm';

/** PostgreSQL's own code of a failed statement; null for any other error. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof QueryFailedError)) return null;
  const driverError: unknown = error.driverError;
  if (typeof driverError !== 'object' || driverError === null || !('code' in driverError)) return null;
  return typeof driverError.code === 'string' ? driverError.code : null;
}
