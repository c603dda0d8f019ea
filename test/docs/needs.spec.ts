import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rangeFor } from '../../libs/payments/schematics/dependencies.js';
import { workspace } from '../support/packed.js';

const textOf = (path: string) => readFile(join(workspace, path), 'utf8');

/** The rows of the table whose first heading is `heading`. */
async function tableOf(path: string, heading: string): Promise<string[][]> {
  const lines = (await textOf(path)).split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} `));
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What it needs besides tests of a host's own, by name and range. */
async function needed(): Promise<Record<string, string>> {
  const {
    peerDependencies,
    peerDependenciesMeta,
  }: {
    peerDependencies: Record<string, string>;
    peerDependenciesMeta: Record<string, { optional: boolean }>;
  } = JSON.parse(await textOf('libs/payments/package.json'));
  const entries = Object.entries(peerDependencies);
  return Object.fromEntries(entries.filter(([name]) => peerDependenciesMeta[name]?.optional !== true));
}

describe('what the package needs', () => {
  it.each(['docs/getting-started.md', 'libs/payments/README.md'])(
    'is given in %s as in its package.json',
    async (path) => {
      const { engines }: { engines: { node: string } } = JSON.parse(
        await textOf('libs/payments/package.json'),
      );
      const ranges = (range: string) =>
        range
          .split(' || ')
          .map((one) => `\`${one}\``)
          .join(' or ');
      expect(await tableOf(path, 'package or program')).toEqual([
        ['Node.js', ranges(engines.node)],
        ['PostgreSQL', '15 or newer'],
        ...Object.entries(await needed()).map(([name, range]) => [`\`${name}\``, ranges(range)]),
      ]);
    },
  );

  it.each([
    ['docs/getting-started.md', 12],
    ['docs/getting-started.md', 11],
    ['libs/payments/README.md', 12],
    ['libs/payments/README.md', 11],
  ] as const)(
    'is installed by a command of %s for Nest %d, in the versions of `nest add`',
    async (path, nest) => {
      const ranges = await needed();
      const commands = [...(await textOf(path)).matchAll(/npm install (?:.*\\\n)*.*/g)].map(([text]) =>
        text.split(/\s+/),
      );
      const [command = []] = commands.filter((words) => words.includes(`@nestjs/common@${nest}`));
      // A version of one or two numbers is the beginning of its range: `^4.0.0` has `@4`.
      const fitting = Object.entries(ranges).filter(([name, range]) =>
        command.some(
          (word) =>
            word.startsWith(`${name}@`) &&
            rangeFor(range, nest).startsWith(`^${word.slice(name.length + 1)}.`),
        ),
      );
      expect(fitting.map(([name]) => name)).toEqual(Object.keys(ranges));
    },
  );
});
