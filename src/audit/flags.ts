import { parseArgs } from 'node:util';

export const usage = `Usage: npm run audit -- --from 2030-01-01 [flags]
  --from 2030-01-01  first day, UTC, or a moment such as 2030-01-01T12:00:00Z
  --to 2030-02-01    up to this day or moment, exclusive; default: now
  --json             prints one JSON document instead of a table
  --help             prints this
Exit code: 0 the books agree, 1 they differ, 2 they could not be compared,
  3 payments and refunds agree, but the key may not list receipts.`;

/** The flags of an audit. */
export interface AuditFlags {
  readonly from: Date;
  readonly to: Date;
  readonly json: boolean;
}

/** @throws Error that names the bad flag or value */
export function parseFlags(args: readonly string[], now: Date): AuditFlags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  if (values.from === undefined) throw new Error('--from must say where to begin, such as --from 2030-01-01');
  const from = parseMoment('--from', values.from);
  const to = values.to === undefined ? now : parseMoment('--to', values.to);
  if (from >= to) throw new Error('--from must be before --to');
  return { from, to, json: values.json };
}

function parseMoment(flag: string, text: string): Date {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const moment = /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(text);
  const date = new Date(day || moment ? text : NaN);
  // JavaScript turns 30 February into a day of March.
  if (Number.isNaN(date.getTime()) || (day && date.toISOString().slice(0, 10) !== text))
    throw new Error(
      `${flag} must be a day such as 2030-01-31 or a moment such as 2030-01-31T12:00:00Z, not "${text}"`,
    );
  return date;
}
