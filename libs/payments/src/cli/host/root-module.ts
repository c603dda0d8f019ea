import { isRecord } from '../../common/is-record.js';
import { CommandError } from '../command-error.js';
import { exitCodes } from '../exit-codes.js';
import type { RootModule } from './opened-app.js';

/** What an application is made of: its root module, or a function that returns it. */
export type AppSource = RootModule | (() => RootModule | Promise<RootModule>);

/** @throws whatever the function throws */
export async function rootModuleOf(source: AppSource): Promise<RootModule> {
  return isFactory(source) ? source() : source;
}

/**
 * What a file exports as the application: `default`, `AppModule`, or the one class that there is.
 * @throws CommandError
 */
export function appExportedBy(file: string, loaded: unknown): AppSource {
  // Of a CommonJS file `default` is all of its exports.
  const outer = isRecord(loaded) ? loaded : {};
  const inner = isRecord(outer['default']) && !isModule(outer['default']) ? outer['default'] : {};
  const exported = { ...inner, ...outer };
  const named = [outer['default'], inner['default'], exported['AppModule']].find(isSource);
  const classes = [...new Set(Object.values(exported).filter(isClass))];
  const found = named ?? (classes.length === 1 ? classes[0] : undefined);
  if (found !== undefined) return found;
  throw new CommandError(
    `${file} exports no root module: export it as AppModule or as default, a class, a dynamic module or a function that returns one.`,
    exitCodes.usage,
  );
}

function isSource(value: unknown): value is AppSource {
  return typeof value === 'function' || isModule(value);
}

function isModule(value: unknown): value is RootModule {
  return isRecord(value) && typeof value['module'] === 'function';
}

/** By its source: a decorated class may have no metadata at all, and a plain function has a prototype too. */
function isClass(value: unknown): value is RootModule {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}

function isFactory(source: AppSource): source is () => RootModule | Promise<RootModule> {
  return typeof source === 'function' && !isClass(source);
}
