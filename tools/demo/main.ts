/** `npm run demo`: starts everything from nothing, makes a few purchases over HTTP, and audits their results. */
import type { CleanUp } from '../../examples/shared/clean-up.js';
import { runCommand } from '../common/command.js';
import { printHeading } from '../common/print.js';
import { runToVerdict } from '../common/run.js';
import { compareBooks } from './books.js';
import { parseFlags, usage, type DemoFlags } from './flags.js';
import { ForgottenPurchase } from './forgotten-purchase.js';
import { loadBooks, loadReceiptsByHand } from './load-books.js';
import { runOwnAudit } from './own-audit.js';
import { printBooks } from './print-books.js';
import { printReceipts } from './print-receipts.js';
import { compareReceipts } from './receipts.js';
import { scenariosOf } from './scenarios.js';
import { startEverything } from './start-everything.js';

/** Of business time: the module asks for a receipt within a few of these. */
const POLL_MS = 60_000;

/** Runs the scenarios and returns every difference found between the shop's books and the ledger. */
async function runDemo(flags: DemoFlags, cleanUp: CleanUp, signal: AbortSignal): Promise<string[]> {
  const { profile, receipts: time } = flags;
  const receiptWords = time === null ? '' : `, receipts ${time} the money`;
  console.log(`Starting PostgreSQL, the sandbox and the shop, service profile ${profile}${receiptWords} …`);
  const everything = await startEverything(flags, cleanUp);
  signal.throwIfAborted();
  console.log(`Shop ${everything.shopUrl}, sandbox ${everything.sandbox.url}. Times are business time, UTC.`);

  const startedAt = everything.sandbox.clock.now();
  const orderNumbers = new Map<string, number>();
  for (const [index, scenario] of scenariosOf(time).entries()) {
    printHeading(`${index + 1}. ${scenario.title}`);
    everything.log.expected = scenario.errors ?? null;
    const purchase = new ForgottenPurchase(everything, signal);
    await scenario.run(purchase);
    await purchase.receiptsAreSettled();
    orderNumbers.set(purchase.reference, index + 1);
  }

  const booked = await loadBooks(everything.databaseUrl, signal);
  const { sandbox, databaseUrl, operator } = everything;
  const ownAudit = () => runOwnAudit(operator, startedAt, sandbox.clock.now());
  const compared = compareBooks(booked, sandbox.ledger.report().payments);
  if (time === null) {
    printBooks(compared, orderNumbers);
    return [...compared.flatMap(({ differences }) => differences), ...(await ownAudit())];
  }
  const byHand = await loadReceiptsByHand(databaseUrl, () => sandbox.clock.advance(POLL_MS), signal);
  const receipts = compareReceipts(compared, sandbox.receipts.list(), byHand);
  printBooks(receipts, orderNumbers);
  printReceipts(receipts, orderNumbers);
  return [...receipts.flatMap(({ differences }) => differences), ...(await ownAudit())];
}

process.exitCode = await runCommand({
  usage,
  parse: parseFlags,
  run: (flags) =>
    runToVerdict({
      name: 'demo',
      work: async (cleanUp, signal) => ({ faults: await runDemo(flags, cleanUp, signal) }),
    }),
});
