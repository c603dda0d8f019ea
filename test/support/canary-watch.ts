/**
 * Runs before every spec file (`setupFilesAfterEnv`): fails the test during which a canary appeared in printed output, here or of
 * a child process, in an error, in a metric, or in a test's name. Databases are searched when they are dropped.
 */
import type { RequestHooks } from '@holdfast/payments';
import { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { format } from 'node:util';
import { canariesIn, canariesWithin } from './canaries.js';

/** Replaces what a test must not print in the suite's own output. */
const HIDDEN = '[a secret was printed here]';

const leaks: string[] = [];
const errors: unknown[] = [];
/** Undone at the end: the streams and the prototype outlive a spec file. */
const undo: (() => void)[] = [];

/** Records canaries in what leaves by one channel; true: there were some. */
export function watch(channel: string, text: string): boolean {
  const names = canariesIn(text);
  for (const name of names) leaks.push(`${name} in ${channel}`);
  return names.length > 0;
}

/** Returns what was seen since the last call, and forgets it. */
export function takeLeaks(): string[] {
  for (const error of errors.splice(0)) {
    if (staysInTransport(error)) continue;
    for (const name of canariesWithin(error)) leaks.push(`${name} in an error: ${kindOf(error)}`);
  }
  return leaks.splice(0);
}

/** @throws Error that names what was seen, and where, but not its value */
export function mustHaveShownNothing(): void {
  const seen = [...new Set(takeLeaks())];
  if (seen.length > 0)
    throw new Error(`Secrets were shown:\n${seen.map((leak) => `  - ${leak}`).join('\n')}`);
}

/** Metrics: what a host's hooks receive. */
export const watchedHooks: Required<RequestHooks> = {
  onRequest: (info) => void watch('a metric', JSON.stringify(info)),
  onAnswer: (info) => void watch('a metric', JSON.stringify(info)),
  onFailure: (info) => void watch('a metric', JSON.stringify(info)),
};

function kindOf(error: unknown): string {
  return error instanceof Error ? error.constructor.name : typeof error;
}

/**
 * axios puts a request's headers into every error it throws. Those end in safe-request.ts, whose specs check that none leaves it;
 * one that did, as another error's cause or in a log, is found there.
 */
function staysInTransport(error: unknown): boolean {
  return error instanceof Error && 'isAxiosError' in error;
}

function watchErrors(): void {
  for (const name of ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'AggregateError'] as const) {
    const Native = globalThis[name];
    const record = <T>(error: T): T => {
      errors.push(error);
      return error;
    };
    const watched = new Proxy(Native, {
      construct: (target, args, newTarget) => record(Reflect.construct(target, args, newTarget)),
      apply: (target, self, args) => record(Reflect.apply(target, self, args)),
    });
    Reflect.set(Native.prototype, 'constructor', watched);
    Reflect.set(globalThis, name, watched);
  }
}

function watchOutput(): void {
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) {
    const print = console[name].bind(console);
    console[name] = (...said: unknown[]) => {
      if (watch(`console.${name}`, format(...said))) print(HIDDEN);
      else print(...said);
    };
  }
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = process[name];
    const write: unknown = Reflect.get(stream, 'write');
    if (typeof write !== 'function') continue;
    Reflect.set(stream, 'write', (...args: unknown[]) => {
      if (watch(name, String(args[0]))) args[0] = `${HIDDEN}\n`;
      return Reflect.apply(write, stream, args);
    });
    undo.push(() => Reflect.set(stream, 'write', write));
  }
}

/** Everything that a spec starts, before the spec itself gets it. */
function watchChildren(): void {
  const { prototype } = ChildProcess;
  const spawn: unknown = Reflect.get(prototype, 'spawn');
  if (typeof spawn !== 'function') throw new Error('Node starts child processes in another way now.');
  Reflect.set(prototype, 'spawn', function watched(this: ChildProcess, ...args: unknown[]): unknown {
    const started: unknown = Reflect.apply(spawn, this, args);
    if (this.stdout) overhear(this.stdout);
    if (this.stderr) overhear(this.stderr);
    return started;
  });
  undo.push(() => Reflect.set(prototype, 'spawn', spawn));
}

/** Listening would set the stream flowing before its reader is there. */
function overhear(stream: Readable): void {
  const push = stream.push.bind(stream);
  let before = '';
  stream.push = (chunk: unknown, encoding) => {
    if (chunk !== null) {
      const said = before + (Buffer.isBuffer(chunk) ? chunk.toString() : format(chunk));
      watch('what a child process printed', said);
      // One may come in two parts.
      before = said.slice(-100);
    }
    return push(chunk, encoding);
  };
}

watchErrors();
watchOutput();
watchChildren();
afterEach(() => {
  watch("a test's name", expect.getState().currentTestName ?? '');
  mustHaveShownNothing();
});
afterAll(() => {
  for (const step of undo) step();
  mustHaveShownNothing();
});
