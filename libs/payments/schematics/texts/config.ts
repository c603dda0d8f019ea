import type { Ending } from '../beginning.js';

/** The application's settings, read and checked. `database`: those of the data source too. */
export const configText = (ending: Ending, { database }: { database: boolean }): string => `\
import {
  yookassaProfile,
  type PaymentsModuleOptions,
} from '@holdfast/payments';
import { registerAs } from '@nestjs/config';
${database ? databasePart(ending) : ''}
export const paymentsConfig = registerAs(
  'payments',
  (): PaymentsModuleOptions => {
    const {
      PAYMENTS_INSTALLATION: installation,
      PAYMENTS_SERVICE_URL: serviceUrl,
      TRUSTED_PROXIES = '',
    } = process.env;
    const required = settings('PAYMENTS_SHOP_ID', 'PAYMENTS_SECRET_KEY');
    return {
      profile: yookassaProfile,
      ...(installation && { installation }),
      ...(serviceUrl && { serviceUrl }),
      shopId: required.PAYMENTS_SHOP_ID,
      secretKey: required.PAYMENTS_SECRET_KEY,
      trustedProxies: TRUSTED_PROXIES.split(/[\\s,]+/).filter(Boolean),
    };
  },
);

/** Throws an error that names all that are not set; the module checks values. */
function settings<Name extends string>(...names: Name[]): Record<Name, string> {
  const missing = names.filter((name) => !process.env[name]);
  if (missing.length > 0) {
    throw new Error(\`Set \${missing.join(', ')}: see .env.example\`);
  }
  const entries = names.map((name) => [name, process.env[name]]);
  return Object.fromEntries(entries) as Record<Name, string>;
}
`;

const databasePart = (ending: Ending) => `\
import type { TypeOrmModuleOptions } from '@nestjs/typeorm';
import { migrations } from './migrations${ending}';

export const databaseConfig = registerAs(
  'database',
  (): TypeOrmModuleOptions => ({
    type: 'postgres',
    url: settings('DATABASE_URL').DATABASE_URL,
    autoLoadEntities: true,
    migrations,
    migrationsRun: true,
  }),
);
`;
