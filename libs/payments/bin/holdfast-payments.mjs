#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { runBin } from '../dist/cli/run-bin.js';

process.exitCode = await runBin(process.argv.slice(2), {
  load: (url) => import(url),
  folder: fileURLToPath(new URL('..', import.meta.url)),
  file: 'bin/holdfast-payments.mjs',
});
// What the application has opened would keep this process. Nothing was started, so nothing has to be ended; what is written may be on its way.
process.stdout.write('', () => process.exit());
