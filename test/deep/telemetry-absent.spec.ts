import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { workspace } from '../support/packed.js';

const run = promisify(execFile);

/** A Node in which no package of OpenTelemetry can be found. */
const without = `data:text/javascript,${encodeURIComponent(`
import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`
export async function resolve(name, context, next) {
  if (name.startsWith('@opentelemetry/')) throw new Error('there is no ' + name);
  return next(name, context);
}\`));
`)}`;
const entryOf = (name: string) => `./dist/libs/payments/src/${name}.js`;
const load = (name: string) =>
  run(process.execPath, ['--import', without, entryOf(name)], {
    cwd: workspace,
    env: { PATH: process.env['PATH'] },
  });

describe('without OpenTelemetry', () => {
  it.each(['index', 'health', 'partner', 'testing'])('the entry %s works', async (name) => {
    await expect(load(name)).resolves.toMatchObject({ stderr: '' });
  });

  it('the entry telemetry says what is missing', async () => {
    await expect(load('telemetry')).rejects.toThrow('there is no @opentelemetry/api');
  });
});
