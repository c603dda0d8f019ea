import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { workspace } from './packed.js';

const folder = join(workspace, 'libs/payments/monitoring');
/** The rules that the package ships. */
export const alertsFile = join(folder, 'alerts.yml');

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export async function alertRules(): Promise<readonly AlertRule[]> {
  const { groups }: { readonly groups: readonly { readonly rules: readonly AlertRule[] }[] } = parse(
    await readFile(alertsFile, 'utf8'),
  );
  return groups.flatMap(({ rules }) => rules);
}

/** What a panel of the dashboard asks, and how it names each line of the answer. */
export interface Query {
  readonly title: string;
  readonly expr: string;
  readonly legendFormat: string;
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly Omit<Query, 'title'>[];
}

/** What the dashboard that the package ships asks. */
export async function dashboardQueries(): Promise<readonly Query[]> {
  const { panels }: { readonly panels: readonly Panel[] } = JSON.parse(
    await readFile(join(folder, 'grafana-dashboard.json'), 'utf8'),
  );
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
  );
}

/** One series of a query, with what its labels must be. */
export interface Selector {
  readonly series: string;
  readonly labels: readonly { readonly label: string; readonly values: readonly string[] }[];
}

export function selectorsIn(expr: string): readonly Selector[] {
  return [...expr.matchAll(/\b(holdfast_\w+)(?:\{([^}]*)\})?/g)].map(([, series = '', given = '']) => ({
    series,
    labels: [...given.matchAll(/(\w+)\s*[!=]=?~?\s*"([^"]*)"/g)].map(([, label = '', values = '']) => ({
      label,
      values: values.split('|'),
    })),
  }));
}

/** The labels by which a query puts series together. */
export function groupingsIn(expr: string): readonly string[] {
  return [...expr.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)].flatMap(
    ([, labels = '']) => labels.match(/\w+/g) ?? [],
  );
}
