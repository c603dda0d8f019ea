import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { PaymentsConfigurationError } from './common/payments.errors.js';
import { Database } from './database/database.js';
import { missingRights } from './database/missing-rights.js';
import { schemaInUrl } from './database/prisma-schema.js';
import { replacedParsers } from './database/replaced-parsers.js';
import {
  PAYMENTS_DATA_SOURCE,
  RESOLVED_OPTIONS,
  type ResolvedPaymentsOptions,
} from './options/payments.module-definition.js';
import { paymentsEntities } from './schema/entities.js';
import { paymentsMigrations } from './schema/migrations/index.js';
import { moduleRights, retentionRights } from './schema/rights.js';
import { unmigrated, type Missing, type Unmigrated } from './unmigrated.js';

/**
 * Checks at start that every table, column, key and check that the guarantees depend on really exists, since code that relies on a
 * missing unique index would double silently; that rows are read as the driver reads them by itself; and that the role may do all
 * it will have to, since it would fail at night.
 */
@Injectable()
export class SchemaCheck {
  constructor(
    private readonly database: Database,
    @Inject(PAYMENTS_DATA_SOURCE) private readonly dataSource: DataSource,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** @throws PaymentsConfigurationError listing what is missing */
  async run(): Promise<void> {
    await mustBeWell(this.connectionFaults());
    await mustBeWell(this.#missingFaults());
    await mustBeWell(this.roleFaults());
  }

  /** What the module cannot work through: a data source without the entities, renamed tables, reads that are not current. */
  async connectionFaults(): Promise<readonly string[]> {
    const { dataSource } = this;
    if (!paymentsEntities.every((entity) => dataSource.hasMetadata(entity)))
      return [
        'the data source does not know the entities of the payments module: set autoLoadEntities: true, or add ...paymentsEntities to its entities',
      ];
    const faults = optionFaults(dataSource.options);
    if (faults.length > 0) return faults;
    const replaced = await replacedParsers(this.database);
    if (replaced.length === 0) return [];
    return [
      `the module reads its rows with the driver's own parsers, and those of ${replaced.join(', ')} are replaced: in place of ` +
        'pg.types.setTypeParser(), which is for the whole process, give your own data source extra: { types } with them, and the module another one (the option dataSource)',
    ];
  }

  /** What of the schema the database lacks: tables, columns, keys and checks, and indexes. */
  async missing(): Promise<Missing> {
    const metadatas = paymentsEntities.map((entity) => this.dataSource.getMetadata(entity));
    const present = await this.database.read((from) =>
      from.query<{ name: string }[]>(
        `SELECT relname AS name FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident(COALESCE($1, current_schema())))
       UNION
       SELECT conname FROM pg_constraint WHERE connamespace = to_regnamespace(quote_ident(COALESCE($1, current_schema())))
       UNION
       SELECT relname || '.' || attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
       WHERE relnamespace = to_regnamespace(quote_ident(COALESCE($1, current_schema()))) AND relname = ANY($2::text[])`,
        [metadatas[0]?.schema ?? null, metadatas.map(({ tableName }) => tableName)],
      ),
    );
    const names = new Set(present.map(({ name }) => name));
    const without = (wanted: readonly string[]) => wanted.filter((name) => !names.has(name));
    return {
      isEmpty: metadatas.every(({ tableName }) => !names.has(tableName)),
      tables: without(
        metadatas.flatMap(({ tableName, columns, primaryColumns, uniques, checks }) => [
          tableName,
          // Of a table that is there: a migration may add no more than a column.
          ...(names.has(tableName) ? columns.map(({ databaseName }) => `${tableName}.${databaseName}`) : []),
          ...new Set(primaryColumns.flatMap(({ primaryKeyConstraintName: name }) => name ?? [])),
          ...[...uniques, ...checks].map(({ name }) => name),
        ]),
      ),
      indexes: without(metadatas.flatMap(({ indices }) => indices.map(({ name }) => name))),
    };
  }

  async #missingFaults(): Promise<string[]> {
    const missing = await this.missing();
    const { tables, indexes, isEmpty } = missing;
    const lacking = [...tables, ...indexes];
    return lacking.length === 0 ? [] : [unmigrated({ isEmpty, lacking }, await this.place())];
  }

  /** Where the tables are looked for, and how they get there. */
  async place(): Promise<Unmigrated> {
    const { options, migrations } = this.dataSource;
    const schema = await this.#schema();
    const named = schemaInUrl(options);
    return {
      schema,
      schemaInUrl: named === schema ? null : named,
      areListed: paymentsMigrations.every((kind) => migrations.some((one) => one instanceof kind)),
      areRunAtStart: options.migrationsRun === true,
    };
  }

  /** What is no fault, and may not be what the host means. */
  async notes(): Promise<string[]> {
    const named = schemaInUrl(this.dataSource.options);
    if (named === null) return [];
    const schema = await this.#schema();
    if (named === schema) return [];
    return [
      `The url of the data source says ?schema=${named}, which Prisma reads and TypeORM does not: the tables of the payments module are in the schema ` +
        `${schema}. Set schema on the data source, to '${schema}' if that is where they belong.`,
    ];
  }

  async #schema(): Promise<string> {
    const [own] = paymentsEntities.map((entity) => this.dataSource.getMetadata(entity).schema);
    const [row] = await this.database.read((from) =>
      from.query<{ schema: string | null }[]>('SELECT COALESCE($1, current_schema()) AS schema', [
        own ?? null,
      ]),
    );
    return row?.schema ?? 'none';
  }

  /** The rights that the role of the connections lacks. The tables must exist. */
  async roleFaults(): Promise<string[]> {
    const lacking = await missingRights(this.database, moduleRights);
    if (lacking.length > 0) {
      return [
        `the database role may not do all that the module does: have the owner of the tables run what paymentsGrants() returns, of which it lacks ${lacking.join(' ')}`,
      ];
    }
    const { sweepIntervalMs, retentionMs, contactsRetentionMs } = this.options;
    if (sweepIntervalMs === null || (retentionMs === null && contactsRetentionMs === null)) return [];
    const lackingForRetention = await missingRights(this.database, retentionRights);
    return lackingForRetention.length === 0
      ? []
      : [
          'the database role may not remove old rows and erase contacts, and retentionMs or contactsRetentionMs is on: set retentionMs: false, leave contactsRetentionMs out and call runRetention() under a ' +
            `role of its own, or have the owner of the tables run ${lackingForRetention.join(' ')}`,
        ];
  }
}

async function mustBeWell(faults: Promise<readonly string[]>): Promise<void> {
  const found = await faults;
  if (found.length > 0) throw new PaymentsConfigurationError(found);
}

/**
 * Options the module cannot work under: renamed tables, and reads that are not current, so that a row that looks locked is not.
 */
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
