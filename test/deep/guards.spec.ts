import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const main = fileURLToPath(new URL('../../dist/tools/guards/main.js', import.meta.url));

/** Each run breaks one of so many parts; the commit chooses it, so all lines are broken over time. */
const SHARES = 40;

describe('the lines that guarantees rest on', () => {
  it('are missed by the test that is named beside each: a share of them, chosen by the commit', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [main, '--share', `commit/${SHARES}`]);
    expect(stdout.trim().split('\n').at(-1)).toMatch(/^guards: all \d+ killed$/);
  }, 1_200_000);
});
