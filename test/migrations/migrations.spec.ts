import { paymentsEntities, paymentsMigrations } from '@holdfast/payments';
import { createHash } from 'node:crypto';
import { DataSource, type Logger } from 'typeorm';
import { openEmptyDatabase, type OpenDatabase } from '../hosts/open-database.js';
import { fixedMigrations } from './fixed.js';
import { whatDoesNotOnlyAdd } from './only-adds.js';

/** Keeps every statement that a data source sends. */
class Recorder implements Logger {
  readonly statements: string[] = [];

  logQuery(query: string): void {
    this.statements.push(query);
  }

  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
  log(): void {}
}

const prefixed = (name: string): boolean => name.startsWith('payments_');

describe('the migrations of the module', () => {
  let database: OpenDatabase;
  /** What each does, by its name, oldest first. */
  const statementsOf = new Map<string, readonly string[]>();
  beforeAll(async () => {
    database = await openEmptyDatabase();
    const logger = new Recorder();
    const { url } = database;
    const dataSource = await new DataSource({
      type: 'postgres',
      url,
      entities: paymentsEntities,
      logger,
    }).initialize();
    const queryRunner = dataSource.createQueryRunner();
    for (const Migration of paymentsMigrations) {
      const migration = new Migration();
      const before = logger.statements.length;
      await migration.up(queryRunner);
      statementsOf.set(migration.name ?? '', logger.statements.slice(before));
    }
    await queryRunner.release();
    await dataSource.destroy();
  });
  afterAll(() => database.close());

  it('that somebody may have run do what they did', () => {
    const hashes = [...statementsOf]
      .slice(0, Object.keys(fixedMigrations).length)
      .map(([name, statements]) => {
        return [name, createHash('sha256').update(statements.join(';\n')).digest('hex')];
      });
    expect(Object.fromEntries(hashes)).toEqual(fixedMigrations);
  });

  it('that came later only add', () => {
    const later = [...statementsOf].filter(([name]) => !Object.hasOwn(fixedMigrations, name));
    expect(later.flatMap(([, statements]) => whatDoesNotOnlyAdd(statements))).toEqual([]);
  });

  it('give each table, index and key a name that begins with payments_', async () => {
    const { rows } = await database.sql.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
       UNION SELECT conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace`,
    );
    expect(rows.length).toBeGreaterThan(paymentsEntities.length);
    expect(rows.map(({ name }) => name).filter((name) => !prefixed(name))).toEqual([]);
  });
});
