import type { SandboxOptions } from '@holdfast/sandbox';

import type { Environment } from './environment.js';

/** How the store of the shop's own sandbox sends its receipts: as the shop does; undefined: not at all. */
export function sandboxReceipts({
  fiscalization,
}: Pick<Environment, 'fiscalization'>): SandboxOptions['receipts'] {
  if (fiscalization === undefined) return undefined;
  const { register, scenario } = fiscalization;
  return { scenario, provider: register === 'third_party' ? 'atol' : 'yoo_receipt' };
}
