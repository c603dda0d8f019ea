import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testAccount } from '../support/account.js';
import type { Ended } from '../support/command-line.js';
import { workspace } from '../support/packed.js';
import { openBench, orderInput, type Bench } from '../support/payments-host.js';

/** Its root module, and the file that does what its main file does first. */
const [module, prepared] = ['app.module.js', 'payments-app.js'].map((name) =>
  join(workspace, 'test/support/needy', name),
);

describe('the commands on an application that needs variables, and a call before it is made', () => {
  let bench: Bench;
  let folder: string;
  let variables: string;
  beforeAll(async () => {
    bench = await openBench();
    const host = await bench.startHost();
    await host.payments.create(orderInput('A-1042'));
    folder = await mkdtemp(join(tmpdir(), 'holdfast-needy-'));
    variables = join(folder, 'shop.env');
    const lines = [
      `NEEDY_DATABASE_URL=${bench.database.moduleUrl}`,
      `NEEDY_SERVICE_URL=${bench.sandbox.url}`,
      `NEEDY_SECRET_KEY=${testAccount.secretKey}`,
    ];
    await writeFile(variables, lines.join('\n'));
  });
  afterAll(async () => {
    await bench.close();
    await rm(folder, { recursive: true });
  });

  const run = (...args: string[]): Promise<Ended> =>
    new Promise((resolve) => {
      const bin = join(workspace, 'test/support/payments-bin.js');
      const child = execFile(process.execPath, [bin, ...args], { cwd: folder }, (_error, out, error) =>
        resolve({ code: child.exitCode ?? -1, out, error }),
      );
    });

  it('name the flag for a file of variables, and the one for a file that does first what has to be done first', async () => {
    const { code, error } = await run('payment', 'A-1042', '--app', module ?? '');
    expect(code).toBe(3);
    expect(error).toContain('the application cannot be made: NEEDY_DATABASE_URL must be set\n');
    expect(error).toMatch(/name the file: --env-file \.env\.\n/);
    expect(error).toMatch(/initializeTransactionalContext\(\), write a file .*: --app payments-app\.mjs\.\n/);
    const doctor = await run('doctor', '--app', module ?? '');
    expect(doctor.out).toMatch(/✖ configuration: .*NEEDY_DATABASE_URL must be set/);
    expect(doctor.out).toMatch(/fix: .*--env-file \.env/);
    expect(doctor.out).toMatch(/fix: .*--app payments-app\.mjs/);
  });

  it('say the same where the call is missing', async () => {
    const { code, error } = await run('payment', 'A-1042', '--app', module ?? '', '--env-file', variables);
    expect(code).toBe(3);
    expect(error).toMatch(/initializeTransactionalContext\(\), write a file/);
  });

  it('do their work with both', async () => {
    const ended = await run('payment', 'A-1042', '--app', prepared ?? '', '--env-file', variables);
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('A-1042') });
  });

  it('say that a file of variables is not there', async () => {
    const missing = join(folder, 'none.env');
    const { code, error } = await run('pending', '--app', prepared ?? '', '--env-file', missing);
    // Node 20 looks for its own flag of that name among those of the program too, and comes first.
    expect([2, 9]).toContain(code);
    expect(error).toContain(missing);
  });
});
