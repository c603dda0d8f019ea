import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Guard } from './guard.js';

const SOURCES = 'libs/payments/src';

/** The file that a guard is in, below a checkout or a copy of one. */
export function fileOf(root: string, { file }: Pick<Guard, 'file'>): string {
  return join(root, SOURCES, file);
}

/** What keeps a guard from being broken in this checkout; null: nothing. */
export async function faultOf(root: string, guard: Guard): Promise<string | null> {
  const { id, text, broken, file, spec, test } = guard;
  if (text === broken) return `${id}: its broken form is no other text`;
  const source = await textOf(fileOf(root, guard));
  if (source === null) return `${id}: there is no ${file}`;
  const times = source.split(text).length - 1;
  if (times !== 1) return `${id}: its text stands ${times} times in ${file}, not once`;
  const tests = await textOf(join(root, spec));
  if (tests === null) return `${id}: there is no ${spec}`;
  if (test !== undefined && !tests.includes(test)) return `${id}: ${spec} has no test “${test}”`;
  return null;
}

/** The source with the guard broken. */
export function brokenSource(source: string, { text, broken }: Pick<Guard, 'text' | 'broken'>): string {
  return source.split(text).join(broken);
}

async function textOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}
