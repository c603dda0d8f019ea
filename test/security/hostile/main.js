/** `npm run test:hostile`: hostile.spec.ts with as many requests as it is told, and its figures printed. */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const usage = `Usage: npm run test:hostile -- [flags]
  --requests 100000  how many are sent
  --seed N           sends the requests of the run that printed this seed
  --help             prints this`;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(randomInt(1_000_000_000)) },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
if (!/^[1-9]\d{1,8}$/.test(values.requests) || !/^\d{1,9}$/.test(values.seed)) {
  console.error(`--requests and --seed are whole numbers, and requests at least ten\n\n${usage}`);
  process.exit(2);
}
const root = fileURLToPath(new URL('../../../', import.meta.url));
const { status } = spawnSync(
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
    env: { ...process.env, HOSTILE_REQUESTS: values.requests, HOSTILE_SEED: values.seed },
  },
);
process.exit(status ?? 1);
