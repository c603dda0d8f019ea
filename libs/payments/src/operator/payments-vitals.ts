import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { SweepPulse } from '../work/sweep-pulse.js';
import { BacklogReader } from './backlog.js';
import { conditionsOf, type Condition } from './conditions.js';

/** Whether the module can work in this process, and what is wrong anywhere: what a health check asks. */
@Injectable()
export class PaymentsVitals {
  constructor(
    private readonly database: Database,
    private readonly pulse: SweepPulse,
    private readonly backlogReader: BacklogReader,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Resolves once the database has answered. */
  async reachDatabase(deadlineMs: number): Promise<void> {
    await this.database.read((from) => from.query('SELECT 1'), { deadlineMs });
  }

  /** How often this process sweeps, in ms, and how long ago it last did; null: it does not sweep. */
  sweep(): { readonly intervalMs: number; readonly sinceMs: number | null } | null {
    const { sweepIntervalMs: intervalMs } = this.options;
    return intervalMs === null ? null : { intervalMs, sinceMs: this.pulse.sinceMs() };
  }

  async conditions(): Promise<Condition[]> {
    return conditionsOf(await this.backlogReader.read());
  }
}
