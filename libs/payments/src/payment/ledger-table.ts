import type { ObjectLiteral } from 'typeorm';
import type { Database } from '../database/database.js';
import { JsonColumns } from '../database/json-columns.js';
import type { RowChanges } from './change.js';

interface Described<Entity, Field> {
  readonly entity: new () => Entity;
  readonly fixed: readonly Field[];
  readonly changing: readonly Field[];
}

/** The steps of a statement that write the rows of one table: what `mine` has of them, in two columns. */
export class LedgerTable<Entity extends ObjectLiteral, Field extends keyof Entity & string> {
  readonly #entity: new () => Entity;
  readonly #all: JsonColumns<Entity, Field>;
  readonly #changing: JsonColumns<Entity, Field>;

  constructor(
    private readonly name: string,
    { entity, fixed, changing }: Described<Entity, Field>,
  ) {
    this.#entity = entity;
    this.#all = new JsonColumns(entity, [...fixed, ...changing]);
    this.#changing = new JsonColumns(entity, changing);
  }

  /** The columns of `given`. */
  get columns(): string {
    return `${this.#opened} jsonb, ${this.#changed} jsonb`;
  }

  /** Their values. */
  values(
    database: Database,
    { opened, changed }: RowChanges<Pick<Entity, Field> & { readonly id: string }> = NONE,
  ): object {
    return {
      [this.#opened]: opened.map((row) => this.#all.row(database, row)),
      [this.#changed]: changed.map((row) => ({ id: row.id, ...this.#changing.row(database, row) })),
    };
  }

  /**
   * SQL of a CTE. `hasChanges`: the statement also has {@link update}, which runs first: what a row gives up, as an id of the service or the
   * only live capture of a hold, another one may have from now on. `isCounted`: see {@link JsonColumns.datedValues}.
   */
  insert(
    database: Database,
    { hasChanges = false, isCounted }: { readonly hasChanges?: boolean; readonly isCounted: boolean },
  ): string {
    const names = this.#all.names(database);
    return `${this.#opened}_now AS (
      INSERT INTO ${database.table(this.#entity)} (${names})
      SELECT ${isCounted ? this.#all.datedValues(database, 'made') : this.#all.names(database, 'made')}
      FROM mine CROSS JOIN LATERAL jsonb_to_recordset(mine.${this.#opened}) AS made (${this.#all.definition(database)})
      ${hasChanges ? `WHERE (SELECT count(*) FROM ${this.#changed}_now) IS NOT NULL` : ''}
    )`;
  }

  /** SQL of a CTE. */
  update(database: Database): string {
    return `${this.#changed}_now AS (
      UPDATE ${database.table(this.#entity)} known SET ${this.#changing.assignments(database, 'made')}
      FROM mine CROSS JOIN LATERAL jsonb_to_recordset(mine.${this.#changed}) AS made (id uuid, ${this.#changing.definition(database)})
      WHERE known.id = made.id AND known.id = ANY(ARRAY(
        SELECT (row ->> 'id')::uuid FROM mine, jsonb_array_elements(mine.${this.#changed}) row
      ))
      RETURNING 1
    )`;
  }

  get #opened(): string {
    return `${this.name}_opened`;
  }

  get #changed(): string {
    return `${this.name}_changed`;
  }
}

const NONE = { opened: [], changed: [] };
