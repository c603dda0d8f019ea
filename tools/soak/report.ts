import { printTable, styled } from '../common/print.js';
import type { HandlerTimes } from './audit/check-handlers.js';
import type { Finding, FindingKind } from './audit/finding.js';
import type { OwnAudit } from './audit/own-audit.js';
import type { Progress } from './audit/progress.js';
import type { RecordedAgain } from './audit/recorded-again.js';
import type { Recovery } from './audit/recovery.js';
import type { Stage } from './stage/stage.js';
import { points } from './stage/steps.js';
import type { Tally } from './tally.js';

const SHOWN_FINDINGS = 20;

/** One line about the progress of the run. */
export function printProgress(sinceMs: number, progress: Progress | null, tally: Tally): void {
  const seconds = Math.round(sinceMs / 1_000);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const { payments, operations, notifications, unsettled } = progress ?? {};
  const books =
    progress === null
      ? 'the database is down'
      : `${payments} payments, ${operations} operations, ${notifications} notifications, ${unsettled} unsettled`;
  console.log(
    `${time.padStart(6)}  ${books}; ${tally.kills} kills, ${tally.stops} stops, ` +
      `${tally.databaseRestarts} database restarts, ${tally.failovers} failovers, ${tally.restores} restores, ` +
      `${tally.serviceFaults} service faults`,
  );
}

interface Result {
  readonly tally: Tally;
  readonly progress: Progress | null;
  readonly stage: Stage;
  readonly recovery: Recovery;
  readonly handlers: HandlerTimes;
  readonly findings: readonly Finding[];
  /** Answers 200 that the service received. */
  readonly acknowledged: number;
  readonly expiredHolds: number;
  readonly receipts: ReceiptTally;
  /** Orders. */
  readonly chargedTwice: number;
  /** Refunds, by their names. */
  readonly refundedTwice: number;
  /** What handlers did outside the database, by its effect keys. */
  readonly outside: { readonly done: number; readonly twice: number; readonly dropped: number };
  /** What the database had forgotten and was found at the service. */
  readonly again: RecordedAgain;
  readonly ownAudit: OwnAudit;
  readonly outlived: number;
  /** Payments that the module found out of the queue while they were in progress. */
  readonly putBack: number;
}

/** The receipts at the service, and by how much they fall short of the money, in minor units. */
export interface ReceiptTally {
  readonly registered: number;
  readonly refused: number;
  readonly late: number;
  /** Those that settle a prepayment, registered. */
  readonly offsets: number;
  /** Those that the module sent after the money, registered. */
  readonly afterMoney: number;
  /** Of those that were sent by themselves, attempts after one that failed. */
  readonly sentAgain: number;
  /** Those that a person made instead. */
  readonly byHand: number;
  readonly shortMinor: number;
}

export function printResult(result: Result): void {
  const { tally, progress, stage, recovery, handlers, findings, acknowledged, expiredHolds, receipts } =
    result;
  const { ownAudit, again, outlived, putBack, chargedTwice, refundedTwice, outside } = result;
  const { forgotten } = tally;
  const { payments = 0, ofConnectedStores = 0, operations = 0, notifications = 0 } = progress ?? {};
  const restarts = stage.replicas.reduce((total, replica) => total + replica.restarts, 0);
  const of = (kind: FindingKind) => findings.filter((finding) => finding.kind === kind).length;
  const rows: [string, string | number][] = [
    ['payments', `${payments}, ${ofConnectedStores} of connected stores`],
    ['operations', operations],
    ['notifications', `${notifications} stored, ${acknowledged} acknowledged`],
    [
      'kills',
      `${tally.kills}, ${tally.killsAtPoints} at a failpoint, ${tally.killsAfterAck} right after a 200`,
    ],
    ['failpoints hit', `${tally.pointsHit.size} of ${points.length}`],
    ['stops', tally.stops],
    ['restarts of shops', restarts],
    ['database restarts', tally.databaseRestarts],
    ['failovers', `${tally.failovers}, and ${tally.restores} restores`],
    [
      'commits lost',
      `${forgotten.commits}, with ${forgotten.payments} payments, ${forgotten.refunds} refunds, ` +
        `${forgotten.receipts} receipts, ${forgotten.keys.size} operations, ${forgotten.events} events`,
    ],
    ['recorded again', `${again.payments} payments, ${again.refunds} refunds, ${again.receipts} receipts`],
    ['broken connections', tally.brokenLines],
    ['service faults', tally.serviceFaults],
    ['notification faults', tally.notificationFaults],
    ['outages of 30 h', tally.outages],
    ['requests that outlived their keys', outlived],
    ['payments whose re-reads hung', tally.hangingPayments],
    ['handler that hung', `${handlers.hungRuns} runs of ${handlers.hung} deliveries`],
    [
      'the other handlers',
      `p50 ${duration(handlers.othersP50Ms)}, p99 ${duration(handlers.othersP99Ms)} of business time`,
    ],
    ['time to recover', `p50 ${duration(recovery.percentile(50))}, p99 ${duration(recovery.percentile(99))}`],
    ['holds that ran out', expiredHolds],
    ['receipts', `${receipts.registered} registered, ${receipts.refused} refused, ${receipts.late} late`],
    ['offsets of prepayments', `${receipts.offsets} registered`],
    [
      'receipts after the money',
      `${receipts.afterMoney} registered, ${receipts.sentAgain} sent again, ${receipts.byHand} made by hand`,
    ],
    ['receipts short of money', receipts.shortMinor],
    [
      'compared by the module',
      `${ownAudit.payments} payments, ${ownAudit.refunds} refunds, ${ownAudit.receipts} receipts`,
    ],
    ['queue rows put back', putBack],
    ['orders charged twice', chargedTwice],
    ['refunds paid twice', refundedTwice],
    ['effects outside', `${outside.done}, ${outside.twice} done twice, ${outside.dropped} left out`],
    ['lost', of('lost')],
    ['doubled', of('doubled')],
    ['contradictions', of('wrong')],
    ['unsettled', of('unsettled')],
    ['late', of('late')],
  ];
  console.log();
  printTable(
    ['what', 'how many'],
    rows.map(([what, count]) => [what, String(count)]),
  );
  for (const { kind, what } of findings.slice(0, SHOWN_FINDINGS))
    console.log(`  ${styled('red', kind)}: ${what}`);
  if (findings.length > SHOWN_FINDINGS) console.log(`  and ${findings.length - SHOWN_FINDINGS} more`);
}

function duration(ms: number): string {
  return Number.isNaN(ms) ? '—' : `${(ms / 1_000).toFixed(1)} s`;
}
