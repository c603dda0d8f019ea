import type { PaymentsModuleOptions } from '@holdfast/payments';

import { profiles } from '../../examples/shared/config/profiles.js';
import type { Environment } from './environment.js';
import { secretKeyFrom } from './secret-key.js';
import type { ShopOptions } from './shop-options.js';
import { publicWidget, widgetFrom, type Widget } from './widget.js';

/** The payment service to use, and the account there. */
type Account = Pick<
  PaymentsModuleOptions,
  'serviceUrl' | 'shopId' | 'secretKey' | 'trustedProxies' | 'clock'
>;

function accountOf(environment: Environment): Account {
  return {
    ...(!environment.leavesUrlToProfile && { serviceUrl: environment.PAYMENTS_SERVICE_URL }),
    shopId: environment.PAYMENTS_SHOP_ID ?? '',
    secretKey: secretKeyFrom(environment),
    trustedProxies: environment.TRUSTED_PROXIES,
  };
}

/** Never from a request: its script runs in the pages of orders. */
function widgetOf({ PAYMENTS_WIDGET_URL: url, leavesUrlToProfile }: Environment): Widget | null {
  if (url !== undefined) return widgetFrom(url);
  return leavesUrlToProfile ? publicWidget : null;
}

/** The shop as its environment describes it, taking payments through this account. */
export function shopOptions(
  environment: Environment,
  databaseUrl: string,
  account: Account,
  widget: Widget | null,
): ShopOptions {
  const { fiscalization } = environment;
  return {
    databaseUrl,
    host: environment.HOST,
    port: environment.PORT,
    publicUrl: environment.PUBLIC_URL ?? null,
    staffPassword: environment.STAFF_PASSWORD ?? null,
    payments: {
      clock: { offsetMs: () => environment.BUSINESS_CLOCK_OFFSET_MS },
      ...account,
      profile: profiles[environment.PAYMENTS_PROFILE],
      requestTimeoutMs: environment.REQUEST_TIMEOUT_MS,
      callDeadlineMs: environment.CALL_DEADLINE_MS,
      sweeps: { intervalMs: environment.SWEEP_INTERVAL_MS },
      ...(fiscalization && { fiscalization }),
      ...(environment.PAYMENTS_TOKEN_KEYS && { tokenKeys: environment.PAYMENTS_TOKEN_KEYS }),
    },
    mailFolder: environment.MAIL_FOLDER,
    widget,
  };
}

/** With the service that the environment names. */
export function serviceFromEnvironment(environment: Environment, databaseUrl: string): ShopOptions {
  return shopOptions(environment, databaseUrl, accountOf(environment), widgetOf(environment));
}
