/** What the tables already have is written by processes of the version before, which run on beside those of the new one. */
interface Made {
  /** Tables of this very migration: no other process knows them. */
  readonly tables: Set<string>;
  /** Columns that this migration has added, `table.column`: other processes leave them alone. */
  readonly columns: Set<string>;
}

const NAME = '"([^"]+)"';
/** The schema of the data source stands before a table's name, where there is one. */
const TABLE = `(?:"[^"]+"\\.)?${NAME}`;

const createTable = new RegExp(`^CREATE TABLE ${TABLE} \\(`);
const createIndex = new RegExp(
  `^CREATE (UNIQUE )?INDEX (CONCURRENTLY )?(IF NOT EXISTS )?${NAME} ON ${TABLE} `,
);
const alterTable = new RegExp(`^ALTER TABLE ${TABLE} (.+)$`);
const addConstraint = new RegExp(`^ADD CONSTRAINT ${NAME} (CHECK|FOREIGN KEY)? ?(.*)$`);
const addColumn = new RegExp(`^ADD (?:COLUMN )?${NAME} (.+)$`);
const comment = /^COMMENT ON (TABLE|COLUMN) /;

/**
 * What of one migration's statements, in their order, a process of the version before might not stand, or a large table not afford;
 * each with its reason. Nothing: the migration only adds.
 */
export function whatDoesNotOnlyAdd(statements: readonly string[]): string[] {
  const made: Made = { tables: new Set(), columns: new Set() };
  return statements.flatMap((statement) => {
    const plain = withoutTexts(statement);
    return faultsOf(plain, made).map((fault) => `${fault}: ${plain}`);
  });
}

/** On one line, and without what stands in quotes: a comma or a word there says nothing. */
function withoutTexts(statement: string): string {
  return statement
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/;$/, '');
}

function faultsOf(statement: string, made: Made): string[] {
  if (statement.includes(';')) return ['one statement at a time'];
  if (comment.test(statement)) return [];
  const [, newTable] = createTable.exec(statement) ?? [];
  if (newTable !== undefined) {
    made.tables.add(newTable);
    return ours(newTable);
  }
  const [isIndex, isUnique, isConcurrent, ifNotExists, index = '', indexed = ''] =
    createIndex.exec(statement) ?? [];
  if (isIndex !== undefined) {
    if (isConcurrent !== undefined)
      return ['TypeORM runs all migrations in one transaction, where this is refused'];
    if (made.tables.has(indexed)) return ours(index);
    if (isUnique !== undefined) return ['a row of the version before may be refused'];
    if (ifNotExists === undefined)
      return ['without IF NOT EXISTS nobody can build it beforehand, CONCURRENTLY, for a large table'];
    return ours(index);
  }
  const [, table = '', actions] = alterTable.exec(statement) ?? [];
  if (actions === undefined) return ['not known to add only'];
  return atCommas(actions).flatMap((action) => faultsOfAction(action, table, made));
}

function faultsOfAction(action: string, table: string, made: Made): string[] {
  if (action.startsWith('VALIDATE CONSTRAINT ')) return [];
  const [isConstraint, constraint = '', kind, rest = ''] = addConstraint.exec(action) ?? [];
  if (isConstraint !== undefined) {
    if (made.tables.has(table)) return ours(constraint);
    if (kind === undefined) return ['a row of the version before may be refused'];
    // Of a foreign key, its own columns; what it refers to stands behind them.
    const about = kind === 'CHECK' ? rest : rest.slice(0, rest.indexOf(')'));
    const columns = [...about.matchAll(/"([^"]+)"/g)].map(([, name]) => `${table}.${name}`);
    return columns.length > 0 && columns.every((column) => made.columns.has(column))
      ? ours(constraint)
      : ['a row of the version before may be refused'];
  }
  const [, column, type = ''] = addColumn.exec(action) ?? [];
  if (column === undefined) return ['not known to add only'];
  made.columns.add(`${table}.${column}`);
  if (/\b(UNIQUE|PRIMARY KEY|GENERATED)\b/.test(type)) return ['a row of the version before may be refused'];
  return /\bNOT NULL\b/.test(type) && !/\bDEFAULT\b/.test(type)
    ? ['a row of the version before has no value for it']
    : [];
}

/** Everything of the module is found, and told from the host's own, by how its name begins. */
const ours = (name: string): string[] =>
  name.startsWith('payments_') ? [] : ['its name does not begin with payments_'];

/** The actions of one ALTER TABLE: at the commas that stand in no parentheses. */
function atCommas(actions: string): string[] {
  let depth = 0;
  const parts = [''];
  for (const letter of actions) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${letter}`);
  }
  return parts.map((part) => part.trim());
}
