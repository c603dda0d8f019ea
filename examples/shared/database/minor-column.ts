import type { ColumnOptions } from 'typeorm';

/** A bigint column of minor units, which PostgreSQL returns as text. */
export function minorColumn(name: string): ColumnOptions {
  return {
    type: 'bigint',
    name,
    transformer: {
      to: (value: number) => value,
      from: (value: string) => Number(value),
    },
  };
}
