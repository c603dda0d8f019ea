import { PaymentsApi } from '../../../api/payments-api.js';
import { ServiceError } from '../../../api/service-errors.js';
import {
  RESOLVED_OPTIONS,
  type ResolvedPaymentsOptions,
} from '../../../options/payments.module-definition.js';
import { broken, none, well, type Check } from '../check.js';

/** The last payment of the shop is listed: that moves nothing, and takes the rights that re-reads take. */
export const credentials: Check = {
  name: 'credentials',
  needs: ['configuration'],
  look: async (app) => {
    const { shopId, serviceUrl } = app.get<ResolvedPaymentsOptions>(RESOLVED_OPTIONS);
    if (shopId === null) return none('there is no shop of your own');
    try {
      const list = app.get(PaymentsApi).listPayments({ limit: 1 }, { once: true });
      const { value: page } = await list.pages().next();
      const isTest = page?.items.some(({ test }) => test === true);
      const money = isTest ? ', whose last payment moved no money: it is a demo store' : '';
      return well(`${serviceUrl} knows shop ${shopId} and its key${money}`);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return broken(`${serviceUrl}: ${error.reason}`, fixOf(error.code, serviceUrl));
    }
  },
};

const fixes: Readonly<Record<string, string>> = {
  service_credentials: 'Take shopId and secretKey anew from the Merchant Profile; both belong to one store.',
  service_credentials_unavailable: 'Have the secretKey function return the key, also before onModuleInit.',
  service_forbidden: 'Give the key the right to read payments in the Merchant Profile.',
  service_not_found: 'Correct serviceUrl and profile: nothing is known at that address.',
};

function fixOf(code: string, serviceUrl: string): string {
  return (
    fixes[code] ??
    `Let this process reach ${serviceUrl} (serviceUrl, a firewall, an outgoing proxy), or wait until the service answers.`
  );
}
