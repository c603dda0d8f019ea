/**
 * What a deploy runs before the new processes start, in the folder of its version and as the owner of the tables: migrations, then grants,
 * as docs/database.md has it.
 */
import 'reflect-metadata';
import { paymentsGrants, paymentsMigrations } from '@holdfast/payments';
import { DataSource } from 'typeorm';

const { OWNER_URL, ROLE, LATER } = process.env;

/** A migration of a version to come: its statements. */
class Later1999000000000 {
  name = 'Later1999000000000';

  async up(queryRunner) {
    for (const statement of JSON.parse(LATER)) await queryRunner.query(statement);
  }
}

const dataSource = await new DataSource({
  type: 'postgres',
  url: OWNER_URL,
  extra: { options: '-c lock_timeout=2s' },
  migrations: [...paymentsMigrations, ...(LATER ? [Later1999000000000] : [])],
}).initialize();

/** Somebody may hold a table longer than the migration waits for it, or wait for what the migration holds: nothing is changed then. */
async function migrated() {
  for (;;) {
    try {
      return await dataSource.runMigrations();
    } catch (error) {
      if (!['55P03', '40P01'].includes(error.code)) throw error;
    }
  }
}

const done = await migrated();
await dataSource.query(paymentsGrants({ role: ROLE }));
await dataSource.destroy();
console.log(JSON.stringify(done.map(({ name }) => name)));
