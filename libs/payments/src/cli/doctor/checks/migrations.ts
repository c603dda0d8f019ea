import { SchemaCheck } from '../../../schema-check.js';
import { unmigrated } from '../../../unmigrated.js';
import { broken, well, type Check } from '../check.js';

export const migrations: Check = {
  name: 'migrations',
  needs: ['data source'],
  look: async (app) => {
    const schema = app.get(SchemaCheck);
    const { tables: lacking, isEmpty } = await schema.missing();
    if (lacking.length === 0) return well('every table, key and check is there');
    return broken(
      isEmpty ? 'there are no tables' : 'the tables are not those of this version',
      unmigrated({ isEmpty, lacking }, await schema.place()),
    );
  },
};
