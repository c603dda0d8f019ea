import { realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/**
 * The application has another copy of this package, as with a global npx or in a workspace with several applications: its classes are the
 * ones that the application's container knows, so its commands have to run.
 */
export class OtherCopyError extends Error {
  constructor(readonly folder: string) {
    super(`The application has its own copy of @holdfast/payments in ${folder}.`);
  }
}

/** @throws OtherCopyError unless the application in this file finds this very copy, or none */
export async function mustBeCopyOf(file: string, folder: string): Promise<void> {
  let found: string;
  try {
    found = dirname(createRequire(file).resolve('@holdfast/payments/package.json'));
  } catch {
    // A bundle has the package inside.
    return;
  }
  const [theirs, ours] = await Promise.all([realpath(found), realpath(folder)]);
  if (theirs !== ours) throw new OtherCopyError(theirs);
}
