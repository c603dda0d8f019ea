import { withinTime } from '../../api/within-time.js';
import { reasonOf } from '../command-error.js';
import type { OpenedApp } from '../host/opened-app.js';
import { broken, none, type Finding } from './check.js';
import { checks } from './checks.js';
import { lookAtWebhook } from './checks/webhook.js';
import { startFaultOf, type MadeBy } from './start-fault.js';

export interface Result extends Finding {
  readonly name: string;
}

/** A service that is asked has 45 seconds by default; nobody waits for a check that hangs. */
const DEADLINE_MS = 60_000;

/** Every check, whatever the others find; one that could only repeat another's fault says so. */
export async function examine(app: OpenedApp, webhookUrl: string | null): Promise<Result[]> {
  const results: Result[] = [];
  for (const { name, needs, look } of checks) {
    const first = needs.find((need) => results.some((one) => one.name === need && one.state !== 'well'));
    const finding = first === undefined ? await inTime(() => look(app)) : after(first);
    results.push({ name, ...finding });
  }
  return [...results, { name: 'webhook', ...(await inTime(() => lookAtWebhook(webhookUrl, app))) }];
}

/** What can be said where the application cannot be made. */
export async function examineWithout(
  error: unknown,
  made: MadeBy,
  webhookUrl: string | null,
): Promise<Result[]> {
  const { check, finding } = startFaultOf(error, made);
  const others = checks.map(({ name }) => ({ name, ...(name === check ? finding : after(check)) }));
  return [...others, { name: 'webhook', ...(await inTime(() => lookAtWebhook(webhookUrl, null))) }];
}

const after = (check: string): Finding => none(`not looked at: ${check} comes first`);

/** A check that fails by itself has found something, too. */
async function inTime(look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await withinTime({ timeoutMs: DEADLINE_MS }, look);
  } catch (error) {
    return broken(`it could not be looked at: ${reasonOf(error)}`, 'See what the error says, and ask again.');
  }
}
