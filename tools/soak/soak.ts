import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CleanUp } from '../../examples/shared/clean-up.js';
import { orAborted } from '../common/run.js';
import { audit } from './audit/audit.js';
import { chargedTwice, refundedTwice } from './audit/check-charges.js';
import { handlerTimesOf } from './audit/check-handlers.js';
import { expiredHolds } from './audit/check-holds.js';
import { doneTwice, droppedOutside } from './audit/check-outside.js';
import { receiptTally } from './audit/check-receipts.js';
import { sum, wrong, type Finding } from './audit/finding.js';
import { loadDatabase, loadOutside, serviceRecords } from './audit/load-records.js';
import { Onlooker } from './audit/onlooker.js';
import { businessTime, runOwnAudit } from './audit/own-audit.js';
import { loadProgress } from './audit/progress.js';
import { recordedAgain } from './audit/recorded-again.js';
import type { ShopRecords } from './audit/records.js';
import { Recovery } from './audit/recovery.js';
import { settle } from './audit/settle.js';
import { FaultInjector } from './faults/fault-injector.js';
import { planLosses } from './faults/loss-plan.js';
import type { SoakFlags } from './flags.js';
import { TICK_BUSINESS_MS, TICK_MS } from './pace.js';
import { printProgress, printResult } from './report.js';
import type { Replica } from './stage/replica.js';
import { Stage } from './stage/stage.js';
import { Tally } from './tally.js';
import { takeCareOfReceipts } from './workload/back-office.js';
import { finishRefunds } from './workload/bank.js';
import { letBuyersBuy } from './workload/buyers.js';
import { plainPurchase, planPurchase } from './workload/purchase-plan.js';
import { Returning } from './workload/returning.js';
import { ShopClient } from './workload/shop-client.js';
import type { Wishes } from './workload/wishes.js';

/** At once; most of them wait for something. */
const BUYERS = 16;
const PROGRESS_MS = 10_000;
const LOOK_MS = 100;
const CARE_MS = 2_000;
const BANK_MS = 5 * 60_000;

/** One run from nothing to the audit. Returns everything that is wrong. */
export async function soak(
  { seed, replicas, goal, skewMs, receipts, losses }: SoakFlags,
  cleanUp: CleanUp,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  // Every buyer listens to it, several times over.
  setMaxListeners(0, signal);
  const startedAt = performance.now();
  const tally = new Tally();
  const folder = join(tmpdir(), `holdfast_soak_${randomBytes(4).toString('hex')}`);
  await mkdir(folder);
  cleanUp.add(() => rm(folder, { recursive: true, force: true }));
  const onAcknowledged = (replica: Replica): void => {
    if (goal.kind !== 'kills after ack' || tally.kills >= goal.kills || !replica.kill()) return;
    tally.kills += 1;
    tally.killsAfterAck += 1;
    recovery.watch();
  };
  const forgets = losses.failovers + losses.restores > 0;
  const stage = await Stage.open(
    { replicas, skewMs, folder, forgets, scenario: `${receipts}_payment`, onAcknowledged },
    cleanUp,
  );
  const onlooker = new Onlooker(() => stage.databaseUrl);
  cleanUp.add(() => onlooker.close());
  const recovery = new Recovery(onlooker);
  const boughtFrom = businessTime(stage);

  let wishes: readonly Wishes[] = [];
  const storm = async (): Promise<void> => {
    const shop = new ShopClient(() => stage.open, signal);
    const returning = new Returning();
    if (goal.kind === 'minutes') {
      const stormMs = goal.minutes * 60_000;
      const until = performance.now() + stormMs;
      const planned = planLosses(seed, losses, stormMs);
      const injector = new FaultInjector(stage, tally, recovery, returning, planned, signal);
      const enough = (): boolean => signal.aborted || (performance.now() > until && injector.isDone);
      [wishes] = await Promise.all([
        letBuyersBuy(BUYERS, (number) => planPurchase(seed, number), shop, stage, tally, returning, enough),
        injector.run(seed, enough),
      ]);
      // What the last buyers ordered, when the injector was done already.
      stage.sandbox.faults.clear();
    } else {
      // More would only be bought while no shop is up to be killed.
      const enough = (): boolean => signal.aborted || tally.kills >= goal.kills;
      wishes = await letBuyersBuy(replicas, plainPurchase, shop, stage, tally, returning, enough);
    }
  };
  const tick = async (): Promise<void> => {
    await stage.advance(TICK_BUSINESS_MS);
    finishRefunds(stage.sandbox, BANK_MS);
  };
  const report = async (): Promise<void> =>
    printProgress(performance.now() - startedAt, await loadProgress(onlooker), tally);
  await during(
    async () => {
      await during(storm, [TICK_MS, tick]);
      // A clock in the middle of eight days would have to be waited for.
      await orAborted(settle(stage, onlooker, signal), signal);
    },
    [PROGRESS_MS, report],
    [LOOK_MS, () => recovery.look()],
    [CARE_MS, () => takeCareOfReceipts(stage, signal)],
  );
  signal.throwIfAborted();

  const shop: ShopRecords = {
    ...(await loadDatabase(stage.databaseUrl ?? '')),
    forgotten: tally.forgotten,
    losses: { times: tally.failovers + tally.restores, lastSeen: tally.lastLoss === 'failover' },
    connected: stage.stores.length,
    outside: await loadOutside(stage.outsideEffects),
  };
  const service = serviceRecords(stage.sandbox);
  const ownAudit = await runOwnAudit(stage, boughtFrom, signal);
  const crashes = stage.replicas.flatMap((replica) => replica.crashes);
  const findings = [
    ...audit(shop, service, wishes),
    ...crashes.map((said) => wrong(`a shop process ended by itself:\n${said}`)),
    ...ownAudit.findings,
  ];
  printResult({
    tally,
    stage,
    recovery,
    findings,
    handlers: handlerTimesOf(shop),
    acknowledged: sum(service.acknowledged, ({ times }) => times),
    expiredHolds: expiredHolds(service).length,
    receipts: receiptTally(shop, service),
    chargedTwice: chargedTwice(service).length,
    refundedTwice: refundedTwice(service).length,
    outside: {
      done: new Set(shop.outside.map(({ effectKey }) => effectKey)).size,
      twice: doneTwice(shop.outside).length,
      dropped: droppedOutside(shop.outside).length,
    },
    again: recordedAgain(shop.operations),
    ownAudit,
    outlived: shop.outlived.length,
    putBack: shop.putBack.length,
    progress: await loadProgress(onlooker),
  });
  return findings;
}

/** Does the work, and meanwhile each of the others again and again. */
async function during(
  work: () => Promise<void>,
  ...others: readonly (readonly [everyMs: number, act: () => Promise<void>])[]
): Promise<void> {
  const over = new AbortController();
  const loops = others.map(async ([everyMs, act]) => {
    while (!over.signal.aborted) {
      await act();
      await delay(everyMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  });
  try {
    await work();
  } finally {
    over.abort();
    await Promise.all(loops);
  }
}
