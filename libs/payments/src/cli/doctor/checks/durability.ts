import { Database } from '../../../database/database.js';
import {
  RESOLVED_OPTIONS,
  type ResolvedPaymentsOptions,
} from '../../../options/payments.module-definition.js';
import { broken, well, type Check } from '../check.js';

/** Whether a commit is on the disk when it is said to be. */
export const durability: Check = {
  name: 'synchronous_commit',
  needs: ['data source'],
  look: async (app) => {
    const { requestsWaitForStandby } = app.get<ResolvedPaymentsOptions>(RESOLVED_OPTIONS);
    const [set] = await app.get(Database).read((from) =>
      from.query<{ commit: string; standbys: string; role: string }[]>(
        `SELECT current_setting('synchronous_commit') AS commit,
           current_setting('synchronous_standby_names') AS standbys, quote_ident(current_user) AS role`,
      ),
    );
    if (!set) throw new Error('PostgreSQL did not return its settings.');
    if (set.commit === 'off')
      return broken(
        'off: the module has its own transactions wait for the disk, and what your code commits beside them may be lost',
        `ALTER ROLE ${set.role} SET synchronous_commit = on`,
      );
    if (requestsWaitForStandby && set.standbys === '')
      return broken(
        'requestsWaitForStandby is on, and no standby is waited for',
        'Name the standbys in synchronous_standby_names, or leave requestsWaitForStandby out.',
      );
    return well(set.commit);
  },
};
