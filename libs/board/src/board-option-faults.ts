import type { BoardOptions } from './board.options.js';

/** What is wrong with the options: a JavaScript caller may leave out whatever it likes. */
export function faultsOf(options: Partial<Readonly<Record<keyof BoardOptions, unknown>>>): string[] {
  const { path, guard, actor, actions, timeZone } = options;
  const faults: string[] = [];
  if (typeof path !== 'string' || !/^[\w./-]+$/.test(path) || path.startsWith('/') || path.endsWith('/'))
    faults.push("path must be where the board is, without slashes around it, e.g. 'admin/payments'");
  if (typeof guard !== 'function')
    faults.push('guard is required: a class with canActivate() that lets in nobody but your staff');
  if (typeof actor !== 'function') faults.push('actor is required: (request) => the name of who is looking');
  if (typeof actions !== 'function') faults.push("actions is required: (request) => 'all' or 'read'");
  if (timeZone !== undefined && !isTimeZone(timeZone))
    faults.push('timeZone must be the name of a time zone, e.g. "Europe/Moscow"');
  return faults;
}

function isTimeZone(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[A-Za-z]/.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).format(0) !== '';
  } catch {
    return false;
  }
}
