import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { PaymentsConfigurationError } from '../payments.errors.js';
import { Database } from './database.js';
import { paymentsEntities } from './entities.js';

/**
 * Checks at start that every table, key and check the guarantees rest on is really there: code that relies on a
 * missing unique index would double silently.
 */
@Injectable()
export class SchemaCheck {
  constructor(private readonly database: Database) {}

  /** @throws PaymentsConfigurationError listing what is missing */
  async run(): Promise<void> {
    const { dataSource } = this.database;
    const unknown = paymentsEntities.filter((entity) => !dataSource.hasMetadata(entity));
    if (unknown.length > 0) {
      throw new PaymentsConfigurationError([
        'the data source does not know the entities of the payments module: set autoLoadEntities: true, or add ...paymentsEntities to its entities',
      ]);
    }
    const faults = optionFaults(dataSource.options);
    if (faults.length > 0) throw new PaymentsConfigurationError(faults);
    const metadatas = paymentsEntities.map((entity) => dataSource.getMetadata(entity));
    const wanted = metadatas.flatMap(({ tableName, primaryColumns, uniques, checks, indices }) => [
      tableName,
      ...new Set(primaryColumns.flatMap(({ primaryKeyConstraintName: name }) => name ?? [])),
      ...[...uniques, ...checks, ...indices].map(({ name }) => name),
    ]);
    const schema = metadatas[0]?.schema ?? null;
    const present = await dataSource.query<{ name: string }[]>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident(COALESCE($1, current_schema())))
       UNION
       SELECT conname FROM pg_constraint WHERE connamespace = to_regnamespace(quote_ident(COALESCE($1, current_schema())))`,
      [schema],
    );
    const names = new Set(present.map(({ name }) => name));
    const missing = wanted.filter((name) => !names.has(name));
    if (missing.length > 0) {
      throw new PaymentsConfigurationError([
        `the database lacks ${missing.join(', ')}: add ...paymentsMigrations to the data source's migrations, before your own, and run them`,
      ]);
    }
  }
}

/** Options the module cannot work under: renamed tables, and reads that are not the truth, so that a row that looks locked is not. */
function optionFaults({ cache, entityPrefix, ...options }: DataSource['options']): string[] {
  const replication = 'replication' in options ? options.replication : undefined;
  return [
    ...(entityPrefix === undefined || entityPrefix === ''
      ? []
      : [
          'the data source sets entityPrefix, which the module cannot follow: give it a data source of its own',
        ]),
    ...(typeof cache === 'object' && cache.alwaysEnabled === true
      ? ['the data source answers every read from its cache: set cache.alwaysEnabled to false']
      : []),
    ...(replication !== undefined && !('defaultMode' in replication && replication.defaultMode === 'master')
      ? [
          "the data source reads from replicas, which lag: set replication.defaultMode to 'master', or give the module a data source of its own",
        ]
      : []),
  ];
}
