import type { Provider } from '@nestjs/common';
import {
  CARD_DATA,
  MODULE_OPTIONS_TOKEN,
  RESOLVED_OPTIONS,
  WEBHOOK_PATH,
  type PaymentsModuleExtras,
} from './payments.module-definition.js';
import { resolveOptions } from './payments.resolved-options.js';

type Extras = Required<Pick<PaymentsModuleExtras, 'cardData' | 'webhookPath'>>;

/** `given`: what ConfigurableModuleBuilder provides. */
export function optionsProviders(given: readonly Provider[], { cardData, webhookPath }: Extras): Provider[] {
  return [
    ...given.map(resolvedAtOnce),
    { provide: CARD_DATA, useValue: cardData },
    { provide: WEBHOOK_PATH, useValue: webhookPath },
  ];
}

/**
 * The host's options contain the secret key in clear, and Nest keeps every provider's value where a dump shows it. So only the
 * resolved options are kept.
 */
function resolvedAtOnce(provider: Provider): Provider {
  if (!('provide' in provider) || provider.provide !== MODULE_OPTIONS_TOKEN) return provider;
  if ('useValue' in provider) {
    const { useValue } = provider;
    return { provide: RESOLVED_OPTIONS, useFactory: () => resolveOptions(useValue) };
  }
  if (!('useFactory' in provider)) return provider;
  const { useFactory, ...rest } = provider;
  const resolve = async (...injected: unknown[]) => resolveOptions(await useFactory(...injected));
  return { ...rest, provide: RESOLVED_OPTIONS, useFactory: resolve };
}
