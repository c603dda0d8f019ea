import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const STATE = /^(test_\d+)\.state$/;

/**
 * The store that the shop's own sandbox serves, and the file that keeps its payments. A sandbox that has lost the shop's payments
 * is another store: the module does not ask it for payments it cannot know.
 */
export async function sandboxStore(folder: string): Promise<{ shopId: string; stateFile: string }> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).map((name) => STATE.exec(name)?.[1]);
  const shopId = names.find((name) => name !== undefined) ?? `test_${Date.now()}`;
  return { shopId, stateFile: join(folder, `${shopId}.state`) };
}
