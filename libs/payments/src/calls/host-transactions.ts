import { HOUR_MS } from '../common/durations.js';
import { andOthers, LogLimit } from '../common/log-limit.js';
import { PaymentsLog } from '../common/payments-log.js';
import type { Database } from '../database/database.js';
import { hostTransactionAdvice, type CallInTransaction } from './host-transaction-advice.js';

/**
 * Notices calls that send a request while a transaction of the host's is open around them. A warning and no error: whether the host's
 * rows matter to the payment, only the host knows.
 */
export class HostTransactions {
  readonly #logger = new PaymentsLog();
  readonly #limits = new Map<CallInTransaction, LogLimit>();

  constructor(private readonly database: Database) {}

  /** Of a call that was given no `manager`. */
  notice(call: CallInTransaction): void {
    if (!this.database.isInHostTransaction) return;
    const limit = this.#limits.get(call) ?? new LogLimit(HOUR_MS);
    this.#limits.set(call, limit);
    const count = limit.take();
    if (count !== null) this.#logger.warn(`${hostTransactionAdvice(call)}${andOthers(count)}`);
  }
}
