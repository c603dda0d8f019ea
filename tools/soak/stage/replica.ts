import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { Tunnel, type Route, type Verdict } from '../../common/tunnel.js';
import { LONGEST_LEASE_MS, SETTINGS, type ShopSettings } from '../shop/settings.js';
import { HttpSteps } from './http-steps.js';
import { SqlSteps } from './sql-steps.js';
import type { StepReader } from './steps.js';
import type { Traps } from './traps.js';

const program = fileURLToPath(new URL('../shop/main.js', import.meta.url));

/** A process that does not come up is started once more. */
const START_DEADLINE_MS = 30_000;
/** A process manager does not start a process again at once either. */
const PAUSE_MS = 200;
const KEPT_LINES = 30;

interface ReplicaSurroundings {
  readonly traps: Traps;
  /** Null while the database is down. */
  readonly databasePort: () => number | null;
  readonly servicePort: number;
  /** The shop's settings, its database and service reached through these ports. */
  readonly settings: (databasePort: number, servicePort: number) => ShopSettings;
}

/**
 * One shop process with its own lines to the database and the service, which can be watched and broken. Whenever the
 * process ends it is started again.
 */
export class Replica {
  restarts = 0;
  /** What it printed before it ended without being killed. */
  readonly crashes: string[] = [];

  /** Resolves when it takes requests for the first time; rejects with its output if it ends before that. */
  readonly firstOpened: Promise<void>;

  #opened: () => void = () => undefined;
  #ended: (reason: Error) => void = () => undefined;
  #child: ChildProcess | null = null;
  #dying: ChildProcess | null = null;
  #port: number | null = null;
  #wanted = true;
  #supervision: Promise<void> = Promise.resolve();

  private constructor(
    readonly database: Tunnel,
    readonly service: Tunnel,
    private readonly surroundings: ReplicaSurroundings,
  ) {
    this.firstOpened = new Promise((resolve, reject) => {
      this.#opened = resolve;
      this.#ended = reject;
    });
    this.firstOpened.catch(() => undefined);
  }

  static async open(surroundings: ReplicaSurroundings): Promise<Replica> {
    const { databasePort, servicePort } = surroundings;
    const [database, service] = await Promise.all([
      Tunnel.open(() => replica.#watched(databasePort(), new SqlSteps())),
      Tunnel.open(() => replica.#watched(servicePort, new HttpSteps())),
    ]);
    const replica: Replica = new Replica(database, service, surroundings);
    replica.#supervision = replica.#supervise();
    return replica;
  }

  /** The address at which it takes requests; null while it does not. */
  get port(): number | null {
    return this.#port;
  }

  setTime(offsetMs: number): void {
    if (this.#child?.connected) this.#child.send(offsetMs, () => undefined);
  }

  /** False if there was no process to kill, or it is dying already. */
  kill(): boolean {
    const child = this.#child;
    this.#port = null;
    if (child === null || child === this.#dying) return false;
    this.#dying = child;
    return child.kill('SIGKILL');
  }

  /** Stops the process until its leases have expired. After that it continues with whatever it was about to do. */
  async stop(): Promise<void> {
    const child = this.#child;
    child?.kill('SIGSTOP');
    await delay(2 * LONGEST_LEASE_MS);
    child?.kill('SIGCONT');
  }

  /** Kills it and does not start it again before `start`; false if there was no process to kill. */
  async hold(): Promise<boolean> {
    this.#wanted = false;
    const killed = this.kill();
    await this.#supervision;
    return killed;
  }

  start(): void {
    this.#wanted = true;
    this.#supervision = this.#supervise();
  }

  async close(): Promise<void> {
    await this.hold();
    await Promise.all([this.database.close(), this.service.close()]);
  }

  async #supervise(): Promise<void> {
    while (this.#wanted) {
      await this.#runOnce();
      await delay(PAUSE_MS);
      this.restarts += 1;
    }
  }

  /** Waits until the process has ended. */
  async #runOnce(): Promise<void> {
    const { settings } = this.surroundings;
    const child = fork(program, {
      env: {
        PATH: process.env['PATH'],
        [SETTINGS]: JSON.stringify(settings(this.database.port, this.service.port)),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        said.push(text);
        if (said.length > KEPT_LINES) said.shift();
      });
    }
    const late = setTimeout(() => child.kill('SIGKILL'), START_DEADLINE_MS);
    child.once('message', (message: { port: number }) => {
      clearTimeout(late);
      if (child !== this.#dying) this.#port = message.port;
      this.#opened();
    });
    const [, signal] = await once(child, 'exit');
    clearTimeout(late);
    this.#ended(new Error(`A shop process ended before it took requests:\n${said.join('')}`));
    // A process that cannot start while its database is down ends by itself, and rightly so.
    if (this.#port !== null && signal === null) this.crashes.push(said.join(''));
    this.#port = null;
    this.#child = null;
  }

  #watched(port: number | null, steps: StepReader): Route | null {
    if (port === null) return null;
    return {
      port,
      sent: (chunk) => this.#pass('before', steps.sent(chunk)),
      answered: (chunk) => this.#pass('after', steps.answered(chunk)),
    };
  }

  #pass(when: 'before' | 'after', step: ReturnType<StepReader['sent']>): Verdict {
    const action = step && this.surroundings.traps.spring(`${when} ${step}`);
    if (action === null) return 'pass';
    if (action === 'cut' || action === 'freeze') return action;
    if (action === 'stop') {
      void this.stop();
      return 'pass';
    }
    this.kill();
    return 'cut';
  }
}
