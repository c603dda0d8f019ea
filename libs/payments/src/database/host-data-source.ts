import type { FactoryProvider } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { PaymentsConfigurationError } from '../common/payments.errors.js';
import { PAYMENTS_DATA_SOURCE } from '../options/payments.module-definition.js';
import { missing } from '../options/providers.js';

/** In place of it, where the module is imported without options. */
export const missingDataSource = missing(PAYMENTS_DATA_SOURCE);

/** The host's data source with this name. Injected as optional, so that a missing one is reported with its fix. */
export function hostDataSource(name: string): FactoryProvider<DataSource> {
  const token = getDataSourceToken(name);
  return {
    provide: PAYMENTS_DATA_SOURCE,
    inject: [DiscoveryService, { token, optional: true }],
    useFactory: (discovery: DiscoveryService, found: DataSource | undefined) => {
      if (found !== undefined) return found;
      const isThere = discovery.getProviders().some((provider) => provider.token === token);
      throw new PaymentsConfigurationError([isThere ? notOpened(name) : unnamed(name)]);
    },
  };
}

const notOpened = (name: string) =>
  `see why TypeORM could not open the data source '${name}': its own error is logged next to this one`;

const unnamed = (name: string) =>
  name === 'default'
    ? 'import TypeOrmModule.forRoot() once in the root module (from @nestjs/typeorm): there is no data source'
    : `give TypeOrmModule.forRoot() the name '${name}', or PaymentsModule the dataSource that it has: there is none of that name`;
