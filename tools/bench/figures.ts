/** The middle one by size; of an even count the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/**
 * How a contender did beside another: the median of the ratios of their rounds. They took turns, so that whatever slowed the
 * machine for a while slowed both.
 */
export function ratio(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}

/** The limit that a figure has to meet. */
export interface Bar {
  /** Of the ratio to the other contender, or of the figure itself. */
  readonly of: 'ratio' | 'value';
  readonly at: 'least' | 'most';
  readonly bar: number;
  readonly aim: number | null;
}

export const ratioAtLeast = (bar: number, aim: number | null = null): Bar => ({
  of: 'ratio',
  at: 'least',
  bar,
  aim,
});
export const ratioAtMost = (bar: number, aim: number | null = null): Bar => ({
  of: 'ratio',
  at: 'most',
  bar,
  aim,
});
export const atMost = (bar: number, aim: number | null = null): Bar => ({
  of: 'value',
  at: 'most',
  bar,
  aim,
});

type Verdict = 'missed' | 'met' | 'aim';

export function verdictOf({ at, bar, aim }: Bar, figure: number): Verdict {
  const reaches = (goal: number): boolean => (at === 'least' ? figure >= goal : figure <= goal);
  if (!reaches(bar)) return 'missed';
  return aim !== null && reaches(aim) ? 'aim' : 'met';
}

export type Unit = '/s' | 'ms' | 'MiB' | 'buffers' | 'commits' | 'statements' | 'requests' | '';

/** One line of a table: a contender's result in each round. */
export interface Figure {
  /** Figures of one case and unit can be compared. */
  readonly case: string;
  readonly contender: string;
  readonly unit: Unit;
  readonly rounds: readonly number[];
  /** The contender of the same case and unit that it is compared with. */
  readonly against?: string;
  readonly bar?: Bar;
}

/** The ratio of its figure to the other's; null if it is not compared. */
export function ratioOf(figure: Figure, all: readonly Figure[]): number | null {
  if (figure.against === undefined || figure.against === figure.contender) return null;
  const other = all.find(
    (one) => one.case === figure.case && one.unit === figure.unit && one.contender === figure.against,
  );
  return other ? ratio(figure.rounds, other.rounds) : null;
}
