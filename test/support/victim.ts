import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { testAccount } from './account.js';
import type { Bench } from './payments-host.js';
import { startStatementProxy, type StatementProxy } from './statement-proxy.js';

/** A process that its test kills, with a database behind a proxy that counts its statements. */
export interface Victim {
  readonly child: ChildProcess;
  readonly proxy: StatementProxy;
}

interface Program {
  /** A file of this folder. */
  readonly file: string;
  readonly options: object;
  readonly environment?: Readonly<Record<string, string>>;
}

/** It waits for {@link endOf}. */
export async function startVictim(
  { database, sandbox }: Bench,
  { file, options, environment = {} }: Program,
): Promise<Victim> {
  const proxy = await startStatementProxy(database.moduleUrl);
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: proxy.url,
      PAYMENTS: JSON.stringify({ ...testAccount, ...options, serviceUrl: sandbox.url }),
      ...environment,
    },
  });
  await once(child, 'message');
  return { child, proxy };
}

/** Lets it go on; whether it got to its end. */
export async function endOf({ child, proxy }: Victim): Promise<boolean> {
  const exited = once(child, 'exit');
  child.send('go');
  await exited;
  await proxy.close();
  return child.signalCode === null;
}

/**
 * Kills one process after the other, each once it has sent one statement more than the one before, until one gets to its end. Returns how
 * many there were.
 * @param play lets one go on by `kill`, and says, as that does, whether it got to its end
 */
export async function afterEachStatement(
  start: () => Promise<Victim>,
  play: (kill: () => Promise<boolean>, point: string) => Promise<boolean>,
): Promise<number> {
  // The next one starts while this one dies: most of the time goes into starting.
  let next = start();
  for (let statement = 1; ; statement += 1) {
    const victim = await next;
    next = start();
    const kill = (): Promise<boolean> => {
      victim.proxy.arm(statement, () => victim.child.kill('SIGKILL'));
      return endOf(victim);
    };
    if (!(await play(kill, `after statement ${statement}`))) continue;
    const spare = await next;
    spare.child.kill('SIGKILL');
    await spare.proxy.close();
    return statement;
  }
}
