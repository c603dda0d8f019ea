import type { Fault } from '../deep/faulty-runs/fault.js';
import { prometheusName } from '../telemetry/prometheus-names.js';

const SILENT = 'silent';

/** What points at each fault, as Markdown. */
export function faultTable(faults: readonly Fault[]): string {
  const rows = faults.map(({ name, shows: { log, health, board, metric, alerts, doctor } }) => [
    name,
    log === null ? SILENT : `“${log}”`,
    health === null ? SILENT : `\`${health}\``,
    board === null ? SILENT : board.says,
    metric === null ? SILENT : `\`${seriesOf(metric)}\``,
    alerts.map((alert) => `\`${alert}\``).join(', ') || SILENT,
    doctor === null
      ? SILENT
      : `${doctor.check === null ? 'several checks' : `\`${doctor.check}\``}: ${doctor.found}`,
  ]);
  const head = ['fault', 'log', 'health answer', 'board', 'metric', 'alert', '`doctor`'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function seriesOf({ name, labels }: NonNullable<Fault['shows']['metric']>): string {
  const given = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return prometheusName(name) + (given.length > 0 ? `{${given.join(',')}}` : '');
}
