import { Forgotten } from './audit/forgotten.js';
import type { Point } from './stage/steps.js';

/** What was done to the shops and the service, counted as it happens. */
export class Tally {
  kills = 0;
  /** Of the kills, those at a failpoint. */
  killsAtPoints = 0;
  /** Of the kills, those right after an answer 200 to a notification. */
  killsAfterAck = 0;
  readonly pointsHit = new Set<Point>();
  stops = 0;
  databaseRestarts = 0;
  /** Cut or half open. */
  brokenLines = 0;
  serviceFaults = 0;
  notificationFaults = 0;
  outages = 0;
  failovers = 0;
  restores = 0;
  lastLoss: 'failover' | 'restore' | null = null;
  readonly forgotten = new Forgotten();
  /** Payments whose re-reads hung. */
  hangingPayments = 0;
}
