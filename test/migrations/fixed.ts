/**
 * The migrations of versions that people run: no later version changes what they do, since it would not do so in their databases. The
 * SHA-256 of each is of its statements. A migration gets its line here with the version that brings it; that of the first release has it already,
 * so that whoever changes it says in CHANGELOG.md what is done with a database that was made before.
 */
export const fixedMigrations: Readonly<Record<string, string>> = {
  Payments1760000000000: '3b79e448b3c0b445e6ece44630ba3a2bacab92d1334556eb9e37f93775c19e27',
};
