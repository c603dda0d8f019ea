import { resolve } from 'node:path';
import { CommandError, reasonOf } from '../command-error.js';
import { exitCodes } from '../exit-codes.js';

/**
 * Sets the variables that a file has, before the application is loaded; what is set already stays, as with `node --env-file`.
 * @throws CommandError
 */
export function loadVariables(file: string): void {
  const path = resolve(process.cwd(), file);
  try {
    process.loadEnvFile(path);
  } catch (error) {
    throw new CommandError(
      `--env-file names ${path}, which cannot be read: ${reasonOf(error)}`,
      exitCodes.usage,
    );
  }
}
