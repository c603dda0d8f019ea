import {
  auditVerdict,
  emptyAuditReport,
  withAuditSlice,
  type AuditReport,
  type AuditVerdict,
} from '../../operator/audit-report.js';
import type { PaymentsOperator } from '../../operator/payments-operator.service.js';
import { closingLines, differenceCells, differenceHeadings } from '../audit/audit-text.js';
import { progressText } from '../audit/verdict-words.js';
import { CommandError, reasonOf } from '../command-error.js';
import type { AddCommand } from '../command.js';
import { exitCodes, type ExitCode } from '../exit-codes.js';
import { momentOf, scopeIn, storeFlag, type StoreFlag } from '../flags.js';
import type { Screen, Tone } from '../screen/screen.js';

interface Flags extends StoreFlag {
  readonly from: Date;
  readonly to?: Date;
}

interface Ending {
  readonly exitCode: ExitCode;
  readonly tone: Tone;
}

const endings: Readonly<Record<AuditVerdict, Ending>> = {
  agree: { exitCode: exitCodes.well, tone: 'good' },
  differ: { exitCode: exitCodes.wrong, tone: 'bad' },
  agree_but_receipts: { exitCode: exitCodes.partly, tone: 'soon' },
};

export const addAudit: AddCommand = (program, perform) => {
  program
    .command('audit')
    .summary("compares the database with the service's lists")
    .description(
      "Compares payments, refunds and receipts of a period with the service's lists, a day at a time, and changes nothing. Exit code 1: they " +
        'differ; 3: broken off, and the last line says where to go on; 4: payments and refunds agree, but the key may not list receipts.',
    )
    .requiredOption('--from <moment>', 'first day (UTC) or moment', momentOf)
    .option('--to <moment>', 'up to this day or moment, exclusive; default: now', momentOf)
    .addOption(storeFlag())
    .action(async ({ from, to, ...store }: Flags) => {
      await perform(async ({ operator }, screen) => {
        const end = to ?? (await operator.now());
        if (from >= end) throw new CommandError('--from must be before --to.', exitCodes.usage);
        return audit(operator, screen, { from, to: end, ...scopeIn(store) });
      });
    });
};

async function audit(
  operator: PaymentsOperator,
  screen: Screen,
  period: Parameters<PaymentsOperator['audit']>[0],
): Promise<ExitCode> {
  let found = emptyAuditReport;
  let reached = period.from;
  let brokenOff = false;
  try {
    for await (const slice of operator.audit(period)) {
      found = withAuditSlice(found, slice);
      reached = slice.to;
      screen.aside(progressText(slice));
    }
  } catch (error) {
    screen.aside(reasonOf(error));
    screen.aside(`Broken off. What follows was found so far; continue with --from ${reached.toISOString()}`);
    brokenOff = true;
  }
  const { exitCode, tone } = endings[auditVerdict(found)];
  screen.result({ from: period.from, to: reached, ...found }, () => {
    if (!brokenOff || found.differences.length > 0) showFound(screen, found, tone);
  });
  return brokenOff ? exitCodes.failed : exitCode;
}

function showFound(screen: Screen, found: AuditReport, tone: Tone): void {
  if (found.differences.length > 0) {
    screen.table(differenceHeadings, found.differences.map(differenceCells));
    screen.line();
  }
  const { verdict, due } = closingLines(found);
  screen.line(verdict, tone);
  if (due !== null) screen.line(due, 'soon');
}
