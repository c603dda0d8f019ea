/**
 * The database did not answer in time. Nothing commits later: either the connection was closed, so PostgreSQL rolls back what was
 * open on it, or somebody else held a lock all that time, and nothing was done.
 */
export class DatabaseDeadlineError extends Error {
  override readonly name: string = 'DatabaseDeadlineError';
  readonly code: 'database_deadline' | 'no_database_connection' = 'database_deadline';

  constructor(deadlineMs: number, what: string) {
    super(`The database did not finish within ${deadlineMs} ms, ${what}.`);
  }
}

/**
 * No connection to the database was free in time: the host's pool is too small, or all of it is taken by transactions that wait for this
 * very call. A call that throws this has recorded and sent nothing, so call again; once something is recorded, the same is the `cause` of
 * a `PaymentOutcomeUnknownError`.
 */
export class NoDatabaseConnectionError extends DatabaseDeadlineError {
  override readonly name = 'NoDatabaseConnectionError';
  override readonly code = 'no_database_connection';

  constructor(
    /** How long it was waited for, in ms. */
    readonly waitedMs: number,
  ) {
    super(
      waitedMs,
      'since no connection to it was free: what waited for one did nothing. Call again; if that repeats, give the pool more connections, ' +
        'and make calls that take no manager before or after your own transactions, not within them',
    );
  }
}
