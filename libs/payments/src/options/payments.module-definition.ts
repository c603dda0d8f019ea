import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { PaymentsModuleOptions } from './payments.options.js';
import type { ResolvedPaymentsOptions } from './payments.resolved-options.js';

/** Options that shape the module itself and must be known when it is registered, also beside `forRootAsync`. */
export interface PaymentsModuleExtras {
  /**
   * Makes PaymentsService injectable everywhere. Default false.
   * @example isGlobal: true
   */
  isGlobal?: boolean;
  /**
   * Path of the webhook route, below the host's global prefix if it sets one. Default `webhooks/payments`.
   * @example webhookPath: 'hooks/payments'
   */
  webhookPath?: string;
  /**
   * Put on the webhook controller, e.g. the host's “public” mark for its global guard. Default none.
   * @example webhookDecorators: [Public()]
   */
  webhookDecorators?: ClassDecorator[];
  /**
   * Path that owners come back to from the service: the app's Callback URL ends in it. Needed with `partner`. Default null: there
   * is no such route.
   * @example partnerCallbackPath: 'partner/callback'
   */
  partnerCallbackPath?: string | null;
  /**
   * Put on its controller, e.g. the host's session guard. Default none.
   * @example partnerCallbackDecorators: [UseGuards(SessionGuard)]
   */
  partnerCallbackDecorators?: ClassDecorator[];
  /**
   * Name of the data source that holds the module's tables. Default: the default one.
   * @example dataSource: 'billing'
   */
  dataSource?: string;
  /**
   * Makes CardPaymentsService injectable, which sends card data entered on your side. This requires a PCI DSS compliance
   * certificate. Default false: nothing in the module accepts or sends card data.
   * @example cardData: true
   */
  cardData?: boolean;
}

/** Their defaults. Names listed here are removed from the other options. */
export const defaultExtras: Required<PaymentsModuleExtras> = {
  isGlobal: false,
  webhookPath: 'webhooks/payments',
  webhookDecorators: [],
  partnerCallbackPath: null,
  partnerCallbackDecorators: [],
  dataSource: 'default',
  cardData: false,
};

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<PaymentsModuleOptions>({ moduleName: 'Payments' })
    .setClassMethodName('forRoot')
    .setExtras<PaymentsModuleExtras>(defaultExtras, (definition, extras) => ({
      ...definition,
      global: extras.isGlobal ?? false,
    }))
    .build();

/** The validated options with every default filled in. */
export const RESOLVED_OPTIONS = Symbol('PAYMENTS_RESOLVED_OPTIONS');
/** Whether the module sends card data. */
export const CARD_DATA = Symbol('PAYMENTS_CARD_DATA');
/** Where the webhook route is, below the host's global prefix. */
export const WEBHOOK_PATH = Symbol('PAYMENTS_WEBHOOK_PATH');
/** The data source that holds the module's tables. */
export const PAYMENTS_DATA_SOURCE = Symbol('PAYMENTS_DATA_SOURCE');

export type { ResolvedPaymentsOptions };
