import type { INestApplication } from '@nestjs/common';
import { SweepPulse } from '../../../libs/payments/src/work/sweep-pulse.js';
import { eventually } from '../../support/eventually.js';

const MINUTE_MS = 60_000;

/** Minutes may pass in less time than there is between two ticks of the sweep. */
export async function untilSwept(app: INestApplication): Promise<void> {
  await eventually(
    async () => app.get(SweepPulse, { strict: false }).sinceMs(),
    (sinceMs) => sinceMs !== null && sinceMs < MINUTE_MS,
  );
}
