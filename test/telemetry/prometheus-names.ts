import {
  instrumentNames,
  instruments,
  type InstrumentName,
} from '../../libs/payments/src/telemetry/instruments.js';

/** What Prometheus calls a metric: what only grows has an ending. */
export function prometheusName(name: InstrumentName): string {
  return `${name.replaceAll('.', '_')}${instruments[name].kind === 'counter' ? '_total' : ''}`;
}

/** The metrics by the names of their series: a histogram has three. */
export const instrumentsBySeries: ReadonlyMap<string, InstrumentName> = new Map(
  instrumentNames.flatMap((name) => {
    const base = prometheusName(name);
    const series =
      instruments[name].kind === 'histogram'
        ? ['bucket', 'sum', 'count'].map((part) => `${base}_${part}`)
        : [base];
    return series.map((one): [string, InstrumentName] => [one, name]);
  }),
);
