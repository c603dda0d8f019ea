import type { ObjectLiteral } from 'typeorm';
import { DATABASE_NOW } from '../common/clock.js';
import type { Database } from './database.js';

interface Column<Field extends string> {
  readonly field: Field;
  readonly name: string;
  readonly type: string;
}

/**
 * Fields of an entity in the JSON rows that a statement reads: the one source of its columns, of its assignments and of the rows'
 * values, so that none of them can forget a field that the others have.
 */
export class JsonColumns<Entity extends ObjectLiteral, Field extends keyof Entity & string> {
  /** To look them up takes longer than to write a row's values. */
  readonly #columns = new WeakMap<Database, readonly Column<Field>[]>();

  /** `prefix`: of the columns' names in a row, if it has those of several entities. */
  constructor(
    private readonly entity: new () => Entity,
    private readonly fields: readonly Field[],
    private readonly prefix = '',
  ) {}

  /** For `jsonb_to_recordset`. */
  definition(database: Database): string {
    return this.#of(database)
      .map(({ name, type }) => `${this.prefix}${name} ${type}`)
      .join(', ');
  }

  /** The columns' names, or those of such a row. */
  names(database: Database, row?: string): string {
    return this.#of(database)
      .map(({ name }) => `${row === undefined ? '' : `${row}.`}${name}`)
      .join(', ');
  }

  /** SQL of the values of such a row, whose times are counted from the statement's, as if that were 1970; a lease's in the database's own. */
  datedValues(database: Database, row: string): string {
    return this.#of(database)
      .map(({ name, type }) => {
        const value = `${row}.${this.prefix}${name}`;
        if (!type.startsWith('timestamp')) return value;
        return counted(value, name === 'lease_until' ? DATABASE_NOW : database.now);
      })
      .join(', ');
  }

  /** SQL of the assignments of such a row to the entity's own. */
  assignments(database: Database, row: string): string {
    return this.#of(database)
      .map(({ name }) => `${name} = ${row}.${this.prefix}${name}`)
      .join(', ');
  }

  row(database: Database, values: Pick<Entity, Field>): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      this.#of(database).map(({ field, name }) => [`${this.prefix}${name}`, values[field]]),
    );
  }

  #of(database: Database): readonly Column<Field>[] {
    const known = this.#columns.get(database);
    if (known) return known;
    const columns = this.fields.map((field) => ({ field, ...database.columnOf(this.entity, field) }));
    this.#columns.set(database, columns);
    return columns;
  }
}

/** SQL of a time that is counted from another one, as if that were 1970. */
export function counted(time: string, from: string): string {
  return `${from} + (${time} - timestamptz 'epoch')`;
}
