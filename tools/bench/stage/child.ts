import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { SETTINGS, type Answer, type Call } from './call.js';

const program = fileURLToPath(new URL('./worker.js', import.meta.url));

/** A program's steps, as its parent process calls them. */
type Remote<Steps> = {
  readonly [Name in keyof Steps]: Steps[Name] extends (...input: infer Input) => infer Result
    ? (...input: Input) => Promise<Awaited<Result>>
    : never;
};

/** A contender, or what it needs, in a process of its own, so that none pays for another's work. */
export class Child<Steps> {
  /** Runs in the process. */
  readonly steps: Remote<Steps>;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #calls = 0;

  private constructor(private readonly child: ChildProcess) {
    this.steps = new Proxy(Object.create(null), {
      get: (_target, step: string) => (input?: unknown) => this.#call(step, input),
    });
    child.on('message', (answer: Answer) => this.#waiting.get(answer.id)?.(answer));
    child.once('exit', (code, signal) => {
      for (const settle of this.#waiting.values())
        settle({ id: 0, error: `The process ended (${signal ?? code}).` });
    });
  }

  /**
   * @param name of a file below tools/bench, such as `contenders/holdfast`
   * @param node another Node than this one
   */
  static async start<Steps>(
    name: string,
    settings: object,
    node: string = process.execPath,
  ): Promise<Child<Steps>> {
    const child = fork(program, [name], {
      execPath: node,
      execArgv: ['--expose-gc', '--enable-source-maps'],
      env: { PATH: process.env['PATH'], [SETTINGS]: JSON.stringify(settings) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const started = new Child<Steps>(child);
    try {
      await started.#answer(0);
    } catch (error) {
      await started.close();
      throw error;
    }
    return started;
  }

  /** In bytes, after a garbage collection. */
  async residentMemory(): Promise<number> {
    return Number(await this.#call('residentMemory', undefined));
  }

  async close(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }

  #call(step: string, input: unknown): Promise<unknown> {
    const id = (this.#calls += 1);
    const answer = this.#answer(id);
    const call: Call = { id, step, input };
    this.child.send(call);
    return answer;
  }

  async #answer(id: number): Promise<unknown> {
    const answer = await new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#waiting.delete(id);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.result;
  }
}
