import { Database } from '../../../database/database.js';
import { SchemaCheck } from '../../../schema-check.js';
import { paymentsEntities } from '../../../schema/entities.js';
import { broken, well, type Check } from '../check.js';

/** Without its index a statement reads a table from end to end, and one that is unique lets doubles in. */
export const indexes: Check = {
  name: 'indexes',
  needs: ['migrations'],
  look: async (app) => {
    const { indexes: missing } = await app.get(SchemaCheck).missing();
    const database = app.get(Database);
    const tables = paymentsEntities.map((entity) => database.table(entity));
    // What CREATE INDEX CONCURRENTLY leaves behind where it was broken off has the name, and no statement uses it.
    const invalid = await database.read((from) =>
      from.query<{ name: string }[]>(
        `SELECT indexrelid::regclass::text AS name FROM pg_index
         WHERE indrelid = ANY($1::regclass[]) AND NOT (indisvalid AND indisready) ORDER BY 1`,
        [tables],
      ),
    );
    const fixes = [
      ...(missing.length === 0
        ? []
        : [
            `create ${missing.join(', ')} as the module's migrations do: CREATE INDEX CONCURRENTLY by hand on a large table, and under the same name`,
          ]),
      ...invalid.map(({ name }) => `REINDEX INDEX CONCURRENTLY ${name}`),
    ];
    if (fixes.length === 0) return well('all are there and valid');
    return broken(`${missing.length} missing, ${invalid.length} invalid`, ...fixes);
  },
};
