import { paymentsMigrations, yookassaProfile } from '@holdfast/payments';
import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { CleanUp } from '../../../examples/shared/clean-up.js';
import { openMigrated } from '../../../examples/shared/database/migrate.js';
import { DatabaseServer } from '../../common/database-server.js';
import { ReplicatedDatabase, type Loss, type Read } from '../../common/replicated-database.js';
import { Tunnel, type Route } from '../../common/tunnel.js';
import type { ShopSettings } from '../shop/settings.js';
import { CREATE_EFFECTS } from '../shop/soak-effect.js';
import { CONNECTED_STORES } from '../workload/purchase-plan.js';
import { addStores, connectStore } from './connect-store.js';
import { Replica } from './replica.js';
import { Traps } from './traps.js';

// No demo store: those have no SBP.
const account = { shopId: '4711', secretKey: 'test_secret' };
const app = {
  clientId: 'soak_platform',
  clientSecret: 'soak_client_secret',
  permissions: [...Object.values(yookassaProfile.permissions), ...yookassaProfile.readPermissions],
} as const;

interface StageOptions {
  readonly replicas: number;
  /** How far the database's clock is ahead of the service's; negative: behind. */
  readonly skewMs: number;
  /** Where the database keeps its data, and the handlers' effects their file; the run removes it. */
  readonly folder: string;
  /** The database has a standby, and can forget. */
  readonly forgets: boolean;
  /** Whether receipts go with the money, or follow it. */
  readonly scenario: ShopSettings['scenario'];
  /** Called when the answer 200 to a notification has left this replica, before the service gets it. */
  readonly onAcknowledged: (replica: Replica) => void;
}

/** The database, the sandbox in the service's place, and shop processes between them. */
export class Stage {
  readonly traps = new Traps();
  /** Ids of the connected stores. */
  readonly stores: string[] = [];
  readonly #tokenKey = randomBytes(32).toString('base64');
  #entrancePort = 0;
  #databaseIsUp = true;
  #next = 0;

  private constructor(
    readonly sandbox: Sandbox,
    private readonly server: DatabaseServer | ReplicatedDatabase,
    /** The file of what handlers did outside the database. */
    readonly outsideEffects: string,
    readonly replicas: Replica[],
    private readonly skewMs: number,
    private readonly scenario: ShopSettings['scenario'],
  ) {}

  static async open(
    { replicas, skewMs, folder, forgets, scenario, onAcknowledged }: StageOptions,
    cleanUp: CleanUp,
  ): Promise<Stage> {
    const server = await (forgets ? ReplicatedDatabase : DatabaseServer).start(join(folder, 'database'));
    cleanUp.add(() => server.close());
    const dataSource = await openMigrated({
      type: 'postgres',
      url: server.url,
      migrations: paymentsMigrations,
    });
    await dataSource.query(CREATE_EFFECTS);
    await dataSource.destroy();

    const receipts = receiptsOf(scenario);
    const sandbox = await startSandbox({ ...account, profile: 'yookassa', receipts });
    cleanUp.add(() => sandbox.close());
    const stage = new Stage(sandbox, server, join(folder, 'effects.jsonl'), [], skewMs, scenario);
    const entrance = await Tunnel.open(() => stage.#notificationRoute(onAcknowledged));
    cleanUp.add(() => entrance.close());
    stage.#entrancePort = entrance.port;
    for (let count = 0; count < replicas; count += 1) {
      const replica = await stage.#openReplica();
      cleanUp.add(() => replica.close());
      stage.replicas.push(replica);
    }
    await Promise.all(stage.replicas.map(({ firstOpened }) => firstOpened));
    sandbox.setNotifyUrl(stage.#webhookUrl);
    await stage.#connectStores();
    return stage;
  }

  /** Past the tunnels, for observers. Null while the database is down. */
  get databaseUrl(): string | null {
    return this.#databaseIsUp ? this.server.url : null;
  }

  /** Replicas that take requests. */
  get open(): Replica[] {
    return this.replicas.filter(({ port }) => port !== null);
  }

  /** How far the shops' business time is ahead of the database's own: the service's time plus the difference of its clock. */
  get businessOffsetMs(): number {
    return this.sandbox.clock.offsetMs() + this.skewMs;
  }

  /** Moves time forward for the service and the shops alike. */
  async advance(ms: number): Promise<void> {
    await this.sandbox.clock.advance(ms);
    for (const replica of this.replicas) replica.setTime(this.businessOffsetMs);
  }

  async restartDatabase(downMs: number): Promise<void> {
    this.#databaseIsUp = false;
    await this.server.restart(downMs);
    this.#databaseIsUp = true;
  }

  /** The standby is promoted that misses the last commits. The shops live on. */
  async failOver<T>(lostMs: number, read: Read<T>): Promise<Loss<T>> {
    const database = this.#replicated();
    await database.cutReplication();
    await delay(lostMs);
    return database.failOver(read);
  }

  /** For the next `restore`. */
  keepCopy(): Promise<void> {
    return this.#replicated().keepCopy();
  }

  /** All shops are stopped, and the database is the copy that was kept. The service goes on with what it has begun. */
  async restore<T>(read: Read<T>): Promise<Loss<T> & { readonly killed: number }> {
    const killed = await this.#holdAll();
    this.#databaseIsUp = false;
    const loss = await this.#replicated().restore(read);
    this.#databaseIsUp = true;
    for (const replica of this.replicas) replica.start();
    return { ...loss, killed };
  }

  /** All shops are down for this long, by the clock. Returns how many had to be killed. */
  async outage(ms: number): Promise<number> {
    const killed = await this.#holdAll();
    // What the service has begun ends now, and not after the outage.
    this.sandbox.faults.clear();
    await nextTurn();
    await this.sandbox.clock.advance(ms);
    for (const replica of this.replicas) replica.start();
    return killed;
  }

  /** Returns how many had to be killed. */
  async #holdAll(): Promise<number> {
    const killed = await Promise.all(this.replicas.map((replica) => replica.hold()));
    return killed.filter(Boolean).length;
  }

  #replicated(): ReplicatedDatabase {
    if (this.server instanceof ReplicatedDatabase) return this.server;
    throw new Error('The database has no standby.');
  }

  get #webhookUrl(): string {
    return `http://127.0.0.1:${this.#entrancePort}/webhooks/payments`;
  }

  async #connectStores(): Promise<void> {
    const { sandbox } = this;
    const [replica] = this.open;
    if (!replica) throw new Error('No shop takes requests.');
    const shopUrl = `http://127.0.0.1:${replica.port}`;
    sandbox.apps.register({ ...app, name: 'Soak', callbackUrl: `${shopUrl}/partner/callback` });
    for (const accountId of addStores(sandbox, CONNECTED_STORES)) {
      sandbox.stores.change(accountId, { receipts: receiptsOf(this.scenario) });
      this.stores.push(await connectStore(sandbox, shopUrl, accountId));
    }
    // Whatever is paid before a store has its webhooks is found only by polls.
    while (sandbox.tokens.list().some(({ webhooks }) => webhooks.length === 0)) await delay(50);
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
          partner: {
            ...app,
            authUrl: this.sandbox.url,
            webhookUrl: this.#webhookUrl,
            tokenKey: this.#tokenKey,
          },
          outsideEffects: this.outsideEffects,
          scenario: this.scenario,
          offsetMs: this.businessOffsetMs,
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

function receiptsOf(scenario: ShopSettings['scenario']) {
  return { scenario, provider: 'atol' } as const;
}
