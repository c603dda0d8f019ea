import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  instrumentNames,
  instruments,
  type Instrument,
  type InstrumentName,
} from '../../libs/payments/src/telemetry/instruments.js';
import { workspace } from '../support/packed.js';
import { prometheusName } from './prometheus-names.js';

const entries = instrumentNames.map((name): [InstrumentName, Instrument] => [name, instruments[name]]);
const labelsOf = ({ labels }: Instrument) => Object.keys(labels).join(' ');

describe('the names of the metrics', () => {
  it('stay as they are, since dashboards and alerts are written with them', () => {
    expect(entries.map(([name, one]) => `${one.kind} ${name} ${one.unit} ${labelsOf(one)}`.trim())).toEqual([
      'counter holdfast.requests {request} operation outcome',
      'histogram holdfast.request.duration.seconds s operation',
      'counter holdfast.notifications {notification} result',
      'counter holdfast.notifications.refused {notification} setting',
      'counter holdfast.changes {change} found',
      'histogram holdfast.reread.delay.seconds s lane',
      'counter holdfast.deliveries {run} handler result',
      'histogram holdfast.notification.delay.seconds s handler',
      'counter holdfast.budget.exhausted {claim}',
      'counter holdfast.budget.rests {answer}',
      'gauge holdfast.breaker.open {breaker} of',
      'gauge holdfast.sweep.age.seconds s',
      'gauge holdfast.figures.age.seconds s',
      'gauge holdfast.backlog.size {item} queue',
      'gauge holdfast.backlog.age.seconds s queue',
      'gauge holdfast.conditions {condition} condition',
      'gauge holdfast.hold.nearest_end.seconds s',
      'gauge holdfast.receipts {receipt} state',
    ]);
  });

  it('have the unit of a time in them, whichever exporter there is', () => {
    for (const [name, { unit }] of entries)
      expect([name, name.endsWith('.seconds')]).toEqual([name, unit === 's']);
  });

  it('stand in docs/monitoring.md with what they say, and nothing else does', async () => {
    const page = await readFile(join(workspace, 'docs/monitoring.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(holdfast\.[^`]+)` \| (.+) \| (.+) \| (.+) \| (.+) \|$/gm)];
    expect(rows.map(([, ...cells]) => cells)).toEqual(
      entries.map(([name, one]) => [
        name,
        `\`${prometheusName(name)}\``,
        one.unit === 's' ? `${one.kind}, seconds` : one.kind,
        Object.entries(one.labels)
          .map(([label, values]) =>
            typeof values === 'string'
              ? `\`${label}\`: ${values}`
              : `\`${label}\`: ${values.map((value) => `\`${value}\``).join(', ')}`,
          )
          .join('; ') || 'none',
        one.description,
      ]),
    );
  });
});
