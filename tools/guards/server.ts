import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CleanUp } from '../../examples/shared/clean-up.js';

interface Setup {
  readonly default: (run: { readonly watch: boolean; readonly watchAll: boolean }) => Promise<void>;
}

interface TestServer {
  /** Resolves to the databases that specs have left. */
  readonly discardServer: (server: unknown) => Promise<readonly string[]>;
}

/** Starts one PostgreSQL for all specs, as the tests do: their processes find it in the environment. */
export async function startServer(root: string, cleanUp: CleanUp): Promise<void> {
  const load = (name: string) => import(pathToFileURL(join(root, 'test/support', name)).href);
  const { default: start }: Setup = await load('global-setup.js');
  const { discardServer }: TestServer = await load('test-server.js');
  await start({ watch: false, watchAll: false });
  const server: unknown = Reflect.get(globalThis, 'testServer');
  // Specs that fail leave databases behind.
  cleanUp.add(async () => void (await discardServer(server)));
}
