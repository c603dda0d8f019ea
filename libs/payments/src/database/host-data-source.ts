import type { FactoryProvider } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { getDataSourceToken } from '@nestjs/typeorm';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { isRecord } from '../common/is-record.js';
import { PaymentsConfigurationError } from '../common/payments.errors.js';
import { PAYMENTS_DATA_SOURCE } from '../options/payments.module-definition.js';
import { missing } from '../options/providers.js';

/** In place of it, where the module is imported without options. */
export const missingDataSource = missing(PAYMENTS_DATA_SOURCE);

/** Is made before any data source is opened. */
const SOUND_KIND = Symbol('PAYMENTS_DATA_SOURCE_KIND');
/** How often, and how long, the options of a factory are looked for. */
const LOOK_EVERY_MS = 10;
const PATIENCE_MS = 10_000;
/** Of `@nestjs/typeorm`: the options of a data source, in the module that opens it. */
const TYPEORM_OPTIONS = 'TypeOrmModuleOptions';

/**
 * The host's data source with this name. Injected as optional, so that a missing one is reported with its fix. Where the host's options say
 * at once that it is not PostgreSQL, nobody waits for TypeORM, which tries the entities on it ten times and says that a type is not
 * supported.
 */
export function hostDataSource(name: string): FactoryProvider[] {
  const token = getDataSourceToken(name);
  return [
    {
      provide: SOUND_KIND,
      inject: [DiscoveryService],
      useFactory: async (discovery: DiscoveryService) =>
        mustBePostgres(name, await kindOnceKnown(discovery, token)),
    },
    {
      provide: PAYMENTS_DATA_SOURCE,
      inject: [DiscoveryService, { token, optional: true }],
      useFactory: (discovery: DiscoveryService, found: DataSource | undefined) => {
        mustBePostgres(name, found?.options.type ?? kindOf(discovery, token));
        if (found !== undefined) return found;
        const isThere = discovery.getProviders().some((provider) => provider.token === token);
        throw new PaymentsConfigurationError([isThere ? notOpened(name) : unnamed(name)]);
      },
    },
  ];
}

type DataSourceToken = ReturnType<typeof getDataSourceToken>;

/** The options of a data source, as the host's own module has them; undefined: there is no such data source. */
const optionsOf = (discovery: DiscoveryService, token: DataSourceToken) =>
  discovery
    .getProviders()
    .find((provider) => provider.token === TYPEORM_OPTIONS && provider.host?.providers.has(token));

/** What the host's options say of the data source, as far as they are known by now. */
function kindOf(discovery: DiscoveryService, token: DataSourceToken): string | undefined {
  const options: unknown = optionsOf(discovery, token)?.instance;
  const kind = isRecord(options) ? options['type'] : undefined;
  return typeof kind === 'string' ? kind : undefined;
}

/** Options from a factory come a moment later, and long before TypeORM has given up. */
async function kindOnceKnown(
  discovery: DiscoveryService,
  token: DataSourceToken,
): Promise<string | undefined> {
  if (optionsOf(discovery, token) === undefined) return undefined;
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_EVERY_MS) {
    // They may name no kind, where a dataSourceFactory has options of its own: nothing more will come.
    if (isRecord(optionsOf(discovery, token)?.instance)) return kindOf(discovery, token);
    await delay(LOOK_EVERY_MS, undefined, { ref: false });
  }
  return undefined;
}

/** @throws PaymentsConfigurationError */
function mustBePostgres(name: string, kind: string | undefined): void {
  if (kind === undefined || kind === 'postgres') return;
  const which = name === 'default' ? 'the default data source' : `the data source '${name}'`;
  throw new PaymentsConfigurationError([
    `${which} is ${kind}, and the tables of the payments module need PostgreSQL: add a data source for them, ` +
      `TypeOrmModule.forRoot({ name: 'payments', type: 'postgres', … }), and name it to the module, dataSource: 'payments'`,
  ]);
}

const notOpened = (name: string) =>
  `see why TypeORM could not open the data source '${name}': its own error is logged next to this one`;

const unnamed = (name: string) =>
  name === 'default'
    ? 'import TypeOrmModule.forRoot() once in the root module (from @nestjs/typeorm): there is no data source'
    : `give TypeOrmModule.forRoot() the name '${name}', or PaymentsModule the dataSource that it has: there is none of that name`;
