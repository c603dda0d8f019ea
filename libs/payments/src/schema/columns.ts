import type { ColumnOptions, ValueTransformer } from 'typeorm';

/** bigint arrives from PostgreSQL as text; minor units fit a safe integer, and anything else is corruption. */
const wholeNumber: ValueTransformer = {
  to: (value: number | null | undefined) => value,
  from: (value: string | null) => {
    if (value === null) return null;
    const parsed = Number(value);
    if (!Number.isSafeInteger(parsed)) throw new RangeError(`${value} is not a safe integer.`);
    return parsed;
  },
};

/** A column of minor units. */
export function minorColumn(name: string, options: ColumnOptions = {}): ColumnOptions {
  return { ...options, type: 'bigint', name, transformer: wholeNumber };
}

/** SQL: a column is one of these. */
export function isOneOf(column: string, values: readonly string[]): string {
  return `"${column}" IN (${values.map((value) => `'${value}'`).join(', ')})`;
}
