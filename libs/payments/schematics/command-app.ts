import { posix } from 'node:path';
import type { Host, Manifest } from './host.js';

/** Where the commands of the module look by themselves. */
const USUAL = 'dist/app.module.js';

/** The text of a package.json that names the compiled root module to the commands, where they would not find it; a file that it names stays. */
export function withCommandApp(
  text: string,
  modulePath: string,
  { sourceRoot }: Pick<Host, 'sourceRoot'>,
): string {
  const manifest: Manifest = JSON.parse(text);
  const app = posix.join('dist', posix.relative(sourceRoot, modulePath).replace(/\.ts$/, '.js'));
  // A file outside of the sources is compiled to a place that its settings choose, and an application of a workspace into one bundle.
  const isElsewhere = !app.startsWith('dist/') || sourceRoot.includes('/');
  if (manifest.holdfast?.app !== undefined || app === USUAL || isElsewhere) return text;
  const [, indent = '  '] = /^\{\r?\n([ \t]+)/.exec(text) ?? [];
  return `${JSON.stringify({ ...manifest, holdfast: { ...manifest.holdfast, app } }, null, indent)}\n`;
}
