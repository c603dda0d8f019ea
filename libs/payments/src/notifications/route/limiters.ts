import { PaymentsLog } from '../../common/payments-log.js';

/** As limiters tell their clients of themselves, whichever package they are of. */
const HEADER = /^(x-)?ratelimit(-|$)/i;

/** The first header of an answer that says that requests are counted, with its value; null: none does. */
export function limitIn(headers: Readonly<Record<string, unknown>>): string | null {
  const found = Object.entries(headers).find(([name]) => HEADER.test(name));
  return found === undefined ? null : `${found[0]}: ${String(found[1])}`;
}

const logger = new PaymentsLog();

/**
 * Notices a rate limiter of the host's that counts notifications: it is told by what the answer to the process's own notification has in
 * its headers, since one request alone is never refused.
 */
export function warnOfLimiter(headers: Readonly<Record<string, unknown>>): void {
  const limit = limitIn(headers);
  if (limit === null) return;
  logger.warn(
    `A rate limiter of the application counts notifications (${limit}): it answers 429 where the service sends many at once, and what is ` +
      'refused comes again later, for 24 hours. Have the limiter leave the path of the webhook alone.',
  );
}
