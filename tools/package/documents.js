/**
 * Lays the guides and the changelog into the packed `@holdfast/payments`, so that they are there with no network. Plain JavaScript,
 * because packing needs no build of the workspace. Run by `prepack`, in the folder of the package; `postpack` removes them again.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../../', import.meta.url));
const guides = (await readdir(join(workspace, 'docs'))).filter((name) => name.endsWith('.md'));

/** What is laid in, and the package's own page: by its path in the repository, where each stands in the package. */
const places = new Map([
  ['libs/payments/README.md', 'README.md'],
  ...['CHANGELOG.md', ...guides.map((name) => `docs/${name}`)].map((path) => [path, path]),
]);

/** The page's text, its links as in the package. A link to what is not in the package, such as a test, is its own text. */
function carried(text, page) {
  return text.replaceAll(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, label, link) => {
    if (/^(\w+:|#)/.test(link)) return whole;
    const [name, anchor] = link.split('#');
    const place = places.get(posix.join(posix.dirname(page), name));
    if (place === undefined) return label;
    return `[${label}](${posix.relative(posix.dirname(page), place)}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}

for (const [page, place] of places) {
  if (place === 'README.md') continue;
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, carried(await readFile(join(workspace, page), 'utf8'), page));
}
