import { PaymentsConfigurationError } from '../../../common/payments.errors.js';
import {
  RESOLVED_OPTIONS,
  type ResolvedPaymentsOptions,
} from '../../../options/payments.module-definition.js';
import { StoreRegistry } from '../../../stores/store.registry.js';
import { broken, none, well, type Check } from '../check.js';

/** Whose the tables are: two shops on one set of tables would run each other's handlers. */
export const store: Check = {
  name: 'store',
  needs: ['migrations'],
  look: async (app) => {
    const { shopId } = app.get<ResolvedPaymentsOptions>(RESOLVED_OPTIONS);
    try {
      const isThere = await app.get(StoreRegistry).openAsFound();
      if (!isThere) return none('no process of the application has started on this database yet');
    } catch (error) {
      if (!(error instanceof PaymentsConfigurationError)) throw error;
      return broken("the tables are another store's", ...error.faults);
    }
    return well(shopId === null ? 'connected stores' : `the tables are those of ${shopId}`);
  },
};
