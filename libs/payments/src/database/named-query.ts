import { createHash } from 'node:crypto';
import { QueryFailedError, type QueryRunner } from 'typeorm';
import { messageOf } from '../common/message-of.js';
import { dataSourceOf } from '../schema/data-source-of.js';

/**
 * A plan fits the tables as they were when it was made. None is kept longer, so that a plan from a shop's first minutes, which
 * reads whole tables because they are a page each, is soon replaced, whether anybody analyzes the tables or not.
 */
export const PLANS_LAST_MS = 60_000;
/** We have some sixty. Texts that differ each time, as under a clock that is moved, must not fill a connection's memory. */
const NAMES = 128;

/** The driver's connection, as far as named statements are concerned. */
interface Connection {
  query<Row>(statement: string | NamedStatement): Promise<Answer<Row>>;
}

interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The driver's result. */
interface Answer<Row> {
  readonly rows: readonly Row[];
  readonly rowCount: number | null;
}

const names = new Map<string, string>();
/** By this process's own clock. */
const plannedSince = new WeakMap<Connection, number>();

/**
 * Sends a statement under a name, so that a connection parses and plans it once: for those that write status, event, deliveries
 * and totals that takes longer than executing them. Null: there are too many names, so it was not sent.
 */
export async function namedQuery<Row>(
  runner: QueryRunner,
  text: string,
  parameters: readonly unknown[],
): Promise<Answer<Row> | null> {
  const name = nameOf(text);
  if (name === null) return null;
  const connection: unknown = await runner.connect();
  if (!isConnection(connection)) throw new Error('The driver has no connection that accepts statements.');
  const { logger } = dataSourceOf(runner.manager);
  const values = [...parameters];
  logger.logQuery(text, values, runner);
  try {
    await discardOldPlans(connection);
    return await connection.query<Row>({ name, text, values });
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(messageOf(error));
    logger.logQueryError(failure, text, values, runner);
    throw new QueryFailedError(text, values, failure);
  }
}

/** Named statements of the host on this connection stay: they are planned once more, and that is all. */
async function discardOldPlans(connection: Connection): Promise<void> {
  const now = performance.now();
  const since = plannedSince.get(connection);
  if (since !== undefined && now - since < PLANS_LAST_MS) return;
  if (since !== undefined) await connection.query('DISCARD PLANS');
  plannedSince.set(connection, now);
}

/** Depends on the text: processes of two versions that share a pooler's connections must not confuse their statements. */
function nameOf(text: string): string | null {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= NAMES) return null;
  const name = `payments_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}

function isConnection(value: unknown): value is Connection {
  return typeof value === 'object' && value !== null && 'query' in value && typeof value.query === 'function';
}
