import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import { paymentsMigrations } from '@holdfast/payments';

import { openMigrated } from '../../database/migrate.js';
import type { CleanUp } from '../../clean-up.js';
import { CREATE_EFFECTS } from '../shop/soak-effect.js';
import { DatabaseServer } from './database-server.js';
import { Replica } from './replica.js';
import { Traps } from './traps.js';
import { Tunnel, type Route } from './tunnel.js';

const account = { shopId: 'test_shop', secretKey: 'test_secret' };

export interface StageOptions {
  readonly replicas: number;
  /** Where the database keeps its data; not there yet. */
  readonly dataDir: string;
  /** Called when the answer 200 to a notification has left this replica, before the service gets it. */
  readonly onAcknowledged: (replica: Replica) => void;
}

/** The database, the sandbox in the service's place, and shop processes between them. */
export class Stage {
  readonly traps = new Traps();
  #databaseIsUp = true;
  #next = 0;

  private constructor(
    readonly sandbox: Sandbox,
    private readonly server: DatabaseServer,
    readonly replicas: Replica[],
  ) {}

  static async open({ replicas, dataDir, onAcknowledged }: StageOptions, cleanUp: CleanUp): Promise<Stage> {
    const server = await DatabaseServer.start(dataDir);
    cleanUp.add(() => server.close());
    const dataSource = await openMigrated({
      type: 'postgres',
      url: server.url,
      migrations: paymentsMigrations,
    });
    await dataSource.query(CREATE_EFFECTS);
    await dataSource.destroy();

    const sandbox = await startSandbox(account);
    cleanUp.add(() => sandbox.close());
    const stage = new Stage(sandbox, server, []);
    for (let count = 0; count < replicas; count += 1) {
      const replica = await stage.#openReplica();
      cleanUp.add(() => replica.close());
      stage.replicas.push(replica);
    }
    await Promise.all(stage.replicas.map(({ firstOpened }) => firstOpened));
    const entrance = await Tunnel.open(() => stage.#notificationRoute(onAcknowledged));
    cleanUp.add(() => entrance.close());
    sandbox.setNotifyUrl(`http://127.0.0.1:${entrance.port}/webhooks/payments`);
    return stage;
  }

  /** Past the tunnels, for whoever looks on. Null while the database is down. */
  get databaseUrl(): string | null {
    return this.#databaseIsUp ? this.server.url : null;
  }

  /** Replicas that take requests. */
  get open(): Replica[] {
    return this.replicas.filter(({ port }) => port !== null);
  }

  /** Moves time on for the service and the shops alike. */
  async advance(ms: number): Promise<void> {
    await this.sandbox.clock.advance(ms);
    for (const replica of this.replicas) replica.tellTime(this.sandbox.clock.offsetMs());
  }

  async restartDatabase(downMs: number): Promise<void> {
    this.#databaseIsUp = false;
    await this.server.stopImmediately();
    await delay(downMs);
    await this.server.startAgain();
    this.#databaseIsUp = true;
  }

  /** All shops are gone for so long, by the clock. Answers with how many had to be killed. */
  async outage(ms: number): Promise<number> {
    const killed = await Promise.all(this.replicas.map((replica) => replica.hold()));
    // What the service has begun it ends now, and not after the outage.
    this.sandbox.faults.clear();
    await nextTurn();
    await this.sandbox.clock.advance(ms);
    for (const replica of this.replicas) replica.start();
    return killed.filter(Boolean).length;
  }

  #openReplica(): Promise<Replica> {
    return Replica.open({
      traps: this.traps,
      databasePort: () => (this.#databaseIsUp ? this.server.port : null),
      servicePort: Number(new URL(this.sandbox.url).port),
      settings: (databasePort, servicePort) => {
        const databaseUrl = new URL(this.server.url);
        databaseUrl.port = String(databasePort);
        const serviceUrl = `http://127.0.0.1:${servicePort}`;
        return {
          databaseUrl: databaseUrl.href,
          serviceUrl,
          account,
          offsetMs: this.sandbox.clock.offsetMs(),
        };
      },
    });
  }

  /** Notifications go to the replicas in turn, as through a load balancer. */
  #notificationRoute(onAcknowledged: (replica: Replica) => void): Route | null {
    const { open } = this;
    this.#next += 1;
    const replica = open[this.#next % open.length];
    if (!replica?.port) return null;
    return {
      port: replica.port,
      sent: () => 'pass',
      answered: (chunk) => {
        if (chunk.subarray(0, 13).toString('latin1') === 'HTTP/1.1 200 ') onAcknowledged(replica);
        return 'pass';
      },
    };
  }
}
