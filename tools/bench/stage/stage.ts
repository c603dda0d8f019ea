import { Client } from 'pg';

import { paymentsMigrations } from '@holdfast/payments';

import type { CleanUp } from '../../../src/clean-up.js';
import { openMigrated } from '../../../src/database/migrate.js';
import type { Effort } from '../flags.js';
import { interleave, type Contender, type Samples } from '../rounds.js';
import { Child } from './child.js';
import { Server } from './server.js';

/** What a bench has at hand: the server, processes for contenders, and how much is to be done. */
export class Stage {
  constructor(
    readonly server: Server,
    /** Of the bench: run when it is over. */
    readonly cleanUp: CleanUp,
    readonly effort: Effort,
    private readonly report: (line: string) => void,
  ) {}

  /** A number by how much is to be done. */
  size(full: number, quick: number, tiny: number): number {
    return { full, quick, tiny }[this.effort];
  }

  get rounds(): number {
    return this.size(5, 3, 1);
  }

  /** A database with the module's tables, and with what its superuser is told beside. */
  async migrated(name: string, ...statements: readonly string[]): Promise<string> {
    const url = await this.empty(name);
    const dataSource = await openMigrated({ type: 'postgres', url, migrations: paymentsMigrations });
    for (const sql of statements) await dataSource.query(sql);
    await dataSource.destroy();
    return url;
  }

  async empty(name: string): Promise<string> {
    const url = await this.server.database(name);
    this.cleanUp.add(() => this.server.drop(url));
    return url;
  }

  async client(databaseUrl: string): Promise<Client> {
    const client = new Client(databaseUrl);
    await client.connect();
    this.cleanUp.add(() => client.end());
    return client;
  }

  async start<Steps>(name: string, settings: object): Promise<Child<Steps>> {
    const child = await Child.start<Steps>(name, settings);
    this.cleanUp.add(() => child.close());
    return child;
  }

  /** The rounds of one case. */
  async race(what: string, contenders: readonly Contender[]): Promise<Samples> {
    this.report(`${what}: ${contenders.map(({ name }) => name).join(', ')}`);
    return interleave(contenders, { rounds: this.rounds });
  }
}
