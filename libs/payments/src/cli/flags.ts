import { InvalidArgumentError, Option } from 'commander';
import { userInfo } from 'node:os';
import { scopeOf, type StoreScope } from '../common/store.scope.js';

/** A day such as `2030-01-31`, which begins at midnight in UTC, or a moment such as `2030-01-31T12:00:00Z`. */
export function momentOf(text: string): Date {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isMoment = /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(text);
  const date = new Date(isDay || isMoment ? text : NaN);
  // JavaScript turns 30 February into a day of March.
  if (Number.isNaN(date.getTime()) || (isDay && date.toISOString().slice(0, 10) !== text))
    throw new InvalidArgumentError(
      'It must be a day such as 2030-01-31 (UTC) or a moment such as 2030-01-31T12:00:00Z.',
    );
  return date;
}

export const storeFlag = (): Option =>
  new Option('--store <id>', "a connected store's id; default: the shop's own");
export const cursorFlag = (): Option =>
  new Option('--cursor <cursor>', 'the next page, as the page before names it');
export const actorFlag = (): Option =>
  new Option('--actor <name>', 'who does this, for the timeline').default(
    userName(),
    'the user of the operating system',
  );

export interface StoreFlag {
  readonly store?: string;
}

export const scopeIn = ({ store }: StoreFlag): StoreScope => scopeOf(store);

/** A container may run as a user that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'command line';
  }
}
