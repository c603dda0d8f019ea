import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { closing } from './still-running.js';

const compiled = (path: string): string =>
  JSON.stringify(new URL(`../../dist/${path}`, import.meta.url).href);
/** Jest cannot start the compiled program by which a server is watched, so a process beside it does. */
const program = `
  import { Client } from 'pg';
  const { ReplicatedDatabase } = await import(${compiled('tools/common/replicated-database.js')});
  const database = await ReplicatedDatabase.start(process.argv[1] + '/servers');
  const reader = (sql) => async (url) => {
    const client = new Client(url);
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };
  process.on('message', async ([method, given]) => {
    try {
      const argument = method === 'failOver' || method === 'restore' ? reader(given) : given;
      process.send({ answer: (await database[method](argument)) ?? null });
    } catch (error) {
      process.send({ failure: error.stack });
    }
    if (method === 'close') process.disconnect();
  });
  process.send({ answer: { url: database.url, adminUrl: database.adminUrl } });
`;

interface Rows<Row> {
  /** By the statement that was given: before commits were lost, and afterwards, before the first client came. */
  readonly had: readonly Row[];
  readonly has: readonly Row[];
}

/** `ReplicatedDatabase` of `tools/common`, whose docstrings say what each does. */
export interface TestReplicatedDatabase {
  /** Stays the same. */
  readonly url: string;
  readonly adminUrl: string;
  cutReplication(): Promise<void>;
  failOver<Row>(sql: string): Promise<Rows<Row>>;
  keepCopy(): Promise<void>;
  restore<Row>(sql: string): Promise<Rows<Row>>;
  restart(downMs: number): Promise<void>;
  close(): Promise<void>;
}

export async function startReplicatedDatabase(): Promise<TestReplicatedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-replicated-'));
  // The server may run as another user, who must be able to enter.
  await chmod(folder, 0o755);
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const ask = async <Answer>(method: string, argument?: unknown): Promise<Answer> => {
    child.send([method, argument]);
    return answerOf<Answer>(child, exited);
  };
  const close = closing(async () => {
    if (child.connected) await ask('close');
    await exited;
    await rm(folder, { recursive: true, force: true });
  });
  const { url, adminUrl } = await answerOf<{ url: string; adminUrl: string }>(child, exited);
  return {
    url,
    adminUrl,
    cutReplication: () => ask('cutReplication'),
    failOver: (sql) => ask('failOver', sql),
    keepCopy: () => ask('keepCopy'),
    restore: (sql) => ask('restore', sql),
    restart: (downMs) => ask('restart', downMs),
    close,
  };
}

interface Message<Answer> {
  readonly answer: Answer;
  readonly failure?: string;
}

async function answerOf<Answer>(child: ChildProcess, exited: Promise<unknown>): Promise<Answer> {
  const message = await new Promise<Message<Answer>>((resolve, reject) => {
    child.once('message', resolve);
    void exited.then(() => reject(new Error('The process that keeps the servers ended.')));
  });
  if (message.failure !== undefined) throw new Error(message.failure);
  return message.answer;
}
