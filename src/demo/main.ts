/** `npm run demo`: everything from nothing, a few purchases over HTTP, and an audit of what became of them. */
import type { ProfileName } from '../config/profiles.js';
import { compareBooks } from './books.js';
import { CleanUp } from '../clean-up.js';
import { parseFlags, usage } from './flags.js';
import { printBooks } from './print-books.js';
import { printHeading, styled } from './print.js';
import { Purchase } from './purchase.js';
import { readBooks } from './read-books.js';
import { scenarios } from './scenarios.js';
import { startEverything } from './start-everything.js';

/** Runs the scenarios and answers with every difference found between the shop's books and the ledger. */
async function runDemo(profile: ProfileName, cleanUp: CleanUp, signal: AbortSignal): Promise<string[]> {
  console.log(`Starting PostgreSQL, the sandbox and the shop, service profile ${profile} …`);
  const everything = await startEverything(profile, cleanUp);
  signal.throwIfAborted();
  console.log(`Shop ${everything.shopUrl}, sandbox ${everything.sandbox.url}. Times are business time, UTC.`);

  const orderNumbers = new Map<string, number>();
  for (const [index, scenario] of scenarios.entries()) {
    printHeading(`${index + 1}. ${scenario.title}`);
    const purchase = new Purchase(everything, signal);
    await scenario.run(purchase);
    orderNumbers.set(purchase.reference, index + 1);
  }

  const booked = await readBooks(everything.databaseUrl, signal);
  const compared = compareBooks(booked, everything.sandbox.ledger.report().payments);
  printBooks(compared, orderNumbers);
  return compared.flatMap(({ differences }) => differences);
}

/** Answers with the exit code; its last line is the verdict. */
async function main(args: readonly string[]): Promise<number> {
  const flags = readFlags(args);
  if (flags === null) return 2;
  if (flags === 'help') {
    console.log(usage);
    return 0;
  }
  const stop = new AbortController();
  const interrupted = new Error('interrupted');
  // Once: a second Ctrl-C ends the process at once, and the embedded PostgreSQL stops by itself then.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(interrupted));
  process.on('uncaughtException', (error) => stop.abort(error));

  const cleanUp = new CleanUp();
  const faults: string[] = [];
  try {
    faults.push(...(await runDemo(flags.profile, cleanUp, stop.signal)));
  } catch (error) {
    if (!stop.signal.aborted) faults.push(reasonOf(error));
  }
  faults.push(...(await cleanUp.run()).map(reasonOf));

  if (stop.signal.reason === interrupted) {
    console.log('\ndemo: interrupted');
    return 130;
  }
  if (stop.signal.aborted) faults.push(reasonOf(stop.signal.reason));
  if (faults.length === 0) {
    console.log(`\n${styled('green', 'demo: ok')}`);
    return 0;
  }
  console.log(`\n${faults.map((fault) => `  ${fault}`).join('\n')}\n\n${styled('red', 'demo: FAILED')}`);
  return 1;
}

/** `null` where a flag is wrong, which has been told. */
function readFlags(args: readonly string[]): ReturnType<typeof parseFlags> | null {
  try {
    return parseFlags(args);
  } catch (error) {
    console.error(`${reasonOf(error)}\n\n${usage}`);
    return null;
  }
}

/** With the causes, where the network's own errors say what happened. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  const own = message || ('code' in error ? String(error.code) : error.name);
  return cause === undefined ? own : `${own}: ${reasonOf(cause)}`;
}

process.exitCode = await main(process.argv.slice(2));
