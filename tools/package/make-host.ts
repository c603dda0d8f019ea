import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packagesOf, type Host } from './hosts.js';
import { environment, run } from './run.js';

/**
 * Makes the application below `folder`, as the scaffold of its Nest does, installs the archives, and adds two sources: what takes the
 * payment, and a program that calls it. Nothing of the scaffold's configuration is changed. Resolves to the application's folder.
 */
export async function makeHost(
  folder: string,
  { root, archives }: { root: string; archives: readonly string[] },
  host: Host,
): Promise<string> {
  const application = await scaffold(host.manager === 'pnpm' ? join(folder, 'apps') : folder, host);
  await equip(folder, application, { root, archives }, host);
  return application;
}

/** The same in an application that is there, in its folder or in one of the projects of a workspace. */
export async function equip(
  folder: string,
  application: string,
  { root, archives }: { root: string; archives: readonly string[] },
  host: Host,
): Promise<void> {
  await install(folder, application, host, [...archives, ...(await packagesOf(root, host))]);
  const sources = join(application, 'src');
  await copyFile(join(root, 'tools/package/host/take-payment.ts'), join(sources, 'take-payment.ts'));
  await writeFile(join(sources, 'main.ts'), program(host));
}

/** What the scaffold makes below `place`, with nothing installed. Resolves to its folder. */
export async function scaffold(place: string, host: Pick<Host, 'nest' | 'modules'>): Promise<string> {
  await mkdir(place, { recursive: true });
  await run(place, 'npx', ['--yes', '--package', `@nestjs/cli@${host.nest}`, '--', ...commandOf(host)]);
  return join(place, 'host');
}

/** `nest new` of Nest 12 asks a person alone which modules; `schematics` is what it runs with the answer. */
const commandOf = ({ nest, modules }: Pick<Host, 'nest' | 'modules'>): readonly string[] =>
  nest === 12 && modules === 'cjs'
    ? [
        'schematics',
        '@nestjs/schematics:application',
        '--name=host',
        '--type=cjs',
        '--language=ts',
        '--package-manager=npm',
      ]
    : ['nest', 'new', 'host', '--skip-git', '--skip-install', '--package-manager', 'npm'];

async function install(
  folder: string,
  application: string,
  { manager }: Host,
  packages: readonly string[],
): Promise<void> {
  if (manager === 'npm') {
    await run(application, 'npm', ['install', ...packages]);
    return;
  }
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  await writeFile(join(folder, 'pnpm-workspace.yaml'), 'packages: ["apps/*"]\n');
  // The newest that runs on Node 20.
  const pnpm = ['--yes', 'pnpm@10', '--store-dir', join(folder, 'store'), 'add', ...packages];
  await run(application, 'npx', pnpm, environment({ CI: 'true' }));
}

/** Specifiers of ES modules have endings; TypeScript finds those from CommonJS too, but Jest and webpack do not. */
export const sourceSpecifier = ({ modules }: Host): string =>
  modules === 'cjs' ? './take-payment' : './take-payment.js';

const program = (host: Host): string => `import { takePayment } from '${sourceSpecifier(host)}';

takePayment().then(
  () => console.log('paid'),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
`;
