import { Client } from 'pg';

import type { CleanUp } from '../../../examples/shared/clean-up.js';
import type { MoreRows } from '../bench.js';
import type { BenchFlags, Effort } from '../flags.js';
import { interleave, type Contender, type Samples } from '../rounds.js';
import { Child } from './child.js';
import { Server } from './server.js';

/** What a bench has at hand: the server, processes for contenders, and how much work to do. */
export class Stage {
  constructor(
    readonly server: Server,
    /** The clean-up of the bench: runs when it is over. */
    readonly cleanUp: CleanUp,
    private readonly flags: BenchFlags,
    /** Tells where the bench is. */
    readonly report: (line: string) => void,
    readonly show: (more: MoreRows) => void,
  ) {}

  get effort(): Effort {
    return this.flags.effort;
  }

  /** The numbers that the command line names for the long run. */
  get asked(): Pick<BenchFlags, 'payments' | 'settled'> {
    return this.flags;
  }

  /** A number that depends on how much work to do. */
  size(full: number, quick: number, tiny: number): number {
    return { full, quick, tiny }[this.effort];
  }

  get rounds(): number {
    return this.size(5, 3, 1);
  }

  /** Of the service's answers. The steps of a bench are the same at each. */
  get latencies(): readonly number[] {
    return this.effort === 'tiny' ? [0] : [0, 30];
  }

  /** A database with the module's tables, after its superuser has run this SQL too. */
  async migrated(name: string, ...statements: readonly string[]): Promise<string> {
    const url = this.#dropped(await this.server.migrated(name));
    const client = new Client(url);
    await client.connect();
    for (const sql of statements) await client.query(sql);
    await client.end();
    return url;
  }

  async empty(name: string): Promise<string> {
    return this.#dropped(await this.server.database(name));
  }

  #dropped(url: string): string {
    this.cleanUp.add(() => this.server.drop(url));
    return url;
  }

  async client(databaseUrl: string): Promise<Client> {
    const client = new Client(databaseUrl);
    await client.connect();
    this.cleanUp.add(() => client.end());
    return client;
  }

  async start<Steps>(name: string, settings: object, node?: string): Promise<Child<Steps>> {
    const child = await Child.start<Steps>(name, settings, node);
    this.cleanUp.add(() => child.close());
    return child;
  }

  /** The rounds of one case. `warmUps`: 0 if each round has a process of its own. */
  async race(
    what: string,
    contenders: readonly Contender[],
    { warmUps = 1 }: { readonly warmUps?: number } = {},
  ): Promise<Samples> {
    this.report(`${what}: ${contenders.map(({ name }) => name).join(', ')}`);
    // Where figures mean nothing, nobody needs to be warm.
    return interleave(contenders, { rounds: this.rounds, warmUps: this.size(warmUps, warmUps, 0) });
  }
}
