/** `npm run test:hostile`: test/deep/hostile.spec.ts with this many requests, and its figures printed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { runCommand } from '../common/command.js';
import { parseFlags, usage } from './flags.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

process.exitCode = await runCommand({
  usage,
  parse: parseFlags,
  run: async ({ requests, seed }) => {
    const jest = spawn(
      process.execPath,
      [
        '--experimental-vm-modules',
        '--disable-warning=ExperimentalWarning',
        'node_modules/jest/bin/jest.js',
        '--config=jest.deep.config.js',
        '--runInBand',
        'test/deep/hostile.spec.ts',
      ],
      {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, HOSTILE_REQUESTS: String(requests), HOSTILE_SEED: String(seed) },
      },
    );
    const [code] = await once(jest, 'exit');
    return typeof code === 'number' ? code : 1;
  },
});
