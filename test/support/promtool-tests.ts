import type { AlertRule } from './alerts.js';

/** What Prometheus would have read of a shop, one scrape after the other. */
export type Scrapes = readonly string[];

export interface Expected {
  readonly afterMinutes: number;
  /** The names of the alerts that fire then; all others must not. */
  readonly alerts: readonly string[];
}

/** A unit test of alert rules, as `promtool test rules` reads it. */
export function alertTest(
  name: string,
  rules: readonly AlertRule[],
  everyMinutes: number,
  scrapes: Scrapes,
  expected: readonly Expected[],
): object {
  return {
    name,
    interval: `${everyMinutes}m`,
    input_series: seriesOf(scrapes),
    alert_rule_test: expected.flatMap(({ afterMinutes, alerts }) =>
      rules.map(({ alert, labels, annotations }) => ({
        eval_time: `${afterMinutes}m`,
        alertname: alert,
        exp_alerts: alerts.includes(alert) ? [{ exp_labels: labels, exp_annotations: annotations }] : [],
      })),
    ),
  };
}

/** Each series that was printed, with its value in each scrape. */
function seriesOf(scrapes: Scrapes): { series: string; values: string }[] {
  const values = new Map<string, string[]>();
  for (const [index, scrape] of scrapes.entries())
    for (const line of scrape.split('\n')) {
      const [, series, value] = /^(\w+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
      if (series === undefined || value === undefined) continue;
      const known = values.get(series) ?? scrapes.map(() => '_');
      known[index] = value.replace('+', '');
      values.set(series, known);
    }
  return [...values].map(([series, of]) => ({ series, values: of.join(' ') }));
}
