/**
 * The migrations of versions that people run: no later version changes what they do, since it would not do so in their databases. The
 * SHA-256 of each is of its statements. A migration gets its line here with the version that brings it.
 */
export const fixedMigrations: Readonly<Record<string, string>> = {
  Payments1760000000000: 'b852d778edac3b74bed6682c1681a58403a4abc25beb3792c79a596b88569c4d',
};
