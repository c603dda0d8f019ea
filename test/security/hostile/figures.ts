import type { Tally } from './attack.js';

/** The results of a run, as a table. */
export function figures(run: {
  readonly seed: number;
  readonly tally: Tally;
  readonly changed: readonly string[];
  readonly before: Record<string, number>;
  readonly after: Record<string, number>;
  readonly bounds: Record<string, number>;
  /** Of each host, in bytes: at the start, in the middle, at the end. */
  readonly held: readonly (readonly number[])[];
  readonly logged: number;
}): string {
  const { seed, tally, changed, before, after, bounds, held, logged } = run;
  const serverErrors = [...tally.answers]
    .filter(([status]) => status.startsWith('5'))
    .map(([, count]) => count);
  const rows: [what: string, figure: string | number][] = [
    ['seed', seed],
    ['requests', sum(tally.requests.values())],
    ...sorted(tally.requests).map(([kind, count]): [string, number] => [`  ${kind}`, count]),
    ...sorted(tally.answers).map(([status, count]): [string, number] => [`answered ${status}`, count]),
    ['5xx', sum(serverErrors)],
    ['answers against their verdict', tally.findings.length],
    ['tables whose state changed', changed.length],
    ...Object.entries(bounds).map(([table, bound]): [string, string] => [
      `rows of ${table}`,
      `${before[table]} before, ${after[table]} after, at most ${bound}`,
    ]),
    ...['start', 'middle', 'end'].map((when, index): [string, string] => [
      `memory of each host, ${when}`,
      (held[index] ?? []).map((bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`).join(', '),
    ]),
    ['lines logged', logged],
  ];
  return `\n${rows.map(([what, figure]) => `  ${what.padEnd(52)}  ${figure}`).join('\n')}\n\n`;
}

function sorted(counts: ReadonlyMap<string, number>): [what: string, count: number][] {
  return [...counts].toSorted(([a], [b]) => a.localeCompare(b));
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0);
}
