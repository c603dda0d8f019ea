import type { LoggerService } from '@nestjs/common';

import { printStep } from './print-step.js';

/** As many as there are ticks while the demo copies or replaces the database, which it says itself. */
const withoutDatabase =
  /^The sweep was interrupted .*: (?:database ".*" (?:is not currently accepting connections|does not exist)|terminating connection|Connection terminated)/;

/** The shop's errors, in the timeline: each says whether the scenario causes it on purpose. */
export class DemoLog implements LoggerService {
  /** What the scenario under way has the shop say; null: nothing. */
  expected: RegExp | null = null;

  constructor(private readonly now: () => Date) {}

  error(message: unknown): void {
    const text = String(message);
    if (withoutDatabase.test(text)) return;
    const isMeant = this.expected?.test(text) ?? false;
    printStep(this.now(), 'log', `${isMeant ? 'ERROR, on purpose' : 'ERROR, not on purpose'}: ${text}`);
  }

  /** The demo causes many of these, and a person has nothing to do about any. */
  warn(): void {}

  log(): void {}
}
