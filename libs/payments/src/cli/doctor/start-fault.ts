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

/** Which part of the set-up the error of a start is about, and what repairs it. */
export function startFaultOf(error: unknown): StartFault {
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
    finding: broken(
      `the application cannot be made: ${reasonOf(error)}`,
      'Start the application as you always do: its own log says where this comes from.',
    ),
  };
}

function connectionFix(code: string | null): string | null {
  if (code === null) return null;
  if (network.has(code)) return 'Start PostgreSQL, or correct host and port of the data source.';
  return /^[0-9A-Z]{5}$/.test(code) ? (refusals[code.slice(0, 2)] ?? null) : null;
}
