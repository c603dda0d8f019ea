import { Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import type { ConditionName } from '../operator/conditions.js';
import { PaymentsVitals } from '../operator/payments-vitals.js';
import { isLate } from './is-late.js';

/** A database that answers later is down for those who wait. */
const DATABASE_DEADLINE_MS = 5_000;
/**
 * Health of the payments, for `@nestjs/terminus`. `database` and `sweep` are about this process: they suit a readiness check. None
 * of them asks the payment service, whose failure no restart repairs. `backlog` is about the shop: it suits a check that a person is
 * called by, and no readiness check.
 * @example
 * @Controller('health')
 * export class HealthController {
 *   constructor(
 *     private readonly health: HealthCheckService,
 *     private readonly payments: PaymentsHealthIndicator,
 *   ) {}
 *
 *   @Get('ready')
 *   @HealthCheck()
 *   ready() {
 *     return this.health.check([() => this.payments.database(), () => this.payments.sweep()]);
 *   }
 * }
 */
@Injectable()
export class PaymentsHealthIndicator {
  readonly #logger = new PaymentsLog();

  /** @internal */
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly vitals: PaymentsVitals,
  ) {}

  /** Down if the module's database gives no answer within 5 s. */
  async database(key = 'payments_database'): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(key);
    try {
      await this.vitals.reachDatabase(DATABASE_DEADLINE_MS);
      return indicator.up();
    } catch (error) {
      return this.#unreachable(key, error);
    }
  }

  /**
   * Down if this process should sweep and has not looked for its work for six intervals, at least a minute. A process that does not
   * sweep is up.
   */
  sweep(key = 'payments_sweep'): HealthIndicatorResult {
    const indicator = this.indicators.check(key);
    const sweep = this.vitals.sweep();
    if (sweep === null) return indicator.up({ sweeps: false });
    const { intervalMs, sinceMs } = sweep;
    const details = { sweeps: true, ageMs: sinceMs === null ? null : Math.round(sinceMs) };
    return isLate(sinceMs, intervalMs) ? indicator.down(details) : indicator.up(details);
  }

  /** Down if something needs a person, or will if it stays: what {@link conditionsOf} lists, with what helps; or if the database does not
   * tell. */
  async backlog(key = 'payments_backlog'): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(key);
    try {
      const conditions = await this.vitals.conditions();
      if (conditions.length === 0) return indicator.up();
      const named: Partial<Record<ConditionName, string>> = {};
      for (const { name, text, remedy } of conditions) named[name] = `${text}. ${remedy}`;
      return indicator.down(named);
    } catch (error) {
      return this.#unreachable(key, error);
    }
  }

  /** Who asks may be anybody: the reason, which names addresses and roles, stands in the log. */
  #unreachable(key: string, error: unknown): HealthIndicatorResult {
    this.#logger.warn(`A health check did not reach the database: ${messageOf(error)}`);
    return this.indicators.check(key).down({ error: 'no answer' });
  }
}
