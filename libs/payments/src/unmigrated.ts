/** What of the schema a database lacks. */
export interface Missing {
  /** Not one of the module's tables is there. */
  readonly isEmpty: boolean;
  /** Tables, columns, keys and checks. */
  readonly tables: readonly string[];
  readonly indexes: readonly string[];
}

/** Where tables are looked for, and how they get there. */
export interface Unmigrated {
  readonly schema: string;
  /** The schema that the url of the data source names, and nothing follows. */
  readonly schemaInUrl: string | null;
  /** The data source has the module's migrations. */
  readonly areListed: boolean;
  readonly areRunAtStart: boolean;
}

/** How many of what is missing are named: all would be 140. */
const NAMED = 5;

/** What a database without all of the tables is told. */
export function unmigrated(
  { isEmpty, lacking }: Pick<Missing, 'isEmpty'> & { readonly lacking: readonly string[] },
  place: Unmigrated,
): string {
  const what = isEmpty
    ? `run the migrations: there are no tables of the payments module in the schema ${place.schema}`
    : `run the migrations of this version: the database lacks ${named(lacking)}`;
  const elsewhere =
    place.schemaInUrl === null
      ? ''
      : `. The url of the data source says ?schema=${place.schemaInUrl}, which TypeORM does not follow: set schema: '${place.schemaInUrl}' on the data source if ` +
        'they are to be there';
  return `${what}. ${howToRun(place)}${elsewhere}`;
}

function howToRun({ areListed, areRunAtStart }: Unmigrated): string {
  if (!areListed)
    return "Add ...paymentsMigrations to the data source's migrations, before your own, and run them as you run yours, or set migrationsRun: true";
  return areRunAtStart
    ? 'The data source lists them, and the start of the application runs them'
    : 'The data source lists them: run them as you run your own, or set migrationsRun: true';
}

function named(lacking: readonly string[]): string {
  const more = lacking.length > NAMED ? ` and ${lacking.length - NAMED} more` : '';
  return `${lacking.slice(0, NAMED).join(', ')}${more}`;
}
