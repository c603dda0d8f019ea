import { PaymentsModule } from '@holdfast/payments';
import type { DynamicModule } from '@nestjs/common';
import {
  RESOLVED_OPTIONS,
  type ResolvedPaymentsOptions,
} from '../../libs/payments/src/options/payments.module-definition.js';

const options = {
  serviceUrl: 'https://service.example',
  tokenKeys: { current: 'k', keys: { k: Buffer.alloc(32).toString('base64') } },
  partner: {
    clientId: 'app',
    clientSecret: 'app_secret',
    permissions: [],
    webhookUrl: 'https://shop.example/webhooks/payments',
    authUrl: 'https://service.example',
    ownerOf: () => null,
  },
};

/** The options as its providers get them. */
async function resolved({ providers = [] }: DynamicModule): Promise<ResolvedPaymentsOptions> {
  for (const provider of providers) {
    if ('provide' in provider && provider.provide === RESOLVED_OPTIONS && 'useFactory' in provider)
      return provider.useFactory();
  }
  throw new Error('Nothing provides them.');
}

describe('the path that owners come back to', () => {
  const ways = {
    forRoot: (path?: string) =>
      PaymentsModule.forRoot({ ...options, ...(path !== undefined && { partnerCallbackPath: path }) }),
    forRootAsync: (path?: string) =>
      PaymentsModule.forRootAsync({
        useFactory: () => options,
        ...(path !== undefined && { partnerCallbackPath: path }),
      }),
  };

  it.each(Object.entries(ways))(
    'is needed by %s with partner, which says what to pass',
    async (_name, way) => {
      await expect(resolved(way())).rejects.toThrow(
        /partnerCallbackPath: needed with partner\. .*'partner\/callback', beside webhookPath/,
      );
      await expect(resolved(way('stores/callback'))).resolves.toMatchObject({ partner: { clientId: 'app' } });
    },
  );

  it('is a route only where it is passed', () => {
    const { shopId, secretKey } = { shopId: 'test_shop', secretKey: 'test_secret' };
    const shop = PaymentsModule.forRoot({ serviceUrl: options.serviceUrl, shopId, secretKey });
    expect([shop.controllers?.length, ways.forRoot('stores/callback').controllers?.length]).toEqual([1, 2]);
  });
});
