import { conditionsOf } from '@holdfast/payments';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { conditionNames } from '../../libs/payments/src/operator/conditions.js';
import {
  instrumentNames,
  instruments,
  type Instrument,
} from '../../libs/payments/src/telemetry/instruments.js';
import { conditionFaults } from '../deep/faulty-runs/conditions.js';
import { faults } from '../deep/faulty-runs/faults.js';
import { measuredFaults } from '../deep/faulty-runs/measured.js';
import { alertRules, dashboardQueries, groupingsIn, selectorsIn } from '../support/alerts.js';
import { backlogOf } from '../support/backlog.js';
import { workspace } from '../support/packed.js';
import { alertTable } from './alert-table.js';
import { instrumentsBySeries } from './prometheus-names.js';

const DAY_MS = 24 * 3_600_000;
const old = { count: 3, more: false, oldestMs: DAY_MS };
/** What of a query no metric of the module has. */
function strangersIn(expr: string): string[] {
  const selectors = selectorsIn(expr);
  // Prometheus itself gives each series the last two.
  const labels = new Set(['le', 'job', 'instance']);
  const strangers = selectors.flatMap(({ series, labels: asked }) => {
    const name = instrumentsBySeries.get(series);
    if (name === undefined) return [series];
    const { labels: known }: Instrument = instruments[name];
    for (const label of Object.keys(known)) labels.add(label);
    return asked.flatMap(({ label, values }) => {
      const listed = label === 'condition' ? conditionNames : known[label];
      if (listed === undefined || typeof listed === 'string') return [`${series}{${label}}`];
      const isListed = new Set<string>(listed);
      return values.filter((value) => !isListed.has(value)).map((value) => `${series}{${label}="${value}"}`);
    });
  });
  return [...strangers, ...groupingsIn(expr).filter((label) => !labels.has(label))];
}

describe('the alerts', () => {
  it('are one for each condition, with its remedy, and critical where a person must act', async () => {
    const rules = await alertRules();
    const ofConditions = rules.filter(({ labels }) => labels['condition'] !== undefined);
    expect(
      ofConditions.map(({ expr, labels, annotations }) => [
        expr,
        labels['condition'],
        labels['severity'],
        annotations['description'],
      ]),
    ).toEqual(
      conditionsOf(backlogOf(old)).map(({ name, needsPerson, remedy }) => [
        `max(holdfast_conditions{condition="${name}"} and on (job, instance) holdfast_figures_age_seconds < 60) == 1`,
        name,
        needsPerson ? 'critical' : 'warning',
        remedy,
      ]),
    );
    expect(ofConditions).toHaveLength(conditionNames.length);
  });

  it('each have a run that makes them fire', async () => {
    const runs = [...faults.map(({ shows }) => shows), ...measuredFaults, ...conditionFaults];
    const fired = new Set(['HoldfastNotMeasured', ...runs.flatMap(({ alerts }) => alerts)]);
    const rules = await alertRules();
    expect(rules.map(({ alert }) => alert).filter((alert) => !fired.has(alert))).toEqual([]);
  });

  it('each have a name of their own, a time, a severity, a meaning, a remedy and a page of the package', async () => {
    const rules = await alertRules();
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, for: wait, labels, annotations } of rules) {
      expect(alert).toMatch(/^Holdfast[A-Z]\w+$/);
      expect(wait).toMatch(/^\d+m$/);
      expect(labels['severity']).toMatch(/^(critical|warning)$/);
      expect(Object.keys(annotations)).toEqual(['summary', 'description', 'runbook']);
      expect(annotations['runbook']).toMatch(/^docs\/[\w-]+\.md(#[\w-]+)?$/);
    }
  });

  // Whose links test/docs follows.
  it('stand in docs/monitoring.md, each with what to do', async () => {
    const page = await readFile(join(workspace, 'docs/monitoring.md'), 'utf8');
    expect(page).toContain(`\n\n${alertTable(await alertRules())}\n\n`);
  });
});

describe('the alerts and the panels of the dashboard', () => {
  it('ask for no metric, label or value that the module does not have', async () => {
    const asked = [...(await alertRules()), ...(await dashboardQueries())].map(({ expr }) => expr);
    expect(asked.flatMap((expr) => selectorsIn(expr)).length).toBeGreaterThan(40);
    expect(asked.flatMap(strangersIn)).toEqual([]);
  });

  it('are noticed where they ask for something else', () => {
    const asked =
      'sum by (le, of) (rate(holdfast_changes_total{found=~"polled|heard",by!="x"}[5m])) / holdfast_changes';
    expect(strangersIn(asked)).toEqual([
      'holdfast_changes_total{found="heard"}',
      'holdfast_changes_total{by}',
      'holdfast_changes',
      'of',
    ]);
  });

  it('name the lines of a panel by the labels that its query keeps', async () => {
    for (const { title, expr, legendFormat } of await dashboardQueries()) {
      const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
      expect([title, named]).toEqual([title, groupingsIn(expr).filter((label) => label !== 'le')]);
    }
  });

  it('show every metric of the module on the dashboard', async () => {
    const shown = (await dashboardQueries())
      .flatMap(({ expr }) => selectorsIn(expr))
      .map(({ series }) => instrumentsBySeries.get(series));
    expect(instrumentNames.filter((name) => !shown.includes(name))).toEqual([]);
  });
});
