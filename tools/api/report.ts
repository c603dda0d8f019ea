import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { join } from 'node:path';
import type { PackageName } from './entries.js';

const compilerOptions = {
  target: 'ES2023',
  lib: ['ES2023'],
  module: 'nodenext',
  strict: true,
  skipLibCheck: true,
  types: ['node'],
};

const silent = { default: { logLevel: ExtractorLogLevel.None } };

/** The name of an entry's report in `etc`, without its ending. */
export const reportNameOf = (name: PackageName, entry: string): string =>
  entry === 'index' ? name : `${name}-${entry}`;

/**
 * Compares what an entry exports, with its signatures, to the report in `etc`; `write` puts the new one there. The declarations are
 * those of the last build. Resolves to whether the two differed.
 */
export function compareReport(
  root: string,
  name: PackageName,
  entry: string,
  { write, folder }: { write: boolean; folder: string },
): boolean {
  const projectFolder = join(root, 'libs', name);
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(projectFolder, 'package.json'),
    configObject: {
      projectFolder,
      mainEntryPointFilePath: join(root, 'dist', 'libs', name, 'src', `${entry}.d.ts`),
      compiler: { overrideTsconfig: { compilerOptions } },
      apiReport: {
        enabled: true,
        reportFolder: join(root, 'etc'),
        reportTempFolder: folder,
        reportFileName: reportNameOf(name, entry),
        // What is `@internal` no host sees: its declarations are left out when packing.
        reportVariants: ['public'],
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: { extractorMessageReporting: silent, tsdocMessageReporting: silent },
    },
  });
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: write,
    messageCallback: (message) => {
      // Where the report is, and that it is another one, is said by the command.
      if (message.messageId.startsWith('console-')) message.handled = true;
    },
  });
  return apiReportChanged;
}
