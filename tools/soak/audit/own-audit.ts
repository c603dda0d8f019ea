import type { AuditSlice } from '@holdfast/payments';

import type { Stage } from '../stage/stage.js';
import { wrong, type Finding } from './finding.js';

/** The outcome of the module's own audit of every store. */
export interface OwnAudit {
  readonly payments: number;
  readonly refunds: number;
  readonly receipts: number;
  readonly findings: readonly Finding[];
}

/** Weeks of business time in one answer. */
const TIMEOUT_MS = 300_000;

/** Asks a shop that is idle, as its operator would, whether the books have been equal since then. */
export async function runOwnAudit(stage: Stage, from: Date, signal: AbortSignal): Promise<OwnAudit> {
  const [replica] = stage.open;
  if (!replica) throw new Error('No shop takes requests.');
  const slices: AuditSlice[] = [];
  const period = { from, to: businessTime(stage) };
  for (const store of [undefined, ...stage.stores]) {
    const answer = await fetch(`http://127.0.0.1:${replica.port}/audit`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ store, ...period }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`The module’s own audit was answered ${answer.status}: ${text}`);
    const found: AuditSlice[] = JSON.parse(text);
    slices.push(...found);
  }
  const count = (kind: 'payments' | 'refunds' | 'receipts') =>
    slices.reduce((total, slice) => total + (slice[kind] ?? 0), 0);
  const findings = slices.flatMap(({ differences, receipts }) => [
    ...differences.map((difference) => wrong(`the module’s own audit finds ${JSON.stringify(difference)}`)),
    // The keys of a soak may list them.
    ...(receipts === null ? [wrong('the module’s own audit has not compared receipts')] : []),
  ]);
  return {
    payments: count('payments'),
    refunds: count('refunds'),
    receipts: count('receipts'),
    findings,
  };
}

/** The shops'. */
export function businessTime({ businessOffsetMs }: Stage): Date {
  return new Date(Date.now() + businessOffsetMs);
}
