import { readFile } from 'node:fs/promises';

interface Lock {
  packages: Record<string, { hasInstallScript?: boolean }>;
}
interface Manifest {
  allowScripts: Record<string, boolean>;
}

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('install scripts', () => {
  it('are each allowed or forbidden by name, and one that is neither stops the installation', async () => {
    const lock: Lock = JSON.parse(await read('package-lock.json'));
    const { allowScripts }: Manifest = JSON.parse(await read('package.json'));
    const withScripts = Object.entries(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect([...new Set(withScripts)].toSorted()).toEqual(Object.keys(allowScripts).toSorted());
    expect((await read('.npmrc')).split('\n')).toContain('strict-allow-scripts=true');
  });
});
