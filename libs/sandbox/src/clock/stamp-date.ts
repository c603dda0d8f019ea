import type { Response } from 'express';

/** Answers have the time of the sandbox's own clock, as the service's do; Node would use the machine's. */
export function stampDate(response: Response, now: Date): void {
  response.set('Date', now.toUTCString());
}
