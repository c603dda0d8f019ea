import { getMetadataArgsStorage } from 'typeorm';
import { paymentsEntities } from './entities.js';

const tables = paymentsEntities.map((entity) => {
  const found = getMetadataArgsStorage().tables.find(({ target }) => target === entity);
  return [entity.name, found?.name ?? 'none'] as const;
});

/** `payments_receipt_problems` → `paymentsreceiptproblem`: a class is in the singular, and writes OAuth with two capitals. */
const inTheSingular = (table: string) => table.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('_', '');

describe('the entities', () => {
  // TypeORM finds a relation that names its class as a string by that name alone, and the first entity of a name wins.
  it.each(tables)('%s is named as its table is, %s, prefix and all', (name, table) => {
    expect(name).toMatch(/^Payments[A-Z]\w*Entity$/);
    expect(name.toLowerCase()).toBe(`${inTheSingular(table)}entity`);
    expect(table).toMatch(/^payments_/);
  });

  it('have names that differ', () => {
    expect(new Set(tables.map(([name]) => name)).size).toBe(paymentsEntities.length);
  });
});
