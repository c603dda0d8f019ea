/** Values of an entity's columns, each plain or as SQL. */
export type ColumnValues<Entity> = { [Column in keyof Entity]?: Entity[Column] | (() => string) };
