import { problems, type ProblemKind } from '../../libs/payments/src/http/problems.js';

/** Every error with its HTTP status, as Markdown. */
export function problemTable(): string {
  const kinds: [string, ProblemKind][] = Object.entries(problems);
  const rows = kinds.map(([code, { status, title, detail, retryAfterSeconds }]) => [
    `\`${code}\``,
    retryAfterSeconds === undefined ? `${status}` : `${status}, after ${retryAfterSeconds} s`,
    title,
    detail,
  ]);
  const head = ['`code`', 'status', '`title`', '`detail`'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
