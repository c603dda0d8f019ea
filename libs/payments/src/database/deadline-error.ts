/**
 * The database did not answer in time. Nothing commits later: either the connection was closed, so PostgreSQL rolls back what was
 * open on it, or somebody else held a lock all that time, and nothing was done.
 */
export class DatabaseDeadlineError extends Error {
  override readonly name = 'DatabaseDeadlineError';
  readonly code = 'database_deadline';

  constructor(deadlineMs: number, what: string) {
    super(`The database did not finish within ${deadlineMs} ms, ${what}.`);
  }
}
