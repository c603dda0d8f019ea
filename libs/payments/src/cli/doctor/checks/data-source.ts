import { Database } from '../../../database/database.js';
import { SchemaCheck } from '../../../schema-check.js';
import { broken, unless, type Check } from '../check.js';

/** The first that the statements of the module run on. */
const LEAST_VERSION = 150_000;

export const dataSource: Check = {
  name: 'data source',
  needs: ['configuration'],
  look: async (app) => {
    const [server] = await app.get(Database).read((from) =>
      from.query<{ version: string; number: number; name: string; role: string }[]>(
        `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
             current_database() AS name, current_user AS role`,
      ),
    );
    if (server && server.number < LEAST_VERSION)
      return broken(`PostgreSQL ${server.version} is too old`, 'Upgrade PostgreSQL to 15 or newer.');
    const faults = await app.get(SchemaCheck).connectionFaults();
    return unless(
      faults,
      'the module cannot work through it',
      `PostgreSQL ${server?.version ?? ''}, database ${server?.name ?? ''}, role ${server?.role ?? ''}`,
    );
  },
};
