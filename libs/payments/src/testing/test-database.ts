import { randomBytes } from 'node:crypto';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { messageOf } from '../common/message-of.js';
import { paymentsMigrations } from '../schema/migrations/index.js';
import { openEmbeddedDatabase, type TestServer } from './embedded-database.js';
import { TestDatabaseError } from './testing.errors.js';

/** Classes of TypeORM migrations. */
export type Migrations = Extract<NonNullable<DataSourceOptions['migrations']>, readonly unknown[]>;

/** A database of one kit. */
export interface TestDatabase {
  readonly url: string;
  /** Drops it. */
  close(): Promise<void>;
}

/**
 * Makes a database with the module's tables, and then what `migrations` make, on the server of `serverUrl` or on an embedded one.
 * @throws TestDatabaseError
 */
export async function openTestDatabase(
  serverUrl: string | undefined,
  migrations: Migrations,
): Promise<TestDatabase> {
  const server = serverUrl === undefined ? await openEmbeddedDatabase() : givenServer(serverUrl);
  const name = `payments_test_${randomBytes(6).toString('hex')}`;
  try {
    await run(server.url, (admin) => admin.query(`CREATE DATABASE ${name}`));
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    const close = async () => {
      await run(server.url, (admin) => admin.query(`DROP DATABASE ${name} WITH (FORCE)`));
      await server.close();
    };
    await run(url.href, (owner) => owner.runMigrations(), [...paymentsMigrations, ...migrations]);
    return { url: url.href, close };
  } catch (error) {
    await server.close();
    const without = serverUrl === undefined ? '' : ' Without databaseUrl the kit starts a server of its own.';
    throw new TestDatabaseError(
      `The database of the test could not be made: ${messageOf(error)}.${without}`,
      { cause: error },
    );
  }
}

function givenServer(url: string): TestServer {
  return { url, close: () => Promise.resolve() };
}

async function run(
  url: string,
  work: (dataSource: DataSource) => Promise<unknown>,
  migrations: Migrations = [],
): Promise<void> {
  const dataSource = await new DataSource({ type: 'postgres', url, migrations }).initialize();
  try {
    await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
