import { Injectable } from '@nestjs/common';
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
