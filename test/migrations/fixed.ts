/**
 * The migrations of versions that people run: no later version changes what they do, since it would not do so in their databases. The
 * SHA-256 of each is of its statements. A migration gets its line here with the version that brings it; that of the first release has it already,
 * so that whoever changes it says in CHANGELOG.md what is done with a database that was made before.
 */
export const fixedMigrations: Readonly<Record<string, string>> = {
  Payments1760000000000: '0e7fe0d37feccb84ecb055e2082155774b9958adcf5f75f4dd29d743f1d853d1',
};
