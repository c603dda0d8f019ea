import { Client } from 'pg';
import { bounds, type Bound } from './bounds.js';
import { bulkStores } from './bulk.js';
import { crowd } from './crowd.js';
import { costOf, type Cost } from './explain.js';
import type { Sent } from './recorder.js';
import type { Recorded } from './scenarios.js';
import { transplant } from './transplant.js';

/**
 * A statement that looks at one row walks a few pages of an index for it, and so do its foreign keys and the row's own indexes.
 */
const PAGES_AT_LEAST = 400;
const PAGES_PER_ROW = 10;

/** The measured cost of a recorded statement, and what is wrong with it. */
export interface Judged {
  readonly text: string;
  readonly bound: Bound | null;
  readonly rows: number | null;
  readonly pages: number | null;
  readonly faults: readonly string[];
}

interface JudgedOn {
  /** Whether the large database is analyzed first. Default: nobody has. */
  readonly analyzed?: boolean;
  /** Only what lists the rows of all stores, of which the large database has five thousand. Default: all statements. */
  readonly manyStores?: boolean;
}

/**
 * Explains every recorded statement on a large database, with the parameters it was sent with, and compares what it touches with
 * its bound. The large database stays unchanged.
 */
export async function judge(
  { statements, url, stores }: Recorded,
  largeUrl: string,
  { analyzed = false, manyStores = false }: JudgedOn = {},
): Promise<Judged[]> {
  const renamed = (text: string) =>
    text.replaceAll(stores.shop, bulkStores.shop).replaceAll(stores.connected, bulkStores.connected);
  const client = new Client(largeUrl);
  await client.connect();
  try {
    await client.query('BEGIN');
    await transplant(url, client, renamed);
    await crowd(client);
    if (analyzed) await client.query('ANALYZE');
    const judged: Judged[] = [];
    for (const [text, sent] of statements) {
      const bound = boundOf(text, manyStores);
      if (manyStores && bound === null) continue;
      const costs: Cost[] = [];
      for (const { sql, parameters, settings } of sent) {
        const there: Sent = {
          sql: renamed(sql),
          parameters: parameters.map((value) => rename(value, renamed)),
          settings,
        };
        costs.push(await costOf(client, there, 'these'));
        if (isNamed(sql)) costs.push(await costOf(client, there, 'any'));
      }
      judged.push(judgedOf(text, bound, costs));
    }
    await client.query('ROLLBACK');
    return judged;
  } finally {
    await client.end();
  }
}

/** Statements that contain their own terms are sent under a name, so a connection may keep one plan for all their parameters. */
function isNamed(sql: string): boolean {
  return sql.includes('set_config(');
}

function rename(value: unknown, renamed: (text: string) => string): unknown {
  if (typeof value === 'string') return renamed(value);
  return Array.isArray(value) ? value.map((each) => rename(each, renamed)) : value;
}

function boundOf(text: string, manyStores: boolean): Bound | null {
  const bound = bounds.find(({ statement }) => matches(statement, text)) ?? null;
  if (bound === null || !manyStores) return bound;
  const { rowsOfManyStores } = bound;
  return rowsOfManyStores === undefined ? null : { ...bound, rows: rowsOfManyStores };
}

function judgedOf(text: string, bound: Bound | null, costs: readonly Cost[]): Judged {
  const rows = most(costs.map((cost) => cost.rows));
  const pages = most(costs.map((cost) => cost.pages));
  const worst = costs.find((cost) => cost.scanned.length > 0 || cost.rows === rows) ?? costs[0];
  const faults: string[] = [];
  for (const table of new Set(costs.flatMap(({ scanned }) => scanned))) faults.push(`reads all of ${table}`);
  if (bound === null)
    faults.push(`is not listed in test/plans/bounds.ts; it touched ${rows ?? '?'} rows here`);
  else {
    if (rows !== null && rows > bound.rows) faults.push(`touches ${rows} rows, more than ${bound.rows}`);
    const pagesAtMost = PAGES_AT_LEAST + PAGES_PER_ROW * bound.rows;
    if (pages !== null && pages > pagesAtMost)
      faults.push(`touches ${pages} pages, more than ${pagesAtMost}`);
  }
  return {
    text,
    bound,
    rows,
    pages,
    faults: faults.length === 0 ? [] : [...faults, ...(worst ? [worst.plan] : [])],
  };
}

function most(numbers: readonly (number | null)[]): number | null {
  const known = numbers.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** `…` in the pattern stands for anything; all white space is equal. */
export function matches(pattern: string, text: string): boolean {
  const parts = pattern
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split('…')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(text);
}

/** The faults that were found, as text. */
export function faultsOf(judged: readonly Judged[]): string[] {
  return judged
    .filter(({ faults }) => faults.length > 0)
    .map(({ text, faults }) => `${text}\n  ${faults.join('\n  ')}`);
}

/** Listed statements that nothing sent. */
export function unsent(judged: readonly Judged[]): string[] {
  const sent = new Set(judged.map(({ bound }) => bound));
  return bounds
    .filter((bound) => !sent.has(bound) && bound.rare === undefined)
    .map(({ statement }) => statement);
}
