import type { Backlog } from '../../operator/backlog.js';
import { conditionsOf, type Condition } from '../../operator/conditions.js';
import type { RecordedOperation } from '../../operator/lists/recorded-operations.js';
import type { AddCommand } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import { reasonOfFailure } from '../failure-words.js';
import type { Screen } from '../screen/screen.js';
import { countText, durationText, momentText } from '../screen/texts.js';

/** Each figure, as people say it. */
const figures: Readonly<Record<keyof Backlog, string>> = {
  operations: 'requests without an outcome',
  payments: 'payments due to be re-read',
  notifications: 'notifications to be handled',
  deliveries: 'deliveries due',
  failingDeliveries: 'deliveries failing',
  parkedDeliveries: 'deliveries given up',
  flaggedHolds: 'holds left to a person',
  openIncidents: 'incidents that nobody has resolved',
  receiptProblems: 'receipts that need a person',
  waitingForOwners: 'payments that wait for owners',
  forgottenStores: 'connected stores that were forgotten',
  openRecoveries: 'times of lost commits to be read',
  unreadRecoveries: 'times of lost commits not readable',
  unconfirmedDatabase: 'database that may be a copy',
  unannouncedChanges: 'changes without a notification',
};

const isFigure = (name: string): name is keyof Backlog => name in figures;

export const addPending: AddCommand = (program, perform) => {
  program
    .command('pending')
    .summary('what is wrong now, and all that is in progress')
    .description(
      'What is wrong, the most urgent first, with what helps; what is in progress, with the age of the oldest; and the requests without ' +
        'an outcome. Exit code 1: something is wrong.',
    )
    .action(async () => {
      await perform(async ({ operator }, screen) => {
        const backlog = await operator.backlog();
        const operations = await operator.operations();
        const conditions = conditionsOf(backlog);
        screen.result({ conditions, backlog, operations }, () => {
          showConditions(screen, conditions);
          showBacklog(screen, backlog);
          if (operations.length > 0) showOperations(screen, operations);
        });
        return conditions.length > 0 ? exitCodes.wrong : exitCodes.well;
      });
    });
};

function showConditions(screen: Screen, conditions: readonly Condition[]): void {
  if (conditions.length === 0) screen.line('✔ Nothing is wrong.', 'good');
  for (const { needsPerson, text, oldestMs, remedy } of conditions) {
    const since = oldestMs === null ? '' : `, the oldest for ${durationText(oldestMs)}`;
    screen.line(`✖ ${text}${since}`, needsPerson ? 'bad' : 'soon');
    screen.line(`  ${remedy}`);
  }
}

function showBacklog(screen: Screen, backlog: Backlog): void {
  const rows = Object.keys(figures)
    .filter(isFigure)
    .filter((name) => backlog[name].count > 0)
    .map((name) => {
      const { oldestMs } = backlog[name];
      return [figures[name], countText(backlog[name]), oldestMs === null ? '' : durationText(oldestMs)];
    });
  screen.section('In progress', ['what', 'count', 'oldest'], rows, 'nothing');
}

function showOperations(screen: Screen, operations: readonly RecordedOperation[]): void {
  screen.section(
    'Requests without an outcome',
    ['recorded', 'request', 'order', 'payment', 'tries', 'last failure'],
    operations.map(({ recordedAt, kind, orderReference, paymentId, attempts, lastError }) => [
      momentText(recordedAt),
      kind,
      orderReference,
      paymentId,
      String(attempts),
      reasonOfFailure(lastError),
    ]),
  );
  screen.times();
}
