/** `npx @holdfast/payments`, from what this repository has built. */
import { fileURLToPath } from 'node:url';
import { runBin } from '../../dist/libs/payments/src/cli/run-bin.js';

process.exitCode = await runBin(process.argv.slice(2), {
  load: (url) => import(url),
  folder: fileURLToPath(new URL('../../libs/payments', import.meta.url)),
  file: 'bin/holdfast-payments.mjs',
});
process.stdout.write('', () => process.exit());
