import type { Instrument } from '../telemetry/instruments.js';

/** The labels of each series that a metric has for certain; none where the values of a label are only described. */
export function listedLabels({ labels }: Instrument): readonly Readonly<Record<string, string>>[] {
  return Object.entries(labels).reduce<Readonly<Record<string, string>>[]>(
    (known, [label, values]) =>
      typeof values === 'string'
        ? []
        : known.flatMap((others) => values.map((value) => ({ ...others, [label]: value }))),
    [{}],
  );
}
