import { access, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isRecord } from '../../common/is-record.js';
import { CommandError } from '../command-error.js';
import { exitCodes } from '../exit-codes.js';

/** Where the build of a Nest application puts its root module: by `rootDir`, with or without the folder of its sources. */
export const usualFiles = ['dist/app.module.js', 'dist/src/app.module.js'] as const;

/**
 * The file with the compiled root module: the one that is named, the one of package.json (`"holdfast": { "app": "…" }`), or a usual one.
 * @throws CommandError
 */
export async function appFileOf(folder: string, named: string | undefined): Promise<string> {
  if (named !== undefined) return existing(resolve(folder, named), '--app names');
  const { root, app } = await manifestAbove(folder);
  if (app !== null) return existing(resolve(root, app), `package.json in ${root} names`);
  for (const usual of usualFiles) if (await isThere(join(root, usual))) return join(root, usual);
  throw new CommandError(
    `There is no ${usualFiles.join(' or ')} in ${root}: build the application and run the command in its folder, or name the ` +
      'file of its compiled root module, by --app dist/app.module.js or in package.json: "holdfast": { "app": "dist/app.module.js" }.',
    exitCodes.usage,
  );
}

async function existing(file: string, names: string): Promise<string> {
  if (await isThere(file)) return file;
  throw new CommandError(
    `${names} ${file}, which is not there: build the application first.`,
    exitCodes.usage,
  );
}

/** The nearest package.json from here upwards, as npm finds it. */
async function manifestAbove(folder: string): Promise<{ root: string; app: string | null }> {
  for (let root = folder; ; root = dirname(root)) {
    const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => null);
    if (text !== null) return { root, app: appNamedIn(text) };
    if (root === dirname(root)) return { root: folder, app: null };
  }
}

function appNamedIn(text: string): string | null {
  const manifest: unknown = JSON.parse(text);
  const settings = isRecord(manifest) ? manifest['holdfast'] : undefined;
  const app = isRecord(settings) ? settings['app'] : undefined;
  return typeof app === 'string' ? app : null;
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
