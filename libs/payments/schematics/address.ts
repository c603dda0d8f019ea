import type { Compiler } from './compiler.js';
import { firstArgumentOf } from './edit-source.js';

/** Nest's own example. */
const USUAL_PORT = '3000';

/** Where the application listens on a developer's machine, as its main file and its variables say. */
export interface Address {
  readonly port: string;
  /** Of all its routes; with a slash before it, or empty. */
  readonly prefix: string;
}

/** `environment`: the text of `.env`. */
export function addressOf(compiler: Compiler, main: string, environment: string): Address {
  const listening = firstArgumentOf(compiler, main, 'listen') ?? '';
  const variables = listening.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? [];
  const set = variables.flatMap(
    (name) => new RegExp(`^${name}\\s*=\\s*["']?(\\d+)`, 'm').exec(environment)?.[1] ?? [],
  );
  const [written] = /\b\d{2,5}\b/.exec(listening) ?? [];
  const [, prefix = ''] =
    /^(?:'|"|`)\/?([\w/.-]*?)\/?(?:'|"|`)/.exec(firstArgumentOf(compiler, main, 'setGlobalPrefix') ?? '') ??
    [];
  return { port: set[0] ?? written ?? USUAL_PORT, prefix: prefix === '' ? '' : `/${prefix}` };
}
