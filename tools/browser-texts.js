/**
 * Turns each script for browsers into a module of text beside what sends it: libs/board/browser/live/renewal.ts into
 * libs/board/src/live/renewal.text.ts, which exports renewalScript. A text, so that a package needs no file beside its code, not even where a host's
 * bundler has left no node_modules. Run as this repository is installed and by each build; plain JavaScript, because it comes before them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../', import.meta.url));
/** By folder, where the modules of text stand below. */
const places = {
  'libs/board/browser': 'libs/board/src',
  'libs/sandbox/browser': 'libs/sandbox/src',
  'src/browser': 'src',
};

/** What a script uses of a package stands before it, as that package publishes it for browsers. */
const published = new Map([['libs/board/browser/live/renewal.ts', ['idiomorph', 'dist/idiomorph.min.js']]]);

const isInstalled = (name, path) => {
  try {
    return createRequire(join(workspace, path)).resolve(name) !== '';
  } catch {
    return false;
  }
};
// `npm ci --omit=dev`, beside a build that was made elsewhere: nothing is to be made there.
const isComplete =
  isInstalled('typescript', 'package.json') &&
  [...published].every(([path, parts]) => isInstalled(parts.join('/'), path));
if (process.env.npm_lifecycle_event === 'prepare' && !isComplete) process.exit(0);
const { default: ts } = await import('typescript');

function publishedFor(path) {
  const [name, file] = published.get(path) ?? [];
  if (name === undefined) return '';
  const place = createRequire(join(workspace, path)).resolve(`${name}/${file}`);
  // Its licence asks for no notice; whoever reads the page may want to know.
  const manifest = place.slice(0, -file.length) + 'package.json';
  const { version, license } = JSON.parse(readFileSync(manifest, 'utf8'));
  return `/* ${name} ${version}, ${license} */\n${readFileSync(place, 'utf8')}\n`;
}

/** Of a script by its path; in a function of its own, for it may be loaded as a classic script. */
async function textOf(path) {
  const { outputText } = ts.transpileModule(await readFile(join(workspace, path), 'utf8'), {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleDetection: ts.ModuleDetectionKind.Force,
      removeComments: true,
    },
  });
  const code = outputText.replace(/^export \{\};$/m, '').trim();
  const text = `(() => {\n'use strict';\n${publishedFor(path)}${code}\n})();\n`;
  if (/<\/script|<!--/i.test(text)) throw new Error(`${path} would end the page that it stands in.`);
  return text;
}

/** Every script by its path, with the path of its module. */
async function modules() {
  const found = new Map();
  for (const [folder, place] of Object.entries(places))
    for (const path of await readdir(join(workspace, folder), { recursive: true }))
      if (path.endsWith('.ts')) found.set(join(folder, path), join(place, path.replace(/ts$/, 'text.ts')));
  return found;
}

async function write(path, module) {
  const code = `/** Made of ${path} by tools/browser-texts.js. */
export const ${basename(path, '.ts')}Script = ${JSON.stringify(await textOf(path))};
`;
  const place = join(workspace, module);
  // What has not changed must not look newer than what was built of it.
  if (existsSync(place) && (await readFile(place, 'utf8')) === code) return;
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, code);
}

for (const [path, module] of await modules()) await write(path, module);
