/** `npm run demo`: everything from nothing, six purchases over HTTP, and an audit of what became of them. */
import { compareBooks } from './books.js';
import { CleanUp } from './clean-up.js';
import { printBooks } from './print-books.js';
import { printHeading, styled } from './print.js';
import { Purchase } from './purchase.js';
import { readBooks } from './read-books.js';
import { scenarios } from './scenarios.js';
import { startEverything } from './start-everything.js';

/** Runs the scenarios and answers with every difference found between the shop's books and the ledger. */
async function runDemo(cleanUp: CleanUp, signal: AbortSignal): Promise<string[]> {
  console.log('Starting PostgreSQL, the sandbox and the shop …');
  const everything = await startEverything(cleanUp);
  console.log(`Shop ${everything.shopUrl}, sandbox ${everything.sandbox.url}. Times are business time, UTC.`);

  for (const [index, scenario] of scenarios.entries()) {
    printHeading(`${index + 1}. ${scenario.title}`);
    await scenario.run(new Purchase(everything, signal));
  }

  const booked = await readBooks(everything.databaseUrl, signal);
  const compared = compareBooks(booked, everything.sandbox.ledger.report().payments);
  printBooks(compared);
  return compared.flatMap(({ booked: payment, differences }) =>
    differences.map((difference) => `${payment ? `order ${payment.orderReference}: ` : ''}${difference}`),
  );
}

async function main(): Promise<void> {
  const interruption = new AbortController();
  // Once: a second Ctrl-C ends the process at once, and PostgreSQL stops by itself then.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

  const cleanUp = new CleanUp();
  let faults: string[];
  try {
    faults = await runDemo(cleanUp, interruption.signal);
  } catch (error) {
    faults = [error instanceof Error ? error.message : String(error)];
  }
  await cleanUp.run().catch((error: unknown) => faults.push(String(error)));

  if (interruption.signal.aborted) {
    console.log('\ndemo: interrupted');
    process.exitCode = 130;
  } else if (faults.length > 0) {
    console.log(`\n${faults.map((fault) => `  ${fault}`).join('\n')}\n${styled('red', 'demo: FAILED')}`);
    process.exitCode = 1;
  } else {
    console.log(`\n${styled('green', 'demo: ok')}`);
  }
}

await main();
