import type { OtherPlace } from './notice.js';

const words: Readonly<Record<OtherPlace['by'], (place: OtherPlace) => string>> = {
  systemIdentifier: () => 'The database is on another server than it was.',
  database: ({ was, is }) =>
    `The database is another one than it was: ${is}, and not ${was} (number and name).`,
  installation: ({ was, is }) => `The database is of the installation ${was}, and this process of ${is}.`,
};

/** What says that it may be a copy. */
export function inWords(place: OtherPlace): string {
  return words[place.by](place);
}
