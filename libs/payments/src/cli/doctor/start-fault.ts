import { PaymentsConfigurationError } from '../../common/payments.errors.js';
import { codeOf, reasonOf } from '../command-error.js';
import { broken, type Finding } from './check.js';

/** The check whose fault keeps the application from being made. */
export interface StartFault {
  readonly check: 'configuration' | 'data source';
  readonly finding: Finding;
}

const network = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/** What PostgreSQL says as it refuses a connection, by the class of its answer. */
const refusals: Readonly<Record<string, string>> = {
  '28': 'Correct the user and the password of the data source, or let this address in by pg_hba.conf.',
  '3D': 'Create the database, or correct its name in the data source.',
  '53': 'Give PostgreSQL more connections, or the pools of your processes fewer.',
  '57': 'Wait until PostgreSQL has started.',
};

/** How the application is found. */
export interface MadeBy {
  /** By a flag or a file's usual place, and not by a script of the host's. */
  readonly takesApp: boolean;
}

/** Which part of the set-up the error of a start is about, and what repairs it. */
export function startFaultOf(error: unknown, what: MadeBy): StartFault {
  if (error instanceof PaymentsConfigurationError)
    return {
      check: 'configuration',
      finding: broken('the module cannot be made', ...error.faults),
    };
  const fix = connectionFix(codeOf(error));
  if (fix !== null)
    return { check: 'data source', finding: broken(`it cannot be opened: ${reasonOf(error)}`, fix) };
  return {
    check: 'configuration',
    finding: broken(`the application cannot be made: ${reasonOf(error)}`, ...fixesOf(what)),
  };
}

/** A command makes the application by itself: nothing that comes before that in its main file has happened. */
function fixesOf({ takesApp }: MadeBy): readonly string[] {
  const asAlways =
    'Otherwise start the application as you always do: its own log says where this comes from.';
  if (!takesApp)
    return [
      'Have this script do first what the application needs before it is made: read its variables, and call what its main file calls before ' +
        'NestFactory.create().',
      asAlways,
    ];
  return [
    'If it needs variables that a file has and that nothing has read yet, name the file: --env-file .env.',
    'If its main file calls something before NestFactory.create(), such as initializeTransactionalContext(), write a file that calls the same ' +
      'and exports AppModule, and name that file: --app payments-app.mjs.',
    asAlways,
  ];
}

function connectionFix(code: string | null): string | null {
  if (code === null) return null;
  if (network.has(code)) return 'Start PostgreSQL, or correct host and port of the data source.';
  return /^[0-9A-Z]{5}$/.test(code) ? (refusals[code.slice(0, 2)] ?? null) : null;
}
