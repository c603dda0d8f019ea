import { posix } from 'node:path';
import type { AlertRule } from '../support/alerts.js';

/** The alerts as docs/monitoring.md lists them, as Markdown. */
export function alertTable(rules: readonly AlertRule[]): string {
  const rows = rules.map(({ alert, for: wait, labels, annotations }) => {
    const { summary = '', description = '', runbook = '' } = annotations;
    const after = wait === '0m' ? 'at once' : wait.replace(/m$/, ' min');
    const page = posix.relative('docs', runbook);
    return [
      `\`${alert}\``,
      labels['severity'],
      after,
      summary,
      `${description} [More](${page.replace(/^monitoring\.md/, '')})`,
    ];
  });
  const head = ['alert', 'severity', 'after', 'it means', 'do'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
