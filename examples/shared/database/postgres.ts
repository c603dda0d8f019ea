import { openShopRole } from './shop-role.js';

interface PostgresOptions {
  /** Where the embedded server keeps its data; created when missing. Default `.data/postgres`. */
  dataDir?: string;
  /** `false` trades crash safety for speed, for data nobody will miss. Default `true`. */
  durable?: boolean;
}

export interface RunningPostgres {
  /** For the application: in the embedded server a role that owns its database, and is no superuser. */
  url: string;
  /** For creating databases and roles: the embedded server's superuser, or the user in `DATABASE_URL`. */
  adminUrl: string;
  /** Stops the embedded server; leaves a server from `DATABASE_URL` alone. */
  close(): Promise<void>;
}

/** The server named by `DATABASE_URL`, or the embedded one. */
export async function openPostgres(options: PostgresOptions = {}): Promise<RunningPostgres> {
  const givenUrl = process.env['DATABASE_URL'];
  return givenUrl
    ? { url: givenUrl, adminUrl: givenUrl, close: async () => {} }
    : openEmbeddedPostgres(options);
}

/**
 * An embedded PostgreSQL on a free port of 127.0.0.1 that keeps its data between starts and can be used by one process at a time. However the
 * shop ends, its server ends too.
 */
export async function openEmbeddedPostgres(options: PostgresOptions = {}): Promise<RunningPostgres> {
  // With DATABASE_URL it need not be installed.
  const kit = await import('@holdfast/payments/testing');
  const server = await kit
    .openEmbeddedPostgres({ dataDir: options.dataDir ?? '.data/postgres', durable: options.durable ?? true })
    .catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${reason}, or set DATABASE_URL to use another server.`, { cause: error });
    });
  try {
    const { url: adminUrl } = server;
    return { url: await openShopRole(adminUrl), adminUrl, close: () => server.close() };
  } catch (error) {
    await server.close();
    throw error;
  }
}
