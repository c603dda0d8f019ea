import { percentile } from '../../common/percentile.js';
import type { Onlooker } from './onlooker.js';

/**
 * Everything some process works on and has not finished, unless another has taken it over: then it has another fence or count.
 */
const IN_HAND = `
  SELECT concat_ws(' ', 'payment', payment_id, fence) AS work FROM payments_due WHERE lease_until IS NOT NULL
  UNION ALL
  SELECT concat_ws(' ', 'operation', id, attempts) FROM payments_operations
  WHERE lease_until IS NOT NULL AND settled_at IS NULL
  UNION ALL
  SELECT concat_ws(' ', 'delivery', event_id, handler_id, attempts) FROM payments_deliveries
  WHERE lease_until IS NOT NULL AND done_at IS NULL`;

interface Watch {
  readonly since: number;
  /** Null until the database has been queried for the first time after the kill. */
  waitsFor: ReadonlySet<string> | null;
}

/** Measures from each kill until all work in progress has been finished or taken over. */
export class Recovery {
  readonly #times: number[] = [];
  #watches: Watch[] = [];

  constructor(private readonly onlooker: Onlooker) {}

  /** Begins a measurement. */
  watch(): void {
    this.#watches.push({ since: performance.now(), waitsFor: null });
  }

  /** Call every now and then. */
  async look(): Promise<void> {
    if (this.#watches.length === 0) return;
    // Kills during the query are seen by the next look.
    const watches = [...this.#watches];
    const rows = await this.onlooker.query<{ work: string }>(IN_HAND);
    if (rows === null) return;
    const inHand = new Set(rows.map(({ work }) => work));
    for (const watch of watches) {
      watch.waitsFor = new Set([...(watch.waitsFor ?? inHand)].filter((work) => inHand.has(work)));
      if (watch.waitsFor.size === 0) this.#times.push(performance.now() - watch.since);
    }
    this.#watches = this.#watches.filter(({ waitsFor }) => waitsFor === null || waitsFor.size > 0);
  }

  /** Milliseconds; NaN if nothing was measured. */
  percentile(percent: number): number {
    return percentile(this.#times, percent);
  }
}
