import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { appFileOf } from './host/app-file.js';
import { loadVariables } from './host/load-variables.js';
import { OpenedApp } from './host/opened-app.js';
import { mustBeCopyOf, OtherCopyError } from './host/other-copy.js';
import { appExportedBy, rootModuleOf } from './host/root-module.js';
import { runProgram } from './program.js';
import { processTerminal } from './screen/process-terminal.js';

/** What only the file that npm runs can say: it is an ES module, and this package is CommonJS. */
export interface Bin {
  /** Loads an ES module or a CommonJS one; TypeScript would turn `import()` into `require()` here. */
  readonly load: (url: string) => Promise<unknown>;
  /** The folder of this package. */
  readonly folder: string;
  /** The file itself, below that folder. */
  readonly file: string;
}

/** `npx @holdfast/payments`: resolves to the exit code. */
export async function runBin(args: readonly string[], { load, folder, file: bin }: Bin): Promise<number> {
  const terminal = processTerminal();
  const write = process.stdout.write.bind(process.stdout);
  // What an application prints as it is loaded is no part of a result, which a program may read.
  process.stdout.write = process.stderr.write.bind(process.stderr);
  try {
    return await runProgram(args, {
      terminal,
      name: 'npx @holdfast/payments',
      takesApp: true,
      async open({ app, envFile }, warn) {
        if (envFile !== undefined) loadVariables(envFile);
        const file = await appFileOf(process.cwd(), app);
        await mustBeCopyOf(file, folder);
        const source = appExportedBy(file, await load(pathToFileURL(file).href));
        return OpenedApp.open(await rootModuleOf(source), warn);
      },
    });
  } catch (error) {
    if (!(error instanceof OtherCopyError)) throw error;
    process.stdout.write = write;
    // It sets the exit code by itself.
    await load(pathToFileURL(join(error.folder, bin)).href);
    return Number(process.exitCode ?? 0);
  } finally {
    process.stdout.write = write;
  }
}
