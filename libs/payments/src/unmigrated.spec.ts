import { unmigrated } from './unmigrated.js';

const place = { schema: 'public', schemaInUrl: null, areListed: false, areRunAtStart: false };
const some = { isEmpty: false, lacking: ['payments_orders', 'payments_orders_pkey'] };

describe('what a database without all of the tables is told', () => {
  it('says before all else to run the migrations, where there is no table, and lists none', () => {
    const lacking = Array.from({ length: 140 }, (_, index) => `payments_${index}`);
    expect(unmigrated({ isEmpty: true, lacking }, place)).toBe(
      'run the migrations: there are no tables of the payments module in the schema public. Add ...paymentsMigrations to the data ' +
        "source's migrations, before your own, and run them as you run yours, or set migrationsRun: true",
    );
  });

  it('names what is missing of an earlier version, and not all of much', () => {
    expect(unmigrated(some, place)).toMatch(
      /^run the migrations of this version: the database lacks payments_orders, payments_orders_pkey\. Add /,
    );
    const lacking = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    expect(unmigrated({ isEmpty: false, lacking }, place)).toContain('lacks a, b, c, d, e and 2 more.');
  });

  it('asks nobody to list what is listed', () => {
    const listed = { ...place, areListed: true };
    expect(unmigrated(some, listed)).toMatch(/\. The data source lists them: run them as you run your own/);
    expect(unmigrated(some, { ...listed, areRunAtStart: true })).toMatch(
      /the start of the application runs them$/,
    );
  });

  it('says that nothing follows the schema of the url', () => {
    expect(unmigrated(some, { ...place, schemaInUrl: 'shop' })).toMatch(
      /says \?schema=shop, which TypeORM does not follow: set schema: 'shop' on the data source/,
    );
  });
});
