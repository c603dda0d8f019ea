import { QueryFailedError } from 'typeorm';
import { explainDenial } from './denied-columns.js';

function denied(sql: string, table = 'payments_refunds', code = '42501'): string {
  const refusal = Object.assign(new Error(`permission denied for table ${table}`), { code });
  const error = new QueryFailedError(sql, [], refusal);
  explainDenial(error);
  return error.message;
}

describe('a statement that the role may not run', () => {
  const update =
    'UPDATE "public"."payments_refunds" SET status = $1, "colour" = lower($2), shape=$3 WHERE id = $4';

  it.each<[string, string]>([
    ['by itself', update],
    [
      'beside those of other tables',
      `WITH paid AS (UPDATE payments_payments SET size = 1 WHERE id = $1), r AS (${update}) SELECT 1`,
    ],
    [
      'in place of an insert',
      'INSERT INTO payments_refunds AS r (id, size) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET colour = excluded.colour, shape = 1 RETURNING id',
    ],
  ])('names the columns that nobody is granted, changed %s', (_name, sql) => {
    expect(denied(sql)).toBe(
      'permission denied for table payments_refunds: schema/rights.ts does not list UPDATE (colour, shape)',
    );
  });

  it('names what to run where all of them are listed', () => {
    expect(denied('UPDATE payments_refunds SET status = $1 WHERE id = $2')).toMatch(
      /paymentsGrants\(\) returns$/,
    );
  });

  it('is left as it is if it is another failure, or of another table', () => {
    expect(denied(update, 'orders')).toBe('permission denied for table orders');
    expect(denied(update, 'payments_refunds', '40001')).toBe('permission denied for table payments_refunds');
    expect(() => explainDenial(new Error('odd'))).not.toThrow();
  });
});
