import { openEmbeddedPostgres } from '@holdfast/payments/testing';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { CleanUp } from '../../examples/shared/clean-up.js';
import { nodeOf, postgresOf } from './parts.js';
import type { Row } from './rows.js';
import type { Stage } from './trial.js';

/** A row's stage, and what really runs there. */
export interface KnownStage extends Stage {
  readonly node: string;
  readonly postgres: string;
}

/** Servers and programs are installed and started once each; every row has a database of its own. */
export class Stages {
  readonly #servers = new Map<string | null, Promise<string>>();
  readonly #nodes = new Map<string, Promise<string>>();
  #databases = 0;

  constructor(
    private readonly folder: string,
    private readonly cleanUp: CleanUp,
  ) {}

  async of({ node, postgres }: Row): Promise<KnownStage> {
    const nodeFolder = node === null ? null : await kept(this.#nodes, node, () => nodeOf(this.folder, node));
    const server = await kept(this.#servers, postgres, () => this.#start(postgres));
    this.#databases += 1;
    return {
      nodeFolder,
      node: nodeFolder === null ? process.version.slice(1) : await versionOf(nodeFolder),
      ...(await emptyDatabase(server, `host_${this.#databases}`)),
    };
  }

  async #start(version: string | null): Promise<string> {
    const server = await (version === null
      ? openEmbeddedPostgres({ dataDir: join(this.folder, 'data'), durable: false })
      : postgresOf(this.folder, version));
    this.cleanUp.add(() => server.close());
    return server.url;
  }
}

function kept<Key, Value>(known: Map<Key, Promise<Value>>, key: Key, make: () => Promise<Value>) {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

async function versionOf(nodeFolder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(join(nodeFolder, 'node'), ['--version']);
  return stdout.trim().slice(1);
}

async function emptyDatabase(
  server: string,
  name: string,
): Promise<{ databaseUrl: string; postgres: string }> {
  const url = new URL(server);
  const version = await ask(url.href, `CREATE DATABASE ${name}`, 'SHOW server_version');
  url.pathname = `/${name}`;
  await ask(url.href, 'CREATE SCHEMA billing');
  return { databaseUrl: url.href, postgres: version };
}

/** The only value that the last statement returns, as text. */
async function ask(url: string, ...statements: readonly string[]): Promise<string> {
  const client = new Client(url);
  await client.connect();
  try {
    let answer = '';
    for (const statement of statements)
      answer = String((await client.query<[string]>({ text: statement, rowMode: 'array' })).rows[0]?.[0]);
    return answer;
  } finally {
    await client.end();
  }
}
