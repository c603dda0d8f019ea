import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isRecord } from './host.js';

/** Formats the text of a source as the application's own Prettier does, if it has one. */
export type Format = (path: string, text: string) => Promise<string>;

/** The part of the package `prettier` that is used. */
interface Prettier {
  readonly resolveConfig: (path: string) => Promise<object | null>;
  readonly format: (text: string, options: object) => Promise<string>;
}

/** By the Prettier that is installed in this folder; without one a text stays as it is. */
export function formatIn(root: string): Format {
  let prettier: unknown;
  try {
    prettier = createRequire(`${root}/package.json`)('prettier');
  } catch {
    return async (_path, text) => text;
  }
  if (!isPrettier(prettier)) return async (_path, text) => text;
  const { resolveConfig, format } = prettier;
  return async (path, text) => {
    try {
      const file = join(root, path);
      return await format(text, { ...(await resolveConfig(file)), filepath: file });
    } catch {
      // A plugin that is not there, or settings of another version: what is written is correct all the same.
      return text;
    }
  };
}

const isPrettier = (value: unknown): value is Prettier =>
  isRecord(value) && typeof value['format'] === 'function' && typeof value['resolveConfig'] === 'function';
