import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../common/message-of.js';
import { openEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { TestDatabaseError, TestPackageMissingError } from './testing.errors.js';

/** A PostgreSQL server. */
export interface TestServer {
  /** As a role that may create databases. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A PostgreSQL of the package embedded-postgres, its data in the temporary folder until it is closed.
 * @throws TestPackageMissingError
 * @throws TestDatabaseError
 */
export async function openEmbeddedDatabase(): Promise<TestServer> {
  const dataDir = join(tmpdir(), `payments-test-${randomBytes(6).toString('hex')}`);
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const server = await openEmbeddedPostgres({ dataDir, durable: false });
    return { url: server.url, close: () => server.close().then(remove) };
  } catch (error) {
    await remove();
    if (error instanceof TestPackageMissingError) throw error;
    throw new TestDatabaseError(`${messageOf(error)}.`, { cause: error });
  }
}
