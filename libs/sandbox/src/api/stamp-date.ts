import type { Response } from 'express';

/** Answers say what the sandbox's own clock shows, as the service's do; Node would say the machine's. */
export function stampDate(response: Response, now: Date): void {
  response.set('Date', now.toUTCString());
}
