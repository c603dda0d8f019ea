import { QueryFailedError } from 'typeorm';
import { sqlState } from '../common/sql-state.js';

/** What ended it, by PostgreSQL's code: a setting, and not the network. */
const SETTINGS: Readonly<Record<string, string>> = {
  '25P03': 'idle_in_transaction_session_timeout',
  '25P04': 'transaction_timeout',
};

/** Adds to PostgreSQL's message, where it has closed a connection that was in its transaction for too long, what to change. */
export function explainEnd(ended: unknown): void {
  const setting = SETTINGS[sqlState(ended) ?? ''];
  if (setting === undefined || !(ended instanceof QueryFailedError)) return;
  ended.message += `: ${setting} ended what took longer. Set it to 0 for the module's role (ALTER ROLE … SET ${setting} = 0)`;
}
