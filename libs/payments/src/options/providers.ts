import type { FactoryProvider, Provider } from '@nestjs/common';
import { isRecord } from '../common/is-record.js';
import { PaymentsConfigurationError } from '../common/payments.errors.js';
import {
  CARD_DATA,
  defaultExtras,
  MODULE_OPTIONS_TOKEN,
  RESOLVED_OPTIONS,
  WEBHOOK_PATH,
  type PaymentsModuleExtras,
  type ResolvedPaymentsOptions,
} from './payments.module-definition.js';
import type { PaymentsModuleOptions } from './payments.options.js';
import { resolveOptions } from './payments.resolved-options.js';

type Extras = Required<Pick<PaymentsModuleExtras, 'cardData' | 'webhookPath' | 'partnerCallbackPath'>>;

/** In place of what only forRoot() and forRootAsync() provide: a module that is imported without them must say so. */
export const missingOptions: Provider[] = [RESOLVED_OPTIONS, CARD_DATA, WEBHOOK_PATH].map(missing);

/** @throws PaymentsConfigurationError when it is made */
export function missing(provide: symbol): FactoryProvider<never> {
  return {
    provide,
    useFactory: () => {
      throw new PaymentsConfigurationError([
        'PaymentsModule is imported without options: import PaymentsModule.forRoot() or forRootAsync() once, with isGlobal: true if other ' +
          'modules inject what it exports',
      ]);
    },
  };
}

/** `given`: what ConfigurableModuleBuilder provides. */
export function optionsProviders(
  given: readonly Provider[],
  { cardData, webhookPath, partnerCallbackPath }: Extras,
): Provider[] {
  return [
    ...given.map((provider) => resolvedAtOnce(provider, partnerCallbackPath)),
    { provide: CARD_DATA, useValue: cardData },
    { provide: WEBHOOK_PATH, useValue: webhookPath },
  ];
}

/**
 * The host's options contain the secret key in clear, and Nest keeps every provider's value where a dump shows it. So only the
 * resolved options are kept.
 */
function resolvedAtOnce(provider: Provider, callbackPath: string | null): Provider {
  if (!('provide' in provider) || provider.provide !== MODULE_OPTIONS_TOKEN) return provider;
  if ('useValue' in provider) {
    const { useValue } = provider;
    return { provide: RESOLVED_OPTIONS, useFactory: () => resolvedBeside(callbackPath, useValue) };
  }
  if (!('useFactory' in provider)) return provider;
  const { useFactory, ...rest } = provider;
  const resolve = async (...injected: unknown[]) =>
    resolvedBeside(callbackPath, withoutExtras(await useFactory(...injected)));
  return { ...rest, provide: RESOLVED_OPTIONS, useFactory: resolve };
}

/** @throws PaymentsConfigurationError for what a factory returns too late */
function withoutExtras(options: PaymentsModuleOptions): PaymentsModuleOptions {
  const given: unknown = options;
  const late = isRecord(given) ? Object.keys(defaultExtras).filter((name) => Object.hasOwn(given, name)) : [];
  if (late.length === 0) return options;
  throw new PaymentsConfigurationError(
    late.map(
      (name) =>
        `${name} belongs beside useFactory, not in what it returns: it shapes the module before there are options`,
    ),
  );
}

/** The path must be known when the module is registered; the options come from a factory perhaps, and later. */
function resolvedBeside(
  callbackPath: string | null,
  options: PaymentsModuleOptions,
): ResolvedPaymentsOptions {
  const resolved = resolveOptions(options);
  if (resolved.partner === null || callbackPath !== null) return resolved;
  throw new PaymentsConfigurationError([
    "partnerCallbackPath: needed with partner. Pass the path of the app's Callback URL, such as 'partner/callback', beside " +
      'webhookPath; with forRootAsync() that is beside the factory',
  ]);
}
