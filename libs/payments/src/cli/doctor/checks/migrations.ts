import { SchemaCheck, unmigrated } from '../../../schema-check.js';
import { broken, well, type Check } from '../check.js';

/** A database that was never migrated lacks dozens. */
const NAMED = 5;

export const migrations: Check = {
  name: 'migrations',
  needs: ['data source'],
  look: async (app) => {
    const { tables } = await app.get(SchemaCheck).missing();
    if (tables.length === 0) return well('every table, key and check is there');
    const more = tables.length > NAMED ? [`and ${tables.length - NAMED} more`] : [];
    return broken(
      'the tables are not those of this version',
      unmigrated([...tables.slice(0, NAMED), ...more]),
    );
  },
};
