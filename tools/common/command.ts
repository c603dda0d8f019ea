/** A program's flags, and its usage text. */
export interface Command<Flags> {
  readonly usage: string;
  /** @throws Error that names the bad flag or value */
  readonly parse: (args: readonly string[]) => Flags;
  /** Resolves to the exit code. */
  readonly run: (flags: Flags) => Promise<number>;
}

/** Resolves to the exit code: 2 if a flag is wrong, or the work ended in an error; both are reported. */
export async function runCommand<Flags>(
  { usage, parse, run }: Command<Flags>,
  args: readonly string[] = process.argv.slice(2),
): Promise<number> {
  if (args.includes('--help')) {
    console.log(usage);
    return 0;
  }
  let flags: Flags;
  try {
    flags = parse(args);
  } catch (error) {
    console.error(`${reasonOf(error)}\n\n${usage}`);
    return 2;
  }
  try {
    return await run(flags);
  } catch (error) {
    console.error(reasonOf(error));
    return 2;
  }
}

/** With the causes, because the network's own errors say what happened. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  const own = message || ('code' in error ? String(error.code) : error.name);
  return cause === undefined ? own : `${own}: ${reasonOf(cause)}`;
}
