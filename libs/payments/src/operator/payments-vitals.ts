import { Inject, Injectable } from '@nestjs/common';
import { PaymentsApi } from '../api/payments-api.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { SweepPulse } from '../work/sweep-pulse.js';
import { BacklogReader } from './backlog.js';
import { conditionsOf, type Condition } from './conditions.js';
import { VitalFigures, type Figures } from './vital-figures.js';

/** Whether the module can work in this process, and what is wrong anywhere: what a health check asks. */
@Injectable()
export class PaymentsVitals {
  constructor(
    private readonly database: Database,
    private readonly pulse: SweepPulse,
    private readonly backlogReader: BacklogReader,
    private readonly vitalFigures: VitalFigures,
    private readonly api: PaymentsApi,
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

  /** How many circuit breakers of this process are open. */
  openCircuits(): { readonly service: number; readonly store: number } {
    return this.api.openCircuits;
  }

  /** Of all processes, some seconds old; null: the database does not tell. */
  figures(): Promise<Figures | null> {
    return this.vitalFigures.read();
  }

  figuresAgeMs(): number {
    return this.vitalFigures.ageMs();
  }

  async conditions(): Promise<Condition[]> {
    return conditionsOf(await this.backlogReader.read());
  }
}
