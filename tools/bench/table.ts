import { median, ratioOf, verdictOf, type Bar, type Figure, type Unit } from './figures.js';

export const headings = ['case', 'contender', 'median', 'rounds', 'ratio', 'bar', ''] as const;

/** The cells of each figure, under `headings`. */
export function tableRows(figures: readonly Figure[]): string[][] {
  return figures.map((figure) => {
    const { unit, rounds, bar } = figure;
    const middle = median(rounds);
    const ratio = ratioOf(figure, figures);
    const judged = bar?.of === 'value' ? middle : ratio;
    return [
      figure.case,
      figure.contender,
      withUnit(middle, unit),
      spread(rounds),
      ratio === null ? '' : `${shortNumber(ratio)} ×`,
      bar ? barText(bar, unit) : '',
      bar && judged !== null ? verdictOf(bar, judged) : '',
    ];
  });
}

function spread(rounds: readonly number[]): string {
  return rounds.length < 2 ? '' : `${shortNumber(Math.min(...rounds))}–${shortNumber(Math.max(...rounds))}`;
}

function barText({ of, at, bar, aim }: Bar, unit: Unit): string {
  const text = (goal: number): string => (of === 'ratio' ? `${goal} ×` : withUnit(goal, unit));
  return `${at === 'least' ? '≥' : '≤'} ${text(bar)}${aim === null ? '' : `, aim ${text(aim)}`}`;
}

function withUnit(value: number, unit: Unit): string {
  if (unit === '/s') return `${shortNumber(value)}/s`;
  return `${shortNumber(value)} ${unit}`.trimEnd();
}

/** Three significant digits, and whole numbers from a hundred on. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return '—';
  const size = Math.abs(value);
  return size >= 100 ? String(Math.round(value)) : value.toFixed(size >= 10 ? 1 : 2);
}
