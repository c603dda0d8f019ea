import type { Tally } from './attack.js';
import type { Latency } from './latency.js';

/** An innocent notification may take this many times as long beside hostile requests as beside plain ones. */
export const MOST_DELAY = 2;

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
  readonly latency: Latency;
}): string {
  const { seed, tally, changed, before, after, bounds, held, logged, latency } = run;
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
    ['p99 of an innocent notification beside them', `${latency.hostile.toFixed(1)} ms`],
    ['p99 of the same beside as many plain refused ones', `${latency.plain.toFixed(1)} ms`],
    ['the one by the other', `${(latency.hostile / latency.plain).toFixed(2)}, at most ${MOST_DELAY}`],
  ];
  return `\n${rows.map(([what, figure]) => `  ${what.padEnd(52)}  ${figure}`).join('\n')}\n\n`;
}

function sorted(counts: ReadonlyMap<string, number>): [what: string, count: number][] {
  return [...counts].toSorted(([a], [b]) => a.localeCompare(b));
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0);
}
