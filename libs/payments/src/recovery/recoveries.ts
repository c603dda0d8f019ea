import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { IN_FLIGHT_MS } from '../api/limits.js';
import { andOthers, FAILURE_LOG_MS, LogLimit } from '../common/log-limit.js';
import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import { RefundNews } from '../reconcile/refunds/refund-news.js';
import { UNSEEN_STEP_MS } from '../reconcile/search-window.js';
import { RateLimiter } from '../stores/rate-limiter.js';
import { Shutdown } from '../work/shutdown.js';
import type { Work } from '../work/worker-pool.js';
import { afterFailure, isHopeless } from './decide-window.js';
import { RecoveredPayments } from './recovered-payments.js';
import { RecoveredReceipts } from './recovered-receipts.js';
import {
  RecoveryLeaseLostError,
  RecoveryLeases,
  type Progress,
  type RecoveryLease,
} from './recovery-leases.js';

/** The service may have worked on a request for a while, and its clock may have been set. */
const MARGIN_MS = IN_FLIGHT_MS + UNSEEN_STEP_MS;
const SLOTS = 4;
/** Stores that hang, beside the slots of those that answer. */
const ASIDE = 8;

const REFUND_UNKNOWN = 'A refund that is listed is not known here yet.';
const REFUND_OF_RECEIPT_UNKNOWN = 'A refund whose receipt is listed is not known here yet.';

/**
 * Reads what the service made in a time of which the database may have forgotten commits: the store's payments, then its refunds, then its receipts. A
 * process that ends leaves its place to the next one.
 */
@Injectable()
export class Recoveries {
  readonly #logger = new PaymentsLog();
  readonly #failures = new LogLimit(FAILURE_LOG_MS);

  constructor(
    private readonly limiter: RateLimiter,
    private readonly leases: RecoveryLeases,
    private readonly payments: RecoveredPayments,
    private readonly refunds: RefundNews,
    private readonly receipts: RecoveredReceipts,
    private readonly shutdown: Shutdown,
  ) {}

  /** SQL condition: there is a window to read. */
  get waits(): string {
    return this.leases.waits;
  }

  get work(): Work<RecoveryLease> {
    return {
      slots: SLOTS,
      aside: ASIDE,
      take: async () => {
        const lease = this.shutdown.hasBegun ? null : await this.leases.take();
        return lease ? [lease] : [];
      },
      run: (lease) => this.#run(lease),
    };
  }

  async #run(lease: RecoveryLease): Promise<void> {
    try {
      if (lease.listing === 'payments') await this.#listPayments(lease);
      // Under its key such a refund would be sent again, and what was forgotten may be older than the keys.
      const unknown = lease.listing === 'receipts' ? [] : await this.#listRefunds(lease);
      if (unknown.length > 0 && (await this.leases.awaitReread(lease, REFUND_UNKNOWN))) return;
      const areKnown = await this.#listReceipts(lease, unknown.length > 0 ? 'refunds' : 'receipts');
      if (!areKnown && (await this.leases.awaitReread(lease, REFUND_OF_RECEIPT_UNKNOWN))) return;
      await this.#end(lease, unknown);
    } catch (error) {
      if (error instanceof RecoveryLeaseLostError) return;
      // Broken off, not failed: another process goes on at once.
      if (this.shutdown.hasBegun) return this.leases.giveBack(lease);
      await this.limiter.heed(lease.storeId, error);
      await this.#failed(lease, error);
    }
  }

  async #listPayments(lease: RecoveryLease): Promise<void> {
    const { storeId, from, to, listing, cursor } = lease;
    await this.payments.list(storeId, {
      ours: { from, to },
      marginMs: MARGIN_MS,
      end: this.shutdown.signal,
      cursor: listing === 'payments' ? cursor : null,
      seen: ({ adopted, place }) => this.#advance(lease, { listing: 'payments', place, payments: adopted }),
    });
    await this.leases.advance(lease, { listing: 'refunds', place: null });
  }

  /** Payments of ours with a refund that is not known here until they have been re-read: the list is over once there is none. */
  async #listRefunds(lease: RecoveryLease): Promise<readonly string[]> {
    const { storeId, from, to, startedAt, listing, cursor } = lease;
    const unknown = await this.refunds.list(storeId, {
      ours: { from, to },
      marginMs: MARGIN_MS,
      end: this.shutdown.signal,
      isOpenEnded: false,
      cursor: listing === 'refunds' ? cursor : null,
      since: startedAt,
      seen: ({ withNews, place }) =>
        this.#advance(lease, { listing: 'refunds', place, withRefunds: withNews }),
    });
    if (unknown.length === 0) await this.leases.advance(lease, { listing: 'receipts', place: null });
    return unknown;
  }

  /**
   * false: one is of a refund that is not known here until its payment has been re-read. `within`: the list where the window goes on if
   * this process ends.
   */
  async #listReceipts(lease: RecoveryLease, within: 'refunds' | 'receipts'): Promise<boolean> {
    const { storeId, from, to, listing, cursor } = lease;
    const place = listing === 'receipts' ? cursor : null;
    try {
      return await this.receipts.list(storeId, {
        ours: { from, to },
        marginMs: MARGIN_MS,
        end: this.shutdown.signal,
        cursor: place,
        seen: (next) => this.#advance(lease, { listing: within, place: within === 'receipts' ? next : null }),
      });
    } catch (error) {
      if (place !== null || !isHopeless(error)) throw error;
      // The rest of the window has been read all the same.
      this.#logger.warn(`The receipts of store ${lease.accountId} cannot be listed: ${messageOf(error)}`, {
        storeId: lease.storeId,
      });
      return true;
    }
  }

  /** Until the store may be asked again: whoever buys there waits for this. */
  async #advance(lease: RecoveryLease, progress: Progress): Promise<void> {
    if (await this.leases.advance(lease, progress)) return;
    await delay(this.limiter.refillMs(1), undefined, { signal: this.shutdown.signal });
  }

  /** `unknown`: payments with a refund that has not become known here, however often they were re-read. */
  async #end(lease: RecoveryLease, [unknown]: readonly string[]): Promise<void> {
    const missing =
      unknown === undefined
        ? null
        : `A refund of payment ${unknown} is listed and has not become known here: its timeline says more.`;
    // Who has it read once more has seen to that, and is told no more than in the log.
    const kept = lease.reason === 'requested' ? null : missing;
    const { payments, withRefunds } = await this.leases.end(lease, kept, true);
    if (missing !== null)
      this.#logger.error(`${whatOf(lease)} was read at the service. ${missing}`, { storeId: lease.storeId });
    if (payments + withRefunds === 0) return;
    this.#logger.warn(
      `${whatOf(lease)} was read at the service: ${payments} forgotten payments are recorded again, ${withRefunds} have refunds that were not known.`,
      { storeId: lease.storeId },
    );
  }

  async #failed(lease: RecoveryLease, error: unknown): Promise<void> {
    const message = messageOf(error);
    const again = afterFailure(lease, error);
    if (again === null) {
      await this.leases.end(lease, message);
      return this.#logger.error(
        `${whatOf(lease)} cannot be read at the service: ${message} What was made then and is missing here is found by notifications alone. ` +
          'Once the store may be listed, have it read by operator.recover().',
        { storeId: lease.storeId },
      );
    }
    await this.leases.postpone(lease, message, again);
    const count = this.#failures.take();
    if (count === null) return;
    this.#logger.warn(
      `${whatOf(lease)} could not be read at the service and will be tried again: ${message}${andOthers(count)}`,
      { storeId: lease.storeId },
    );
  }
}

function whatOf({ accountId, from, to }: RecoveryLease): string {
  return `What store ${accountId} did from ${from.toISOString()} to ${to.toISOString()}`;
}
