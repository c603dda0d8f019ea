import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { closing } from '../../support/still-running.js';

/** An effect outside the database, as its method was run. */
export interface Thanks {
  readonly to: string;
  readonly effectKey: string;
  readonly version: string;
}

/** What host.js sends: where it listens, what an effect did, and the answer to a call. */
interface Message {
  readonly url?: string;
  readonly effect?: Thanks;
  readonly id?: number;
  readonly value?: unknown;
  readonly error?: { readonly code: string | null; readonly message: string };
}

interface Call {
  readonly target: 'payments' | 'receipts' | 'operator' | 'host';
  readonly method: string;
  readonly args: readonly unknown[];
}

/** A call that host.js answered with an error. */
export class HostError extends Error {
  constructor(
    readonly code: string | null,
    message: string,
  ) {
    super(message);
  }
}

/** A process of host.js. */
export class VersionHost {
  readonly effects: Thanks[] = [];
  readonly close = closing(() => this.#end());
  readonly #open = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  #calls = 0;

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    /** Its log, line by line. */
    readonly said: readonly string[],
  ) {
    child.on('message', (message: Message) => this.#take(message));
  }

  /** In the folder of its version. */
  static async start(
    folder: string,
    environment: Readonly<Record<'VERSION' | 'DATABASE_URL' | 'PAYMENTS', string>>,
  ): Promise<VersionHost> {
    const child = fork(join(folder, 'host.js'), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: { PATH: process.env['PATH'], NO_COLOR: '1', ...environment },
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      if (stream) createInterface({ input: stream }).on('line', (line) => said.push(line));
    const listening = new Promise<string>((resolve, reject) => {
      child.once('message', ({ url = '' }: Message) => resolve(url));
      child.once('exit', () => reject(new Error(said.join('\n'))));
    });
    return new VersionHost(child, await listening, said);
  }

  /** Calls a method of the module, or of host.js itself. */
  call(target: Call['target'], method: string, ...args: unknown[]): Promise<unknown> {
    const id = (this.#calls += 1);
    const call: Call = { target, method, args };
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.child.send({ id, ...call });
    });
  }

  #take({ effect, id, value, error }: Message): void {
    if (effect) this.effects.push(effect);
    if (id === undefined) return;
    const call = this.#open.get(id);
    this.#open.delete(id);
    if (error) call?.reject(new HostError(error.code, error.message));
    else call?.resolve(value);
  }

  async #end(): Promise<void> {
    const exited = once(this.child, 'exit');
    await this.call('host', 'close');
    this.child.disconnect();
    await exited;
  }
}
