import { execFile } from 'node:child_process';

/** Output of an installation and of tests that log. */
const MOST_BYTES = 64 * 2 ** 20;
/** For what will never end: a busy machine takes its time. */
const LONGEST_MS = 1_200_000;

/** Runs a program to its end; resolves to all it printed. @throws Error that contains the same */
export function run(
  folder: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = environment(),
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env, maxBuffer: MOST_BYTES, timeout: LONGEST_MS };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${program} ${args.join(' ')}: ${error.message}\n${stdout}\n${stderr}`));
      else resolve(`${stdout}\n${stderr}`);
    });
  });
}

/** That of a stranger: npm hands the settings of this project on to what it runs, and a host has none of them. */
export function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  const settings = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_prefer_offline: 'true' };
  return { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }), ...settings, ...more };
}
