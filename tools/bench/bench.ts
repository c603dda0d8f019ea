import type { Bar, Figure, Unit } from './figures.js';
import type { Samples } from './rounds.js';
import type { Stage } from './stage/stage.js';

/** One bench: a question, and the figures that answer it. */
export interface Bench {
  readonly name: string;
  /** One line on what is measured. */
  readonly what: string;
  /** It runs other people's packages, which may have to be installed first. */
  readonly hasRivals?: true;
  /** Below the table: how the contenders work, and what they do not promise. */
  readonly notes: readonly string[];
  run(stage: Stage): Promise<readonly Figure[]>;
}

/** What is no comparison of contenders: shown below the table of the figures. */
export interface MoreRows {
  readonly what: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

interface Comparison {
  readonly case: string;
  /** The number of the samples that is shown. */
  readonly metric: string;
  readonly unit: Unit;
  readonly against?: string;
  /** By contender. */
  readonly bars?: Readonly<Record<string, Bar>>;
}

/** A figure of each contender that measured this. */
export function compare(samples: Samples, comparison: Comparison): Figure[] {
  const { metric, unit, against, bars } = comparison;
  return [...samples].flatMap(([contender, rounds]) => {
    const values = rounds.flatMap((sample) => sample[metric] ?? []);
    if (values.length === 0) return [];
    const bar = bars?.[contender];
    return [
      {
        case: comparison.case,
        contender,
        unit,
        rounds: values,
        ...(against !== undefined && { against }),
        ...(bar !== undefined && { bar }),
      },
    ];
  });
}
