import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { listen } from './listen.js';
import { runIn } from './packed.js';
import { closing } from './still-running.js';

export interface Registry {
  /** The line of `.npmrc` that has packages of our scope come from here, and all others from where they come from otherwise. */
  readonly setting: string;
  close(): Promise<void>;
}

interface Published {
  readonly manifest: { readonly name: string; readonly version: string };
  /** The name of the archive. */
  readonly file: string;
  readonly archive: Buffer;
}

/** Serves these archives as if they were published, each as the latest version of its package. */
export async function startRegistry(archives: readonly string[]): Promise<Registry> {
  const published = await Promise.all(archives.map(readArchive));
  const server = createServer((request, response) => {
    const asked = decodeURIComponent(request.url ?? '').slice(1);
    const found = published.find(({ file, manifest }) => asked === manifest.name || asked === file);
    if (!found) response.writeHead(404).end();
    else if (asked === found.file) response.end(found.archive);
    else response.end(JSON.stringify(packument(found, `http://${request.headers.host}/${found.file}`)));
  });
  const port = await listen(server);
  const close = closing(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { setting: `@holdfast:registry=http://127.0.0.1:${port}/\n`, close };
}

async function readArchive(path: string): Promise<Published> {
  const { stdout } = await runIn('/', 'tar', ['-xzOf', path, 'package/package.json']);
  const manifest: Published['manifest'] = JSON.parse(stdout);
  return { manifest, file: basename(path), archive: await readFile(path) };
}

function packument({ manifest, archive }: Published, tarball: string): object {
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  return {
    name: manifest.name,
    'dist-tags': { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist: { tarball, integrity } } },
  };
}
