import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Environment } from './environment.js';

/** A demo store, as the neutral interface has it; the public service's demo stores have neither SBP nor other banks. */
const STATES = { documented: /^(test_\d+)\.state$/, yookassa: /^(\d+)\.state$/ };

/**
 * The store that the shop's own sandbox serves, and the file that keeps its payments; each profile has one of its own. A sandbox
 * that has lost the shop's payments is another store: the module does not ask it for payments it cannot know.
 */
export async function sandboxStore(
  folder: string,
  profile: Environment['PAYMENTS_PROFILE'],
): Promise<{ shopId: string; stateFile: string }> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).map((name) => STATES[profile].exec(name)?.[1]);
  const isDemo = profile === 'documented';
  const shopId = names.find((name) => name !== undefined) ?? `${isDemo ? 'test_' : ''}${Date.now()}`;
  return { shopId, stateFile: join(folder, `${shopId}.state`) };
}
