import { SchemaCheck } from '../../../schema-check.js';
import { unless, type Check } from '../check.js';

export const role: Check = {
  name: 'role',
  needs: ['migrations'],
  look: async (app) =>
    unless(await app.get(SchemaCheck).roleFaults(), 'it lacks rights', 'it may do all that the module does'),
};
