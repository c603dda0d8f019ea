/** Carries idiomorph into the board, as a module of its own: `node tools/idiomorph.js`, after `npm install` of another version. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const { version } = JSON.parse(await readFile(at('node_modules/idiomorph/package.json'), 'utf8'));
const code = await readFile(at('node_modules/idiomorph/dist/idiomorph.min.js'), 'utf8');
await writeFile(
  at('libs/board/src/live/idiomorph.ts'),
  `/**
 * idiomorph ${version} of bigskysoftware, under the Zero-Clause BSD license, as it is published: a text, so that the board works where a host's
 * bundler has left no node_modules. \`node tools/idiomorph.js\` makes this file.
 */
export const idiomorph = ${JSON.stringify(code)};
`,
);
