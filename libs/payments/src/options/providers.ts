import type { FactoryProvider, Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { fakedTimersFaults } from '../common/faked-timers.js';
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
import { schedulerOf } from './scheduler-of.js';

type Extras = Required<Pick<PaymentsModuleExtras, 'cardData' | 'webhookPath' | 'partnerCallbackPath'>>;

/** What is known of the module before its options are. */
interface Beside {
  readonly callbackPath: string | null;
  /** Of the extras. */
  readonly faults: readonly string[];
}

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

/** `given`: what ConfigurableModuleBuilder provides; `faults`: those of the extras. */
export function optionsProviders(
  given: readonly Provider[],
  { cardData, webhookPath, partnerCallbackPath: callbackPath }: Extras,
  faults: readonly string[],
): Provider[] {
  return [
    ...given.map((provider) => resolvedAtOnce(provider, { callbackPath, faults })),
    { provide: CARD_DATA, useValue: cardData },
    { provide: WEBHOOK_PATH, useValue: webhookPath },
  ];
}

/**
 * The host's options contain the secret key in clear, and Nest keeps every provider's value where a dump shows it. So only the
 * resolved options are kept.
 */
function resolvedAtOnce(provider: Provider, beside: Beside): Provider {
  if (!('provide' in provider) || provider.provide !== MODULE_OPTIONS_TOKEN) return provider;
  if ('useValue' in provider) {
    const { useValue } = provider;
    return {
      provide: RESOLVED_OPTIONS,
      inject: [ModuleRef],
      useFactory: (moduleRef: ModuleRef) => resolved(useValue, beside, moduleRef),
    };
  }
  if (!('useFactory' in provider)) return provider;
  const { useFactory, inject = [], ...rest } = provider;
  const resolve = async (moduleRef: ModuleRef, ...injected: unknown[]) =>
    resolved(...withoutExtras(await useFactory(...injected), beside), moduleRef);
  return { ...rest, inject: [ModuleRef, ...inject], provide: RESOLVED_OPTIONS, useFactory: resolve };
}

/** What a factory returns too late is a fault, and no option. */
function withoutExtras(options: PaymentsModuleOptions, beside: Beside): [PaymentsModuleOptions, Beside] {
  const given: unknown = options;
  const late = isRecord(given) ? Object.keys(defaultExtras).filter((name) => Object.hasOwn(given, name)) : [];
  if (late.length === 0) return [options, beside];
  const others = { ...options };
  for (const name of late) Reflect.deleteProperty(others, name);
  const faults = late.map(
    (name) =>
      `${name} belongs beside useFactory, not in what it returns: it shapes the module before there are options`,
  );
  return [others, { ...beside, faults: [...beside.faults, ...faults] }];
}

/**
 * The path must be known when the module is registered; the options come from a factory perhaps, and later.
 * @throws PaymentsConfigurationError with every fault of the set-up: a scheduler that is missing alone is told of when the sweeps begin
 */
function resolved(
  options: PaymentsModuleOptions,
  { callbackPath, faults }: Beside,
  moduleRef: ModuleRef,
): ResolvedPaymentsOptions {
  const given: unknown = options;
  const partner = isRecord(given) ? given['partner'] : undefined;
  const missingPath =
    partner !== undefined && callbackPath === null
      ? [
          "partnerCallbackPath: needed with partner. Pass the path of the app's Callback URL, such as 'partner/callback', beside " +
            'webhookPath; with forRootAsync() that is beside the factory',
        ]
      : [];
  try {
    return resolveOptions(options, [...faults, ...missingPath, ...fakedTimersFaults()]);
  } catch (error) {
    if (!(error instanceof PaymentsConfigurationError)) throw error;
    const sweeps = isRecord(given) ? given['sweeps'] : undefined;
    throw new PaymentsConfigurationError([
      ...error.faults,
      ...(sweeps === false ? [] : schedulerFaults(moduleRef)),
    ]);
  }
}

function schedulerFaults(moduleRef: ModuleRef): readonly string[] {
  try {
    schedulerOf(moduleRef);
    return [];
  } catch (error) {
    if (error instanceof PaymentsConfigurationError) return error.faults;
    throw error;
  }
}
